internal import Basics
internal import HTTP
internal import JobQueue
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
        /// The content of the last ten to twenty seconds: the bytes of the current period, and those of the one before.
        private var periodStart: Duration = .zero
        private var periodBytes = 0
        private var earlierBytes = 0
        private var earlierLength: Duration = .zero

        init(startedAt start: Duration) { startedAt = start }

        /// The length of a period.
        private static let period: Duration = .seconds(10)

        /// The recent pace of the answer in bytes of content per second, up to the latest content: a silence since then
        /// is the business of another clock. `nil` while the content covers less time than `shortest`.
        func pace(over shortest: Duration) -> Double? {
            guard let lastContentAt else { return nil }
            let length = earlierLength + (lastContentAt - periodStart)
            guard length > .zero, length >= shortest else { return nil }
            return Double(earlierBytes + periodBytes) / length.inSeconds
        }

        /// The pace of the whole answer; `nil` while it is too short.
        var wholePace: Double? {
            guard let firstContentAt, let lastContentAt, lastContentAt > firstContentAt else { return nil }
            return Double(contentBytes) / (lastContentAt - firstContentAt).inSeconds
        }

        mutating func receive(_ bytes: Int, at now: Duration) {
            contentBytes += bytes
            if firstContentAt == nil {
                periodStart = now
            } else if now - periodStart >= Self.period {
                (earlierBytes, earlierLength) = (periodBytes, now - periodStart)
                (periodBytes, periodStart) = (0, now)
            }
            periodBytes += bytes
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
    private let known = Mutex(CallProgress())
    /// A connection of its own, since the one before may be the reason of a silence.
    let needsNewConnection: Bool
    private let time: TimeSource
    /// Learns what the head and the first event tell about the budget.
    private let permit: CallPermit?
    private let isCounted = Mutex(false)
    private let onCounted: @Sendable (_ prompt: Int64) -> Void
    private let onFirstContent: @Sendable (_ now: Duration) -> Void

    /// Starts the clocks of a call.
    ///
    /// - Parameters:
    ///   - time: The clock of the process.
    ///   - needsNewConnection: The model was silent in the call before.
    ///   - permit: The permit of the call; `nil` without a budget.
    ///   - onFirstContent: Is called once, with the time of the content.
    ///   - onCounted: Is called once, with the tokens that the provider counted in the prompt.
    init(
        _ time: TimeSource, needsNewConnection: Bool = false, permit: CallPermit? = nil,
        onFirstContent: @escaping @Sendable (_ now: Duration) -> Void,
        onCounted: @escaping @Sendable (_ prompt: Int64) -> Void = { _ in }
    ) {
        self.time = time
        self.permit = permit
        self.needsNewConnection = needsNewConnection
        self.onCounted = onCounted
        self.onFirstContent = onFirstContent
        state = Mutex(Snapshot(startedAt: time.uptime()))
    }

    var snapshot: Snapshot { state.withLock(\.self) }

    /// The use of the call as far as it is known, for the books.
    var use: CallProgress { known.withLock(\.self) }

    func told(_ use: CallProgress) { known.withLock { $0 = use } }

    /// Notes that the request is handed to its connection.
    func sent() { permit?.sent(at: time.uptime()) }

    /// Notes the head of a response, or any event.
    func receivedHead() {
        let now = time.uptime()
        state.withLock { if $0.headAt == nil { $0.headAt = now } }
    }

    /// Notes the head of a response with what it tells about the provider's limits.
    func receivedHead(_ response: HTTPStreamingResponse) {
        receivedHead()
        guard let permit else { return }
        let reading = RateLimitHeaders.read(response.headers, wallMilliseconds: time.wallMilliseconds())
        // An error's head without limits does not say that there are none.
        if !reading.lines.isEmpty || response.isSuccess { permit.told(reading) }
    }

    /// Notes the tokens that the provider counted in the prompt.
    func counted(_ usage: TokenUsage?) {
        guard let usage else { return }
        permit?.counted(usage)
        let isFirst = isCounted.withLock { isCounted in
            defer { isCounted = true }
            return !isCounted
        }
        if isFirst { onCounted(usage.prompt) }
    }

    /// Whether the provider has told the tokens of the prompt before the end of the answer.
    var hasCounted: Bool { isCounted.withLock(\.self) }

    /// Notes bytes of content that an event brought; an event without content changes nothing.
    func received(_ bytes: Int) {
        let now = time.uptime()
        guard bytes > 0 else { return }
        permit?.received(bytes)
        let isFirst = state.withLock { state in
            defer { state.receive(bytes, at: now) }
            return state.firstContentAt == nil
        }
        if isFirst { onFirstContent(now) }
    }
}
