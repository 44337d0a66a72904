internal import Basics

/// A silence of a provider within a call.
package struct Stall: Hashable, Sendable {
    package var clock: CallClock
    /// The time since the clock began.
    package var silence: Duration

    package init(_ clock: CallClock, silence: Duration) {
        self.clock = clock
        self.silence = silence
    }
}

/// Decides when a call has been silent or slow for too long: a pure value that reads the progress of a call.
struct StallWatch: Sendable {
    enum Verdict: Hashable, Sendable {
        /// Look again at this uptime.
        case wait(until: Duration)
        /// The provider is silent or too slow, and the next candidate shall be asked.
        case stalled(Stall)
        /// The answer comes as it should, but the caller's time is too short for it, and the next candidate may end in
        /// time. The provider is not at fault.
        case makesWay(Stall)
        /// The caller's time is over. The provider counts as stalled when its silence exceeds its limit.
        case outOfTime(Stall, isStalled: Bool)
    }

    var timeouts: CallTimeouts
    var usual: UsualAnswer
    /// Whether the limits come from the model's own latencies.
    var isKnown: Bool
    /// The uptime at which the call has to make way for the next candidate unless its answer will end in time; `nil`
    /// for the last candidate, whose silence is not limited.
    var handOver: Duration?
    /// The time in which the next candidate may answer; `nil` where there is none but this one again, which is no
    /// faster.
    private let nextCall: Duration?
    /// The uptime at which the call ends in any case.
    var end: Duration

    /// - Parameters:
    ///   - timeouts: The limits of the clocks.
    ///   - usual: The answers that the model usually gives.
    ///   - isKnown: Whether the limits come from the model's own latencies.
    ///   - now: The uptime at the start of the call.
    ///   - deadline: The uptime at which the caller's time is over.
    ///   - candidates: The candidates that can be asked after this one.
    ///   - next: The first of them.
    init(
        _ timeouts: CallTimeouts, usual: UsualAnswer = .unknown, isKnown: Bool = false, at now: Duration,
        deadline: Duration, candidates: Int, next: TimeShare.Next
    ) {
        self.timeouts = timeouts
        self.usual = usual
        self.isKnown = isKnown
        end = deadline - TimeShare.reserve
        let left = deadline - now
        if candidates > 0, case .other(let call) = next {
            nextCall = call ?? TimeShare.shortestCall
        } else {
            nextCall = nil
        }
        handOver =
            candidates > 0
            ? now + TimeShare.timeToHandOver(left: left, candidates: candidates, next: next, isKnown: isKnown) : nil
    }

    func verdict(_ call: CallActivity.Snapshot, at now: Duration) -> Verdict {
        let (clock, since) = call.clock
        let stall = Stall(clock, silence: now - since)
        if now >= end {
            guard let overdue = overdue(call, at: now) else { return .outOfTime(stall, isStalled: false) }
            return .outOfTime(overdue, isStalled: true)
        }
        guard let handOver else { return .wait(until: end) }
        let limit = timeouts[clock]
        if stall.silence >= limit { return .stalled(stall) }
        if usual.isDrip(call, at: now, end: end) { return .stalled(Self.drip(call, at: now)) }
        let mayMakeWay = nextCall.map { $0 <= end - now } ?? false
        if mayMakeWay, usual.isTooLate(call, at: now, end: end) { return .makesWay(Self.drip(call, at: now)) }
        guard now < handOver else {
            guard usual.flows(call, at: now) else {
                return .stalled(stall.silence > usual.pause ? stall : Self.drip(call, at: now))
            }
            // A good answer is not thrown away for another one that would have to begin, unless only that one can end.
            if mayMakeWay, !usual.willEnd(call, at: now, end: end) { return .makesWay(Self.drip(call, at: now)) }
            return .wait(until: min(since + limit, now + Self.nearInterval, end))
        }
        return .wait(until: min(since + limit, handOver, end, now + lookInterval(clock)))
    }

    /// The uptime at which the silence of a call that nothing ends may exceed its limit.
    func nextOverdue(_ call: CallActivity.Snapshot, at now: Duration) -> Duration {
        let (clock, since) = call.clock
        return min(max(since + shortLimit(clock, call), now + Self.nearInterval), now + lookInterval(clock))
    }

    /// The first content may come at any time, and with it another limit.
    private func lookInterval(_ clock: CallClock) -> Duration { clock == .gap ? Self.paceInterval : timeouts.gap }

    private func shortLimit(_ clock: CallClock, _ call: CallActivity.Snapshot) -> Duration {
        min(timeouts[clock], max(Self.shortestLimit, (end - call.startedAt) / 2))
    }

    /// A silence of this length is a doubt, however long its limit is, while the model's own latencies are unknown.
    private static let longestTrust: Duration = .seconds(10)

    /// The silence after which a call is a reason to doubt its model.
    func trust(_ clock: CallClock) -> Duration {
        let half = timeouts[clock] / 2
        return isKnown ? half : min(half, Self.longestTrust)
    }

    /// The silence of a call for which its model may be doubted, if another candidate can be asked.
    func doubt(_ call: CallActivity.Snapshot, at now: Duration) -> Stall? {
        let (clock, since) = call.clock
        return handOver != nil && now - since >= trust(clock) ? Stall(clock, silence: now - since) : nil
    }

    /// The silence of a call that exceeds its limit, or its drip, also where no other candidate can be asked: the call
    /// goes on, and its model counts as stalled. Half of the time of a short call counts as the limit.
    func overdue(_ call: CallActivity.Snapshot, at now: Duration) -> Stall? {
        let (clock, since) = call.clock
        if now - since >= shortLimit(clock, call) { return Stall(clock, silence: now - since) }
        return usual.isDrip(call, at: now, end: end) ? Self.drip(call, at: now) : nil
    }

    private static func drip(_ call: CallActivity.Snapshot, at now: Duration) -> Stall {
        Stall(.pace, silence: now - (call.firstContentAt ?? call.startedAt))
    }

    /// The intervals at which the pace of an answer is looked at: until its share of the time is over, and then.
    private static let (paceInterval, nearInterval): (Duration, Duration) = (.seconds(6), .seconds(1))
    private static let shortestLimit: Duration = .seconds(10)
}
