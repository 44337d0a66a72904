/// Stops asking a provider that keeps failing, and lets one call at a time find out whether it is back.
///
///     closed ──N failures in a row──▶ open ──cool-down over──▶ one probe ──alive──▶ closed
///                                      ▲                           │
///                                      └──────────failed───────────┘
struct CircuitBreaker {
    struct Settings: Sendable {
        /// Transient failures in a row that open it.
        var failures = 5
        var coolDown: Duration = .seconds(30)
    }

    enum Admission: Equatable {
        case go(isProbe: Bool)
        /// Ask again after this pause.
        case rest(Duration)
    }

    /// What a call said about its provider.
    enum Finding {
        /// It answered, if only to refuse.
        case alive
        case failed
        /// The call ended before it could tell.
        case nothing
    }

    private enum State {
        case closed(failures: Int)
        case open(until: Duration)
        case probing
    }

    private let settings: Settings
    private var state: State = .closed(failures: 0)
    /// How long others are told to wait while a probe is under way.
    private static let probePause: Duration = .seconds(1)

    init(_ settings: Settings) { self.settings = settings }

    /// How long a call would have to wait now; `nil` when it may go.
    func rest(at now: Duration) -> Duration? {
        switch state {
        case .closed: nil
        case .open(let until): until > now ? until - now : nil
        case .probing: Self.probePause
        }
    }

    /// Lets a call go or not; whoever gets a probe must report what it found.
    mutating func admit(at now: Duration) -> Admission {
        if let pause = rest(at: now) { return .rest(pause) }
        guard case .open = state else { return .go(isProbe: false) }
        state = .probing
        return .go(isProbe: true)
    }

    mutating func report(_ finding: Finding, isProbe: Bool, at now: Duration) {
        switch (state, finding) {
        case (.probing, .alive) where isProbe: state = .closed(failures: 0)
        case (.probing, .failed) where isProbe: state = .open(until: now + settings.coolDown)
        // Nothing learnt: the next call may probe at once.
        case (.probing, .nothing) where isProbe: state = .open(until: now)
        case (.closed, .alive): state = .closed(failures: 0)
        case (.closed(let failures), .failed):
            state =
                failures + 1 >= settings.failures
                ? .open(until: now + settings.coolDown) : .closed(failures: failures + 1)
        // Calls from before it opened come home late; they change nothing.
        default: break
        }
    }
}
