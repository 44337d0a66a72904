/// What is known of one prefix in a provider's cache: a pure value that takes uptimes.
///
///     cold ──a call begins──▶ writing ──its first content──▶ warm ──life less 30 s, or missed twice──▶ cold
///                                └──the call fails────────▶ cold
struct PrefixState: Hashable, Sendable {
    /// The part of the provider's life that is not relied on.
    static let margin: Duration = .seconds(30)
    /// The time for which other calls wait for the first content of the one that writes.
    static let longestWait: Duration = .seconds(3)
    /// Reads in a row that the provider did not make, after which a prefix counts as cold.
    static let misses = 2

    private enum Phase: Hashable {
        case cold
        case writing(by: UInt64, since: Duration)
        case warm(until: Duration)
        /// The provider did not keep what was marked.
        case unkept(until: Duration)
    }

    /// The further life that is worth telling other processes of.
    static let newsworthy: Duration = .seconds(60)

    private var phase = Phase.cold
    private var missed = 0
    /// The end of its warmth, as far as other processes know.
    private var told: Duration = .zero

    func isWarm(at now: Duration) -> Bool {
        if case .warm(let until) = phase { until > now } else { false }
    }

    /// The end of the time for which it counts as warm; `nil` unless it is.
    var warmUntil: Duration? { if case .warm(let until) = phase { until } else { nil } }

    /// Whether another call writes the prefix, whose first content is worth waiting for.
    func isWritten(byOtherThan call: UInt64, at now: Duration) -> Bool {
        guard case .writing(let writer, let since) = phase else { return false }
        return writer != call && now - since < Self.longestWait
    }

    /// Whether the state says anything that a later call needs.
    func isStale(at now: Duration) -> Bool {
        switch phase {
        case .cold: missed == 0
        case .writing: false
        case .warm(let until), .unkept(let until): until <= now
        }
    }

    /// A call that writes the prefix begins; where another one does or did, nothing changes.
    mutating func begin(_ call: UInt64, at now: Duration) {
        switch phase {
        case .warm(let until) where until > now: break
        case .unkept(let until) where until > now: break
        case .writing(_, let since) where now - since < Self.longestWait: break
        default: phase = .writing(by: call, since: now)
        }
    }

    /// The first content of a call that wrote or read the prefix.
    mutating func receivedContent(life: Duration, startedAt start: Duration, at now: Duration) {
        if case .unkept(let until) = phase, until > now { return }
        let until = start + life - Self.margin
        if case .warm(let before) = phase, before > until { return }
        phase = .warm(until: until)
    }

    /// The rest of its warmth, where other processes do not know of most of it.
    mutating func takeNews(at now: Duration) -> Duration? {
        guard case .warm(let until) = phase, until - max(told, now) >= Self.newsworthy else { return nil }
        told = until
        return until - now
    }

    /// Another process knows that the provider has the prefix.
    mutating func adopt(warmUntil until: Duration) {
        switch phase {
        case .cold, .writing: phase = .warm(until: until)
        case .warm(let before): phase = .warm(until: max(before, until))
        case .unkept: return
        }
        told = max(told, until)
    }

    /// The call ended without any content.
    mutating func gaveUp(_ call: UInt64) {
        if case .writing(let writer, _) = phase, writer == call { phase = .cold }
    }

    /// The prefix was to be read, and the provider has told whether it was.
    ///
    /// - Returns: Whether it counts as cold from now on.
    mutating func wasRead(_ isRead: Bool) -> Bool {
        missed = isRead ? 0 : missed + 1
        guard missed >= Self.misses else { return false }
        (phase, missed) = (.cold, 0)
        return true
    }

    /// The provider neither wrote nor read the prefix.
    mutating func wasNotKept(until: Duration) { phase = .unkept(until: until) }
}
