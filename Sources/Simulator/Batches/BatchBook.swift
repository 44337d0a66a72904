internal import JSON
internal import Synchronization

/// The batches of all providers, and the files that OpenAI's are made of.
///
/// Time alone moves a batch: every access first answers the lines that are due, and bills each of them once.
final class BatchBook: Sendable {
    /// Renders the answer to a line as the provider frames it.
    typealias Renderer = @Sendable (Reply, SimulatedCall) -> JSON

    struct File: Sendable {
        var id: String
        var name: String
        var purpose: String
        var bytes: [UInt8]
        /// Milliseconds since 1970.
        var createdAt: Int64
    }

    private struct State {
        var settings: BatchSettings
        var batches: [SimulatedBatch] = []
        var renderers: [String: Renderer] = [:]
        var files: [File] = []
        var made = 0
    }

    private let state: Mutex<State>
    private let books: CallMeter.Books
    private let accepted: AcceptedAnswers

    init(_ settings: BatchSettings, books: CallMeter.Books, accepted: AcceptedAnswers) {
        state = Mutex(State(settings: settings))
        self.books = books
        self.accepted = accepted
    }

    /// For batches made from now on.
    var settings: BatchSettings {
        get { state.withLock(\.settings) }
        set { state.withLock { $0.settings = newValue } }
    }

    func create(
        _ service: SimulatedService, prefix: String, details: JSON, lines: [SimulatedBatch.Line], sequence: Int,
        renderer: @escaping Renderer
    ) -> SimulatedBatch {
        let now = books.now()
        return state.withLock { state in
            state.made += 1
            var random = SeededRandom(seed: state.settings.seed &+ UInt64(state.made))
            var order = Array(lines.indices)
            order.shuffle(using: &random)
            var batch = SimulatedBatch(
                id: prefix + String(state.made), service: service, sequence: sequence, details: details, lines: lines,
                order: order, createdAt: now, duration: Int64(state.settings.seconds * 1_000), random: random)
            advance(&batch, to: now, state.settings, renderer)
            state.batches.append(batch)
            state.renderers[batch.id] = renderer
            return batch
        }
    }

    /// The batches of a service, newest first.
    func batches(of service: SimulatedService?) -> [SimulatedBatch] {
        withCurrent { state in state.batches.reversed().filter { service == nil || $0.service == service } }
    }

    func batch(_ id: String, of service: SimulatedService) -> SimulatedBatch? {
        withCurrent { state in state.batches.first { $0.id == id && $0.service == service } }
    }

    /// Answers no further line of a batch; nothing changes for one that has ended.
    func cancel(_ id: String, of service: SimulatedService) -> SimulatedBatch? {
        let now = books.now()
        return withCurrent { state in
            guard let place = state.batches.firstIndex(where: { $0.id == id && $0.service == service }) else {
                return nil
            }
            if state.batches[place].endedAt == nil, state.batches[place].cancelledAt == nil {
                state.batches[place].cancelledAt = now
            }
            return state.batches[place]
        }
    }

    func delete(_ id: String) { state.withLock { $0.batches.removeAll { $0.id == id } } }

    func store(_ bytes: [UInt8], name: String, purpose: String) -> File {
        let now = books.now()
        return state.withLock { state in
            state.made += 1
            let file = File(
                id: "file-sim-\(state.made)", name: name, purpose: purpose, bytes: bytes, createdAt: now)
            state.files.append(file)
            return file
        }
    }

    func file(_ id: String) -> File? { state.withLock { $0.files.first { $0.id == id } } }

    func clear() {
        state.withLock { state in
            state.batches = []
            state.renderers = [:]
            state.files = []
        }
    }

    // MARK: Time

    private func withCurrent<Result: Sendable>(_ body: (inout sending State) -> Result) -> Result {
        let now = books.now()
        return state.withLock { state in
            for place in state.batches.indices where state.batches[place].endedAt == nil {
                guard let renderer = state.renderers[state.batches[place].id] else { continue }
                advance(&state.batches[place], to: now, state.settings, renderer)
            }
            return body(&state)
        }
    }

    private func advance(
        _ batch: inout SimulatedBatch, to now: Int64, _ settings: BatchSettings, _ renderer: Renderer
    ) {
        let end = min(batch.cancelledAt ?? .max, batch.expiresAt)
        while batch.outcomes.count < batch.lines.count {
            let due = batch.answerTime(of: batch.outcomes.count)
            guard due <= now, due <= end else { break }
            let line = batch.lines[batch.order[batch.outcomes.count]]
            batch.outcomes.append(answer(line, in: &batch, at: due, settings, renderer))
            if batch.outcomes.count == batch.lines.count { batch.endedAt = due }
        }
        guard batch.endedAt == nil, now >= end else { return }
        let isCancelled = batch.cancelledAt != nil
        while batch.outcomes.count < batch.lines.count { batch.outcomes.append(isCancelled ? .canceled : .expired) }
        batch.endedAt = end
    }

    private func answer(
        _ line: SimulatedBatch.Line, in batch: inout SimulatedBatch, at time: Int64, _ settings: BatchSettings,
        _ renderer: Renderer
    ) -> SimulatedBatch.Outcome {
        let call: SimulatedCall
        switch line.call {
        case .success(let read): call = read
        case .failure(let refusal):
            let body = (try? JSON(parsing: refusal.answer.bytes)) ?? .null
            return .errored(status: refusal.answer.status, body)
        }
        let drawn = batch.random.fraction()
        if drawn < settings.expired { return .expired }
        if drawn < settings.expired + settings.errored { return .errored(status: 500, .null) }
        let reading = books.cache.reading(of: call.cacheable, at: time)
        var reply = ReplyComposer(call, accepted: accepted).reply(Reply.Usage(input: call.inputTokens, reading))
        reply.isBatch = true
        books.cache.begin(reading, at: time)
        books.bill.add(
            BillLine(
                sequence: batch.sequence, service: batch.service, model: call.model, user: call.user, batch: batch.id,
                line: line.id, state: .whole, tokens: reply.usage.billed))
        return .succeeded(renderer(reply, call))
    }
}
