internal import JobQueue
internal import Synchronization

/// The right to make one call, and the way back for what the call shows about its budget.
final class CallPermit: Sendable {
    let id: UInt64
    let need: CallNeed
    let mark: BudgetMark
    /// Uptime.
    let usableUntil: Duration
    let beganAt: Duration
    private let expectedRead: ExpectedRead?
    private let content: WrittenContent
    private let line: CallLine
    private let state = Mutex((reading: LimitReading(), charged: Int64(0), isCounted: false, isSettled: false))

    init(
        _ id: UInt64, _ need: CallNeed, reading expected: ExpectedRead? = nil, _ mark: BudgetMark, at now: Duration,
        usableUntil: Duration, _ content: WrittenContent, _ line: CallLine
    ) {
        (self.id, self.need, expectedRead, self.mark, self.line) = (id, need, expected, mark, line)
        self.content = content
        (beganAt, self.usableUntil) = (now, usableUntil)
        state.withLock { $0.charged = need.input }
    }

    /// Notes that the request is sent now: some time after the call was let in, since it is booked and written first.
    func sent(at now: Duration) { line.sent(after: now - beganAt) }

    /// Takes in the limits that the head of the answer tells, as soon as it is here.
    func told(_ reading: LimitReading) {
        state.withLock { $0.reading = reading }
        line.report([.head(reading, mark)])
    }

    /// Takes in the tokens that the provider counted in the prompt. Those read from its cache are free.
    func counted(_ usage: TokenUsage) {
        let difference = state.withLock { state in
            defer { (state.charged, state.isCounted) = (usage.uncached, true) }
            return usage.uncached - state.charged
        }
        learn(from: usage)
        if difference != 0 { line.report([.corrected(BudgetAmount(input: difference), mark)]) }
    }

    /// Takes in bytes of the answer's content, which its provider counts as they are written.
    func received(_ bytes: Int) { content.add(bytes) }

    private func learn(from usage: TokenUsage) {
        guard let expectedRead else { return }
        line.learn(of: expectedRead.model) { $0.learn(read: usage.cacheRead, of: expectedRead.tokens) }
    }

    /// Reports the end of the call. Further calls of it change nothing.
    func settle(_ end: End, at now: Duration) {
        let (reading, charged, isCounted, isFirst) = state.withLock { state in
            defer { state.isSettled = true }
            return (state.reading, state.charged, state.isCounted, !state.isSettled)
        }
        guard isFirst else { return }
        var reports: [BudgetReport] = []
        var output: Int64?
        let unused = BudgetAmount(requests: 1, input: charged, output: need.output)
        switch end {
        case .unused: reports = [.returned(unused, mark)]
        case .refused(let pause):
            if let expectedRead { line.learn(of: expectedRead.model) { $0.wasRefused() } }
            reports = [.refused(after: pause, reading), .returned(unused, mark)]
        case .answered(let usage):
            if !isCounted { learn(from: usage) }
            let difference = BudgetAmount(input: usage.uncached - charged, output: usage.output - need.output)
            if !difference.isZero { reports.append(.corrected(difference, mark)) }
            output = usage.output
        case .unknown: break
        }
        line.finish(self, output: output, reports, after: end.wasMade ? now - beganAt : nil)
    }

    enum End {
        /// No request was made.
        case unused
        case refused(after: Duration?)
        case answered(TokenUsage)
        /// The provider told nothing: the estimate of the prompt counts.
        case unknown

        /// Whether the provider has begun to answer.
        fileprivate var wasMade: Bool {
            switch self {
            case .unused, .refused: false
            case .answered, .unknown: true
            }
        }
    }
}

extension TokenUsage {
    /// The tokens of the prompt that count towards a limit of input: reads from the cache are free.
    var uncached: Int64 { prompt - cacheRead }
}
