internal import Basics
internal import Synchronization

/// What has arrived of one call's answer, and when: its adapter reports it, the stall watch reads it.
final class CallActivity: Sendable {
    struct Snapshot: Hashable, Sendable {
        /// Uptimes.
        var startedAt: Duration
        var headAt: Duration?
        var firstContentAt: Duration?
        var lastContentAt: Duration?
        var longestGap: Duration = .zero
        /// Bytes of text, thinking and input of tool calls in the answer so far.
        var contentBytes = 0
        /// Bytes of recent content in excess of the slowest pace, at `lastContentAt`.
        private var excess: Double = 0

        init(startedAt start: Duration) { startedAt = start }

        /// The pace below which an answer drips, in bytes of content per second.
        private static let slowestPace = 8.0
        /// The time for which content that came fast makes up for a drip.
        private static let longestExcess = 30.0 * slowestPace

        /// Whether content has lately arrived faster than a drip.
        func isLively(at now: Duration) -> Bool { excess(at: now) > 0 }

        private func excess(at now: Duration) -> Double {
            guard let lastContentAt else { return 0 }
            return max(0, excess - (now - lastContentAt) / .seconds(1) * Self.slowestPace)
        }

        fileprivate mutating func receive(_ bytes: Int, at now: Duration) {
            contentBytes += bytes
            excess = min(Self.longestExcess, excess(at: now) + Double(bytes))
            headAt = headAt ?? now
            if let last = lastContentAt { longestGap = max(longestGap, now - last) }
            firstContentAt = firstContentAt ?? now
            lastContentAt = now
        }

        /// The clock that runs, and the uptime since which it runs.
        var clock: (clock: CallClock, since: Duration) {
            if let lastContentAt { return (.gap, lastContentAt) }
            return (headAt == nil ? .firstByte : .firstContent, startedAt)
        }
    }

    private let state: Mutex<Snapshot>
    /// A connection of its own, since the one before may be the reason of a silence.
    let needsNewConnection: Bool
    private let time: TimeSource
    private let onFirstContent: @Sendable (_ now: Duration) -> Void

    /// Starts the clocks of a call.
    ///
    /// - Parameters:
    ///   - time: The clock of the process.
    ///   - needsNewConnection: The model was silent in the call before.
    ///   - onFirstContent: Is called once, with the time of the content.
    init(
        _ time: TimeSource, needsNewConnection: Bool = false,
        onFirstContent: @escaping @Sendable (_ now: Duration) -> Void
    ) {
        self.time = time
        self.needsNewConnection = needsNewConnection
        self.onFirstContent = onFirstContent
        state = Mutex(Snapshot(startedAt: time.uptime()))
    }

    var snapshot: Snapshot { state.withLock(\.self) }

    /// Notes the head of a response, or any event.
    func receivedHead() {
        let now = time.uptime()
        state.withLock { if $0.headAt == nil { $0.headAt = now } }
    }

    /// Notes bytes of content that an event brought; an event without content changes nothing.
    func received(_ bytes: Int) {
        let now = time.uptime()
        guard bytes > 0 else { return }
        let isFirst = state.withLock { state in
            defer { state.receive(bytes, at: now) }
            return state.firstContentAt == nil
        }
        if isFirst { onFirstContent(now) }
    }
}
