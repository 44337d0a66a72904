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

/// Decides when a call has been silent for too long: a pure value that reads the progress of a call.
struct StallWatch: Sendable {
    enum Verdict: Hashable, Sendable {
        /// Look again at this uptime.
        case wait(until: Duration)
        /// The provider is silent, and the next candidate shall be asked.
        case stalled(Stall)
        /// The caller's time is over. The provider counts as stalled when its silence exceeds its limit.
        case outOfTime(Stall, isStalled: Bool)
    }

    var timeouts: CallTimeouts
    /// The uptime at which the call has to make way for the next candidate unless content arrives faster than a drip;
    /// `nil` for the last candidate, whose silence is not limited.
    var handOver: Duration?
    /// The uptime at which the call ends in any case.
    var end: Duration

    /// - Parameters:
    ///   - timeouts: The limits of the clocks.
    ///   - now: The uptime at the start of the call.
    ///   - deadline: The uptime at which the caller's time is over.
    ///   - candidates: The candidates that can be asked after this one.
    ///   - nextCall: The 0.95 quantile of the next candidate's whole calls.
    init(_ timeouts: CallTimeouts, at now: Duration, deadline: Duration, candidates: Int, nextCall: Duration?) {
        self.timeouts = timeouts
        end = deadline - TimeShare.reserve
        let left = deadline - now
        handOver =
            candidates > 0
            ? now + TimeShare.timeToHandOver(left: left, candidates: candidates, nextCall: nextCall) : nil
    }

    func verdict(_ call: CallActivity.Snapshot, at now: Duration) -> Verdict {
        let (clock, since) = call.clock
        let limit = timeouts[clock]
        let stall = Stall(clock, silence: now - since)
        if now >= end { return .outOfTime(stall, isStalled: stall.silence >= limit) }
        guard let handOver else { return .wait(until: end) }
        if stall.silence >= limit { return .stalled(stall) }
        guard now < handOver else {
            // A slow but lively answer is not thrown away for another one that would have to begin.
            guard clock == .gap, call.isLively(at: now) else { return .stalled(stall) }
            return .wait(until: min(since + limit, now + Self.paceInterval, end))
        }
        return .wait(until: min(since + limit, handOver, end))
    }

    /// The interval at which the pace is looked at again.
    private static let paceInterval: Duration = .seconds(1)
}
