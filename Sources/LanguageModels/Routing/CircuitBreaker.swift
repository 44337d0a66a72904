internal import JobQueue

/// Stops calls to one model that keeps stalling or failing, and lets one call at a time find out whether it is back.
///
///     closed ──two stalls, or five failures, in a row──▶ open ──time over──▶ probing ──first content──▶ closed
///                                                         ▲                     │
///                                                         └────stall, failure───┘
///
/// A stall is one of a row only if no call fared better while it lasted: among many calls at once, single calls that are
/// never answered say nothing about the others.
struct CircuitBreaker: Sendable {
    struct Settings: Sendable {
        /// The number of stalls in a row that open the breaker.
        var stalls = 2
        /// The number of failures in a row that open the breaker.
        var failures = 5
        /// The time of the first opening; each further one takes twice as long.
        var shortestOpening: Duration = SharedOpening.shortest
        var longestOpening: Duration = SharedOpening.longest
    }

    enum Admission: Equatable {
        case call
        /// The time is over: one call may find out whether the model is back.
        case probe
        /// Try again after this pause.
        case rest(Duration)
    }

    /// The result of a call for the model's health.
    enum Finding: Hashable {
        /// The provider answered, perhaps with a refusal.
        case alive
        case failed
        case stalled(CallClock)
        /// No connection could be made, which concerns all models of the provider.
        case unreachable
        /// The call ended before it could show anything.
        case nothing
    }

    enum State: Hashable {
        case closed
        case open(until: Duration)
        case probing(until: Duration)
    }

    private let settings: Settings
    private(set) var state: State = .closed
    /// The length of the last opening; `nil` after a success.
    private(set) var opening: Duration?
    /// The uptime of the last change of the state.
    private(set) var changedAt: Duration = .seconds(-1)
    private var stalls = 0
    private var failures = 0
    /// The latest time at which a call got its first content.
    private var lastContentAt: Duration?
    private var lastAnswerAt: Duration?
    /// The time after which a probe without a result is given up; the next call may probe then.
    private static let longestProbe: Duration = SharedOpening.probeLifetime
    /// The time that a report to the other processes takes at most, as a rule.
    private static let reportTime: Duration = .seconds(1)
    /// The pause for other calls during a probe.
    private static let probePause: Duration = .seconds(1)

    init(_ settings: Settings = Settings()) { self.settings = settings }

    /// The kind of call that may be made now; changes nothing.
    func admission(at now: Duration) -> Admission {
        switch state {
        case .closed: .call
        case .open(let until): until > now ? .rest(until - now) : .probe
        case .probing(let until): until > now ? .rest(Self.probePause) : .probe
        }
    }

    /// Begins a probe, whose result must be reported.
    mutating func beginProbe(at now: Duration) {
        state = .probing(until: now + Self.longestProbe)
        changedAt = now
    }

    /// Lets another call probe after a pause, since another process is probing.
    mutating func postponeProbe(by pause: Duration, at now: Duration) {
        guard case .probing = state else { return }
        state = .open(until: now + pause)
    }

    /// Takes in the first content of a call.
    mutating func receivedContent(isProbe: Bool, at now: Duration) {
        lastContentAt = now
        if isProbe, case .probing = state { close(at: now) }
    }

    /// Takes in the result of a call.
    mutating func report(
        _ finding: Finding, ofCallFrom start: Duration, silentSince: Duration? = nil, isProbe: Bool = false,
        at now: Duration
    ) {
        if finding == .alive {
            lastContentAt = now
            lastAnswerAt = now
        }
        switch (state, finding) {
        case (.probing, .alive) where isProbe: close(at: now)
        case (.probing, .failed) where isProbe, (.probing, .stalled) where isProbe,
            (.probing, .unreachable) where isProbe:
            open(at: now)
        // The probe was inconclusive: the next call may probe immediately.
        case (.probing, .nothing) where isProbe:
            state = .open(until: now)
            changedAt = now
        case (.closed, .alive): (stalls, failures) = (0, 0)
        case (.closed, .failed), (.closed, .unreachable): fail(at: now)
        case (.closed, .stalled(let clock)):
            guard !isIsolated(clock, start, silentSince ?? start) else { return }
            stalls += 1
            if stalls >= settings.stalls { open(at: now) } else { fail(at: now) }
        // Late results of calls from before the breaker opened change nothing.
        default: break
        }
    }

    /// Takes over the state that the processes of the fleet share.
    ///
    /// - Parameters:
    ///   - shared: The rest of the opening and its whole length; `nil` when the model is not open.
    ///   - askedAt: The uptime of the request for it. A later change of this process is newer than the reply.
    ///   - now: The uptime.
    mutating func adopt(_ shared: (rest: Duration, opening: Duration)?, askedAt: Duration, at now: Duration) {
        guard changedAt <= askedAt else { return }
        switch (state, shared) {
        // The report of this process's own opening may still be on its way.
        case (.open, nil) where askedAt - changedAt >= Self.reportTime: close(at: now)
        case (.closed, let shared?):
            state = .open(until: now + shared.rest)
            opening = shared.opening
        case (.open(let until), let shared?) where now + shared.rest > until:
            state = .open(until: now + shared.rest)
            opening = shared.opening
        default: break
        }
    }

    /// Whether the stall of a call says nothing about other calls: another one got its first content meanwhile, or, for
    /// a silence in the midst of an answer, another answer came to its end.
    private func isIsolated(_ clock: CallClock, _ start: Duration, _ silentSince: Duration) -> Bool {
        switch clock {
        case .firstByte, .firstContent: lastContentAt.map { $0 > start } ?? false
        case .gap: lastAnswerAt.map { $0 > silentSince } ?? false
        }
    }

    private mutating func fail(at now: Duration) {
        failures += 1
        if failures >= settings.failures { open(at: now) }
    }

    private mutating func open(at now: Duration) {
        let length = opening.map { min($0 * 2, settings.longestOpening) } ?? settings.shortestOpening
        state = .open(until: now + length)
        opening = length
        changedAt = now
        (stalls, failures) = (0, 0)
    }

    private mutating func close(at now: Duration) {
        state = .closed
        opening = nil
        changedAt = now
        (stalls, failures) = (0, 0)
    }
}
