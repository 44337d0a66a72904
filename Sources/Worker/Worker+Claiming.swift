internal import JobQueue
internal import Observability
internal import Synchronization

/// The claims of a worker: it claims at every signal, and when it finds no more jobs, it leaves a pending claim for the
/// next submit of its own process.
extension Worker {
    private enum NextClaim {
        /// More may be ready and slots are free.
        case now
        /// At the next signal, and after this pause at the latest.
        case later(Duration?)
    }

    func forwardReadySignals() async {
        for await _ in store.changes(.ready) { claimWakeup.raise() }
    }

    func claimUntilDrained() async {
        await withTaskGroup { jobs in
            var timer: Task<Void, Never>?
            var pending: PendingClaim?
            for await _ in claimWakeup.signals where !isDraining {
                var next: NextClaim? = .now
                let mayClaim = claimWakeup.takeSignal()
                if let ended = pending, let claim = await ended.end() {
                    let after = await take(claim, for: ended.slots, into: &jobs)
                    if !mayClaim { next = after }
                }
                pending = nil
                while case .now = next { next = await claimOnce(into: &jobs) }
                timer?.cancel()
                guard case .later(let pause) = next else { continue }
                timer = pause.map(wakeTask)
                let allowance = await allowance()
                pending = PendingClaim(
                    for: liveness.id, upTo: allowance.slots, excluding: allowance.excluded, in: store,
                    waking: claimWakeup)
            }
            timer?.cancel()
            for job in await pending?.end()?.jobs ?? [] { start(job, in: &jobs) }
            await finishJobs(&jobs)
        }
    }

    private func wakeTask(after pause: Duration) -> Task<Void, Never> {
        Task { [claimWakeup] in
            if (try? await Task.sleep(for: pause)) != nil { claimWakeup.raise() }
        }
    }

    /// The number of further jobs of each queue that may run.
    var freeSlots: [QueueName: Int] {
        if isHeld { return [.interactive: 0, .background: 0] }
        return configuration.slots(
            running: [.interactive: running.count(by: .interactive), .background: running.count(by: .background)])
    }

    /// What may be claimed now: the free slots, as far as the budgets have room for the first calls of background jobs.
    private func allowance() async -> ClaimAllowance {
        let slots = freeSlots
        guard let gate, slots[.background, default: 0] > 0 else {
            return ClaimAllowance(slots: slots, excluded: abilities.excluded)
        }
        var rooms: [(kinds: [String], room: ClaimGate.Room)] = []
        for (tier, kinds) in Dictionary(grouping: abilities.tiers, by: \.value) {
            rooms.append((kinds.map(\.key), await gate.room(tier)))
        }
        return claimLimiter.withLock { [rooms] in
            $0.allowance(slots, abilities.excluded, rooms: rooms, at: .now)
        }
    }

    /// Claims once and starts the jobs that it got. `nil` when the worker drains.
    private func claimOnce(into jobs: inout TaskGroup<Void>) async -> NextClaim? {
        guard !isDraining else { return nil }
        throttle.withLock { $0.begin() }
        let slots = freeSlots
        guard slots.values.reduce(0, +) > 0 else {
            return throttle.withLock { $0.finish(isShort: true) } ? .now : .later(nil)
        }
        let allowance = await allowance()
        guard allowance.slots.values.contains(where: { $0 > 0 }) else {
            _ = throttle.withLock { $0.finish(isShort: true) }
            return .later(allowance.wait)
        }
        do {
            let claim = try await store.claim(
                for: liveness.id, upTo: allowance.slots, excluding: allowance.excluded)
            let next = await take(claim, for: allowance.slots, into: &jobs)
            // The budget says when there is room for more.
            guard let wait = allowance.wait, case .later(let pause) = next else { return next }
            return .later(min(pause ?? wait, wait))
        } catch {
            if error != .workerUnknown { noteFailure(error) }
            // The next claim counts the slots that became free meanwhile.
            _ = throttle.withLock { $0.finish(isShort: true) }
            return .later(.seconds(1))
        }
    }

    /// Starts the jobs of a claim, which could have `slots` jobs of each queue at most.
    private func take(
        _ claim: Claim, for slots: [QueueName: Int], into jobs: inout TaskGroup<Void>
    ) async -> NextClaim {
        for job in claim.jobs { start(job, in: &jobs) }
        let full = QueueName.allCases.filter { queue in
            slots[queue, default: 0] == claim.jobs.count { $0.queue == queue }
        }
        let isOverdue = throttle.withLock { $0.finish(isShort: !full.isEmpty) }
        if isOverdue || full.contains(where: { slots[$0, default: 0] > 0 }) { return .now }
        if !claim.jobs.isEmpty { await rest() }
        guard let due = claim.nextDue else { return .later(claim.timeout) }
        do {
            let pause = max(due - (try await store.now()), .milliseconds(1))
            return .later(min(pause, claim.timeout ?? pause))
        } catch {
            noteFailure(error)
            return .later(.seconds(1))
        }
    }

    private func noteFailure(_ error: StoreError) {
        log("cannot claim; trying again", error)
    }

    /// Lets jobs accumulate for the next claim where many run and more keep coming.
    private func rest() async {
        let pause = throttle.withLock { $0.rest(afterClaimAt: .now, running: running.count) }
        if pause > .zero { try? await Task.sleep(for: pause) }
    }
}

/// The time at which a worker claims again.
///
/// A worker that is idle, or whose jobs come one by one, claims at every signal. Where many jobs run and more keep
/// coming, each claim waits a little for more jobs, since a claim of one job costs the database nearly as much as a
/// claim of ten. And the end of a job is a reason to claim only where the last claim had too few slots.
struct ClaimThrottle {
    /// Claims with jobs at shorter distances than this make a stream.
    private static let stream: Duration = .milliseconds(100)
    /// The time between claims of a stream.
    static let rest: Duration = .milliseconds(50)
    /// Claims rest only while at least this many jobs run.
    private static let manyJobs = 16

    /// The time of the last claim that returned jobs.
    private var last: ContinuousClock.Instant?
    private var isClaiming = false
    private var hadTooFewSlots = false
    private var hasEndedMeanwhile = false

    /// Records that a claim is about to count the free slots.
    mutating func begin() {
        isClaiming = true
        hasEndedMeanwhile = false
    }

    /// Records that a claim was answered.
    ///
    /// - Parameter isShort: True when the claim filled every free slot of a queue.
    /// - Returns: Whether a job ended meanwhile, which freed another slot.
    mutating func finish(isShort: Bool) -> Bool {
        isClaiming = false
        hadTooFewSlots = isShort
        return isShort && hasEndedMeanwhile
    }

    /// Records the end of a job and returns whether that is a reason to claim.
    mutating func jobEnded() -> Bool {
        hasEndedMeanwhile = true
        return !isClaiming && hadTooFewSlots
    }

    /// The pause after a claim that brought jobs, while `running` jobs run.
    mutating func rest(afterClaimAt now: ContinuousClock.Instant, running: Int) -> Duration {
        defer { last = now }
        guard let last, now - last < Self.stream, running >= Self.manyJobs else { return .zero }
        return Self.rest
    }
}

/// A signal that many tasks may send and one task waits for; two signals before it looks count as one.
final class Wakeup: Sendable {
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let isRaised = Mutex(false)

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the waiting task, since there may be something to claim.
    func raise() {
        isRaised.withLock { $0 = true }
        continuation.yield()
    }

    /// Wakes the waiting task for another reason than `raise`.
    func nudge() { continuation.yield() }

    /// Whether the signal was raised since the last call.
    func takeSignal() -> Bool {
        isRaised.withLock { isRaised in
            defer { isRaised = false }
            return isRaised
        }
    }

    /// Ends the waiting loop.
    func finish() { continuation.finish() }
}

/// A claim of an idle worker that waits for the next submit of its process, and takes its jobs in that transaction.
struct PendingClaim {
    /// The largest number of jobs that it takes of each queue.
    let slots: [QueueName: Int]
    private let task: Task<Claim?, Never>

    /// Waits for a submit until it is ended, and wakes the worker when it has taken jobs. `nil` when no job could run,
    /// or when the store has no piggybacked claims.
    ///
    /// A failed claim may have taken jobs all the same. The worker's next claim returns them, so the worker is woken
    /// soon.
    init?(
        for worker: WorkerID, upTo slots: [QueueName: Int], excluding: ClaimExclusions, in store: any JobStore,
        waking wakeup: Wakeup
    ) {
        guard let store = store as? any PiggybackedClaims, slots.values.contains(where: { $0 > 0 }) else { return nil }
        self.slots = slots
        task = Task {
            do {
                let claim = try await store.claimWithNextSubmit(
                    for: worker, upTo: slots, excluding: excluding)
                if claim != nil { wakeup.nudge() }
                return claim
            } catch {
                if (try? await Task.sleep(for: .seconds(1))) != nil { wakeup.raise() }
                return nil
            }
        }
    }

    /// Ends the wait.
    ///
    /// - Returns: The jobs that it took; `nil` when there are none.
    func end() async -> Claim? {
        task.cancel()
        return await task.value
    }
}
