internal import Basics

/// The watch over a call: when its provider has been silent for too long, and when its caller's time is over.
extension ModelRouter {
    /// The limits of a call, by the answers that are known at a time.
    func watch(
        of model: ModelDescription, _ request: ModelRequest, _ attempt: Attempt, _ state: ProviderState,
        from start: Duration, at now: Duration
    ) -> StallWatch {
        let isInteractive = attempt.caller.isInteractive
        let timeouts = state.timeouts(for: model, effort: request.effort, isInteractive: isInteractive, at: now)
        let (usual, hasHistory) = state.usualAnswer(of: model, effort: request.effort, at: now)
        // A limit that the catalogue raises is as good as a known one.
        let isKnown = hasHistory || model.timeouts.firstContent > CallTimeouts.standard.firstContent
        let next = attempt.next?.description
        let nextCall = next.flatMap { states[$0.provider]?.wholeCall(of: $0.id, effort: request.effort, at: now) }
        return StallWatch(
            timeouts, usual: usual, isKnown: isKnown, at: start, deadline: attempt.deadline,
            candidates: attempt.candidates,
            next: next?.id == model.id ? .same(wholeCall: nextCall) : .other(wholeCall: nextCall))
    }

    /// Throws when the answers to a prompt usually take longer than the caller has left: such a call would be paid for
    /// and thrown away.
    func requireTime(
        for model: ModelDescription, _ request: ModelRequest, _ caller: CallContext, until deadline: Duration
    ) throws(ModelError) {
        let now = clock.uptime()
        guard let prompt = caller.route?.prompt,
            let usual = states[model.provider]?.usualAnswerTime(
                of: model.id, effort: request.effort, to: prompt, at: now)
        else { return }
        let left = max(.zero, deadline - TimeShare.reserve - now)
        guard usual > left else { return }
        throw ModelError(.tooLittleTime(left: left, usual: usual), provider: model.provider, model: model.id)
    }

    /// The part of the watch over a call that concerns other calls, too.
    struct Doubts: Sendable {
        /// The uptime after which a first byte is late; `nil` for a call that gets no hedge.
        let lateAt: Duration?
        /// Is called once when the first byte is late.
        let onLate: @Sendable () -> Void
        /// Whether older calls of the model give reason to end a silent one.
        let isSuspect: @Sendable (_ now: Duration) -> Bool
        /// Is called when an answer that comes as it should makes way, since its caller has too little time for it.
        let onMakingWay: @Sendable () -> Void
        /// Is called once when the provider of a last candidate, whose call goes on, exceeds its limit.
        let onOverdue: @Sendable (Stall, _ now: Duration) async -> Void
        /// The limits by what is known now. A call that began while its model was unknown asks again until it is known:
        /// a fleet that has just started would give each silent call the start value.
        let learned: @Sendable (_ now: Duration) -> StallWatch
    }

    /// The interval at which a call of an unknown model asks for its limits again.
    private static let learningInterval: Duration = .seconds(6)

    private enum Event: Sendable {
        case ended(Result<ModelResponse, ModelError>)
        /// `nil` when the call ended first.
        case expired(ModelError.Kind?)
    }

    /// Makes a call, and ends it when its provider has been silent for too long or the caller's time is over.
    func watched(
        _ watch: StallWatch, _ activity: CallActivity, _ model: ModelDescription, _ doubts: Doubts,
        call: @escaping @Sendable () async throws(ModelError) -> ModelResponse
    ) async -> Result<ModelResponse, ModelError> {
        await withTaskGroup(of: Event.self) { group in
            group.addTask {
                do throws(ModelError) {
                    return .ended(.success(try await call()))
                } catch {
                    return .ended(.failure(error))
                }
            }
            group.addTask { [clock] in .expired(await Self.expiry(watch, activity, clock, doubts)) }
            var outcome: Result<ModelResponse, ModelError> = .failure(ModelError(.cancelled))
            var reason: ModelError.Kind?
            for await event in group {
                group.cancelAll()
                switch event {
                case .ended(let result): outcome = result
                case .expired(let kind): reason = kind
                }
            }
            guard let reason, case .failure(var error) = outcome, error.kind == .cancelled, !Task.isCancelled else {
                return outcome
            }
            error.kind = reason
            (error.provider, error.model) = (model.provider, model.id)
            return .failure(error)
        }
    }

    /// Waits until the call has to end; `nil` when the task was cancelled before.
    private static func expiry(
        _ first: StallWatch, _ activity: CallActivity, _ clock: TimeSource, _ doubts: Doubts
    ) async -> ModelError.Kind? {
        var watch = first
        var mayBeOverdue = watch.handOver == nil
        var lateAt = doubts.lateAt
        while true {
            let now = clock.uptime()
            let call = activity.snapshot
            if !watch.isKnown { watch = doubts.learned(now) }
            switch watch.verdict(call, at: now) {
            case .stalled(let stall): return .stalled(stall)
            case .makesWay(let stall):
                doubts.onMakingWay()
                return .stalled(stall)
            case .outOfTime(let stall, let isStalled): return .outOfTime(stall, isStalled: isStalled)
            case .wait(var until):
                if call.headAt != nil { lateAt = nil }
                if let late = lateAt, now >= late {
                    lateAt = nil
                    doubts.onLate()
                }
                until = min(until, lateAt ?? until)
                if !watch.isKnown { until = min(until, now + learningInterval) }
                if mayBeOverdue, let stall = watch.overdue(call, at: now) {
                    mayBeOverdue = false
                    await doubts.onOverdue(stall, now)
                }
                if let stall = watch.doubt(call, at: now) {
                    if doubts.isSuspect(now) { return .stalled(stall) }
                } else if watch.handOver != nil {
                    let (clock, since) = call.clock
                    until = min(until, since + watch.trust(clock))
                }
                if mayBeOverdue { until = min(until, watch.nextOverdue(call, at: now)) }
                guard (try? await clock.sleep(until - now)) != nil else { return nil }
            }
        }
    }
}
