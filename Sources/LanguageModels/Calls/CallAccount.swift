internal import Basics
internal import HTTP
internal import JSON

/// The account of one call, which may take several requests: texts, usage, exact cost and times.
struct CallAccount {
    private let call: ProviderCall
    private let request: ModelRequest
    /// Reads the JSON of the answer; `nil` for a text.
    private let reader: AnswerReader?
    private let start: Duration
    private var firstText: Duration?
    private var usage: TokenUsage?
    private var picodollars: Int128 = 0
    private var earlier: [RawAnswer] = []
    var requestID: String?

    /// Starts the account of a call.
    ///
    /// - Throws: `ModelError` when the answer's schema is not valid.
    init(_ call: ProviderCall, _ request: ModelRequest) throws(ModelError) {
        if case .json(_, let schema) = request.output {
            do {
                reader = try call.readers.reader(for: call.model.provider, schema)
            } catch {
                throw call.failure(.unsupportedSchema(error))
            }
        } else {
            reader = nil
        }
        self.call = call
        self.request = request
        start = call.clock.uptime()
    }

    mutating func noteText() {
        if firstText == nil { firstText = call.clock.uptime() - start }
    }

    /// Adds the usage of a request, at the price for its size.
    mutating func charge(_ used: TokenUsage?) {
        guard let used else { return }
        usage = usage.map { $0 + used } ?? used
        picodollars += call.model.prices?.picodollars(of: used, on: call.clock.today) ?? 0
    }

    /// Keeps a paused answer, which the next request continues.
    mutating func pause(_ answer: RawAnswer) {
        charge(answer.usage)
        earlier.append(answer)
    }

    /// The use of the call so far, its earlier requests included.
    func use(at progress: CallProgress) -> CallProgress {
        guard let usage else { return progress }
        var use = progress
        use.usage = progress.usage.map { usage + $0 } ?? usage
        return use
    }

    /// Adds the usage up to an error that ended the call to that error.
    ///
    /// - Parameters:
    ///   - error: The error; one of a complete answer has its usage already.
    ///   - progress: The use of the last request, unless it is charged already.
    /// - Returns: The error with the usage and its cost.
    mutating func account(_ error: ModelError, at progress: CallProgress = CallProgress()) -> ModelError {
        guard error.usage == nil else { return error }
        charge(progress.usage)
        var error = error
        error.untoldOutputBytes = progress.isOutputTold ? 0 : progress.outputBytes
        guard let usage else { return error }
        error.usage = usage
        error.cost = MicroDollars(roundingPicodollars: picodollars)
        return error
    }

    /// Checks the last answer.
    ///
    /// - Throws: For refusals, truncations and answers that do not fit the request, with the answer and its cost.
    mutating func finish(_ last: RawAnswer) throws(ModelError) -> ModelResponse {
        let answers = earlier + [last]
        let written = answers.map(\.text).joined()
        var calls = answers.flatMap(\.toolCalls)
        charge(last.usage ?? (earlier.isEmpty ? estimate(written, calls) : nil))
        // The whole text at once: a run of marks may come in parts. The provider's own content stays as it is, since it
        // may be sent back.
        let text = written.sanitized
        for index in calls.indices { calls[index].input = calls[index].input.mapStrings(\.sanitized) }
        var response = ModelResponse(
            provider: call.model.provider, requestedModel: call.model.id, model: last.model ?? call.model.wireName,
            id: last.id, requestID: requestID, text: text, toolCalls: calls, stopReason: .endOfTurn,
            usage: usage ?? TokenUsage(), cost: MicroDollars(roundingPicodollars: picodollars),
            timings: .init(firstText: firstText, total: call.clock.uptime() - start),
            original: ProviderContent(provider: call.model.provider, content: Self.join(answers.map(\.content))))
        switch last.stop {
        case .finished(let reason): response.stopReason = calls.isEmpty ? reason : .toolCalls
        case .refused(let category): throw failure(.refused(category: category.map(ProviderText.token)), response)
        case .truncated(let limit): throw failure(.truncated(limit), response)
        case .unusable(let reason): throw failure(.unusable(reason: ProviderText.token(reason)), response)
        case .invalidRequest: throw failure(.invalidRequest, response)
        case .paused: throw failure(.unusable(reason: "too_many_pauses"), response)
        }
        guard calls.isEmpty else { return response }
        guard !text.isEmpty else { throw failure(.unusable(reason: "empty"), response) }
        guard let reader else { return response }
        do {
            response.json = try reader.read(text)
        } catch {
            throw failure(error.kind, response)
        }
        return response
    }

    private func failure(_ kind: ModelError.Kind, _ response: ModelResponse) -> ModelError {
        var error = call.failure(kind)
        error.requestID = requestID
        error.usage = response.usage
        error.cost = response.cost
        error.answer = response
        return error
    }

    /// A high estimate for servers that report no usage: three bytes a token.
    private func estimate(_ text: String, _ calls: [ToolCall]) -> TokenUsage {
        let written = text.utf8.count + calls.reduce(0) { $0 + $1.input.utf8.count }
        return TokenUsage(
            input: TokenEstimate.prompt(of: request), output: Int64(written / 3 + 1), isEstimated: true)
    }

    private static func join(_ contents: [JSON]) -> JSON {
        contents.count == 1 ? contents[0] : .array(contents.flatMap { $0.array ?? [$0] })
    }
}

/// A provider's answer in a common form, before any check.
struct RawAnswer {
    enum Stop: Hashable {
        case finished(StopReason)
        case refused(category: String?)
        case truncated(ModelError.Truncation)
        case unusable(String)
        case invalidRequest(String)
        /// The answer continues when the request is sent again with the text received (Claude) or a token (Gemini).
        case paused(token: String?)
    }

    var id: String?
    var model: String?
    var text = ""
    var toolCalls: [ToolCall] = []
    var stop: Stop
    /// `nil` when the provider reported none.
    var usage: TokenUsage?
    /// The assistant's turn in the provider's format, an array if turns can be joined.
    var content: JSON
}
