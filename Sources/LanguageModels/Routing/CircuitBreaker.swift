internal import JobQueue

/// Stops calls to one model that keeps stalling or failing, and lets one call at a time find out whether it is back.
///
///     closed ──two stalls, five failures or three endless answers in a row──▶ open ──time over──▶ probing ──good probe──▶ closed
///                                                         ▲                     │
///                                                         └────stall, failure───┘
///
/// The end of the answer to a probe's own request is good, and so is the first content of a job's own call. After
/// silences or drips in the midst of answers only the end of an answer is: the first content of such a model says
/// nothing.
///
/// A stall is one of a row only if no call fared better while it lasted: among many calls at once, single calls that are
/// never answered say nothing about the others.
struct CircuitBreaker: Sendable {
    struct Settings: Sendable {
        /// The number of stalls in a row that open the breaker.
        var stalls = 2
        /// The number of failures in a row that open the breaker.
        var failures = 5
        /// The number of answers in a row without an end that open the breaker.
        var endless = 3
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
        /// Its answer came as it should, and had no end in the time of its caller.
        case endless
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
    /// The stalls in a row, up to the last answer.
    private(set) var stalls = 0
    private var failures = 0
    /// The answers in a row without an end, up to the last one that had one.
    private var endless = 0
    /// What was in a row when it opened.
    private var rowAtOpening = 0
    /// The last opening came from silences or drips in the midst of answers.
    private var stoppedMidway = false
    /// The probes of other processes that this one has waited for since the last change.
    private var foreignProbes = 0
    /// The latest time at which a call got its first content.
    private var lastContentAt: Duration?
    private var lastAnswerAt: Duration?
    /// The time after which a probe without a result is given up; the next call may probe then.
    private static let longestProbe: Duration = SharedOpening.probeLifetime
    /// The time that a report to the other processes takes at most, as a rule.
    private static let reportTime: Duration = .seconds(1)
    /// The pauses for other calls during a probe, which grow with its length.
    private static let probePauses: ClosedRange<Duration> = .seconds(3) ... .seconds(10)
    /// The time after its end for which an opening says that the model is probably still away.
    private static let freshness: Duration = .seconds(30)

    init(_ settings: Settings = Settings()) { self.settings = settings }

    /// The failures, stalls or endless answers in a row; while it is open, those that opened it.
    var inARow: Int { max(failures, stalls, endless, rowAtOpening) }

    /// The kind of call that may be made now; changes nothing.
    func admission(at now: Duration) -> Admission {
        switch state {
        case .closed: .call
        case .open(let until): until > now ? .rest(until - now) : .probe
        case .probing(let until): until > now ? .rest(Self.pause(after: now - (until - Self.longestProbe))) : .probe
        }
    }

    private static func pause(after waited: Duration) -> Duration {
        min(max(waited, probePauses.lowerBound), probePauses.upperBound)
    }

    /// Whether an opening ended so long ago that it says nothing about the model any more.
    func isStale(at now: Duration) -> Bool {
        switch state {
        case .closed: true
        case .open(let until), .probing(let until): now - until >= Self.freshness
        }
    }

    /// Begins a probe, whose result must be reported.
    mutating func beginProbe(at now: Duration) {
        state = .probing(until: now + Self.longestProbe)
        changedAt = now
    }

    /// Lets another call probe after a pause, since another process is probing. The pause grows from time to time.
    mutating func postponeProbe(at now: Duration) {
        guard case .probing = state else { return }
        foreignProbes += 1
        state = .open(until: now + Self.pause(after: Self.probePauses.lowerBound * foreignProbes))
    }

    /// Takes in the first content of a call.
    mutating func receivedContent(isProbe: Bool, at now: Duration) {
        lastContentAt = now
        if isProbe, !stoppedMidway, case .probing = state { close(at: now) }
    }

    /// Takes in the result of a call. `wasOverdue` tells of an answer to a call that was reported as silent before.
    mutating func report(
        _ finding: Finding, ofCallFrom start: Duration, silentSince: Duration? = nil, isProbe: Bool = false,
        wasOverdue: Bool = false, at now: Duration
    ) {
        if finding == .alive {
            lastContentAt = now
            lastAnswerAt = now
            endless = 0
        }
        switch (state, finding) {
        case (.probing, .alive) where isProbe: close(at: now)
        // The call whose silence helped to open it has been answered after all.
        case (.open, .alive) where wasOverdue, (.probing, .alive) where wasOverdue: close(at: now)
        case (.probing, .failed) where isProbe, (.probing, .unreachable) where isProbe: open(at: now)
        case (.probing, .stalled(let clock)) where isProbe: open(at: now, clock)
        case (.probing, .endless) where isProbe: open(at: now, .pace)
        // The probe was inconclusive: the next call may probe immediately.
        case (.probing, .nothing) where isProbe:
            state = .open(until: now)
            changedAt = now
        case (.closed, .alive):
            (stalls, failures) = (0, 0)
            opening = nil
        case (.closed, .failed), (.closed, .unreachable): fail(at: now)
        case (.closed, .stalled(let clock)):
            guard !isIsolated(clock, start, silentSince ?? start) else { return }
            stalls += 1
            if stalls >= settings.stalls { open(at: now, clock) } else { fail(at: now) }
        case (.closed, .endless):
            guard !isIsolated(.pace, start, silentSince ?? start) else { return }
            endless += 1
            if endless >= settings.endless { open(at: now, .pace) }
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
    func isIsolated(_ clock: CallClock, _ start: Duration, _ silentSince: Duration) -> Bool {
        switch clock {
        case .firstByte, .firstContent: lastContentAt.map { $0 > start } ?? false
        case .gap, .pace: lastAnswerAt.map { $0 > silentSince } ?? false
        }
    }

    private mutating func fail(at now: Duration) {
        failures += 1
        if failures >= settings.failures { open(at: now) }
    }

    private mutating func open(at now: Duration, _ clock: CallClock? = nil) {
        let length = opening.map { min($0 * 2, settings.longestOpening) } ?? settings.shortestOpening
        state = .open(until: now + length)
        opening = length
        changedAt = now
        if let clock { stoppedMidway = clock == .gap || clock == .pace }
        rowAtOpening = max(stalls, failures, endless, rowAtOpening)
        (stalls, failures, endless, foreignProbes) = (0, 0, 0, 0)
    }

    private mutating func close(at now: Duration) {
        state = .closed
        // A short answer says little about long ones: the next opening is longer unless another answer ends before.
        if !stoppedMidway { opening = nil }
        changedAt = now
        (stalls, failures, endless, foreignProbes, rowAtOpening) = (0, 0, 0, 0, 0)
    }
}
