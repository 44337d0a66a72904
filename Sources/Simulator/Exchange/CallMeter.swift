internal import Synchronization

/// Counts one call while it is answered: for the limits, the cache, the bill and the record of requests.
final class CallMeter: Sendable {
    /// What all calls are counted in.
    struct Books: Sendable {
        let log: CallLog
        let bill: Bill
        let limits: LimitBook
        let cache: PromptCache
        /// Milliseconds since 1970.
        let now: @Sendable () -> Int64
    }

    private let books: Books
    private let sequence: Int
    private let ticket: LimitBook.Ticket?
    private let reading: PromptCache.Reading
    /// Output of the whole answer.
    private let output: Int
    private let written = Mutex((tokens: 0, hasEnded: false))

    /// Bills the prompt.
    init(
        _ call: SimulatedCall, service: SimulatedService, usage: Reply.Usage, output: Int, sequence: Int,
        ticket: LimitBook.Ticket?, reading: PromptCache.Reading, books: Books
    ) {
        self.books = books
        self.sequence = sequence
        self.ticket = ticket
        self.reading = reading
        self.output = output
        var tokens = usage.billed
        tokens.output = 0
        books.bill.open(
            BillLine(
                sequence: sequence, service: service, model: call.model, user: call.user, state: .underWay,
                tokens: tokens))
        books.log.update(sequence) { $0.billed = RecordedCall.Billed(tokens: tokens) }
    }

    /// The first byte goes out: the prompt's prefixes can be read by other calls.
    func begin() { books.cache.begin(reading, at: books.now()) }

    /// Generated tokens go out.
    func wrote(_ tokens: Int) {
        written.withLock { $0.tokens += tokens }
        count(tokens)
    }

    /// The answer is over: whole with all of its output, or broken off with the tokens written so far. Only the first
    /// call counts.
    func end(isWhole: Bool) {
        let missing = written.withLock { written -> Int? in
            defer { written.hasEnded = true }
            return written.hasEnded ? nil : output - written.tokens
        }
        guard let missing else { return }
        if isWhole { count(missing) }
        books.bill.change(sequence) { $0.state = isWhole ? .whole : .brokenOff }
    }

    private func count(_ tokens: Int) {
        guard tokens != 0 else { return }
        if let ticket { books.limits.wrote(tokens, by: ticket) }
        books.bill.change(sequence) { $0.tokens.output += tokens }
        books.log.update(sequence) { $0.billed?.tokens.output += tokens }
    }
}
