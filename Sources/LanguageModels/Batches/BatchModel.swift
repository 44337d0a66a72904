internal import Basics
internal import HTTP
internal import JSON

/// A model that a provider serves by batch too, at half the price.
protocol BatchModel: Sendable {
    static func verdict(on answer: ErrorResponse) -> ErrorVerdict

    /// The requests are those of a model with the prices of batches.
    init(_ call: ProviderCall)

    var call: ProviderCall { get }
    var headers: HTTPHeaders { get }
    /// The most bytes of the requests of a batch.
    var largestBatch: Int { get }

    /// A request as a line of a batch.
    ///
    /// - Throws: `unsupportedSchema`, `invalidRequest`, when the model cannot take the request at all.
    func line(_ request: ModelRequest, customID: String) throws(ModelError) -> JSON

    /// Creates a batch of lines.
    ///
    /// - Parameters:
    ///   - lines: The lines that `line` made.
    ///   - name: A name for the provider's list.
    ///   - limit: The time for all requests together.
    /// - Returns: The provider's id.
    /// - Throws: After most errors the batch may have been created all the same.
    func create(_ lines: [JSON], name: String, within limit: Duration) async throws(ModelError) -> String

    /// The id of the batch in the provider's list that fits.
    func find(_ sought: SoughtBatch) async throws(ModelError) -> String?

    func status(of id: String) async throws(ModelError) -> BatchStatus

    /// Reads the results of a batch that has ended, in any order.
    func results(
        of id: String, onResult: (BatchResult) async throws(ModelError) -> Void
    ) async throws(ModelError)

    /// Reads an answer in the provider's format; `nil` for one without its end.
    func parse(_ answer: JSON) -> RawAnswer?
}

extension BatchModel {
    init(
        _ description: ModelDescription, at endpoint: ProviderEndpoint, over transport: any HTTPTransport,
        clock: TimeSource = .system
    ) {
        self.init(
            ProviderCall(
                model: description.batched, endpoint: endpoint, transport: transport, clock: clock,
                verdict: Self.verdict))
    }

    /// With the prices of batches.
    var description: ModelDescription { call.model }

    /// Reads an answer as it came, and checks it.
    ///
    /// - Throws: For refusals, truncations and answers that do not fit the request, with the answer and its cost.
    func read(_ answer: JSON, to request: ModelRequest) throws(ModelError) -> ModelResponse {
        var account = try CallAccount(call, request)
        guard let answer = parse(answer) else { throw call.failure(.malformedAnswer("an answer without its end")) }
        return try account.finish(answer)
    }

    /// Sends a request and reads the JSON object of its answer.
    func exchange(
        _ method: HTTPMethod, _ url: String, body: [UInt8] = [], type: String = "application/json",
        within limit: Duration = BatchLimits.reading
    ) async throws(ModelError) -> JSON {
        var headers = headers
        headers["content-type"] = type
        let response = try await call.exchange(method, url, headers: headers, body: body, within: limit)
        guard let value = try? JSON(parsing: response.body), value.object != nil else {
            throw call.failure(.malformedAnswer("no JSON about a batch"))
        }
        return value
    }
}

extension ModelCatalogue {
    /// The models with batches that the configuration makes usable, by their ids.
    func batchModels(
        _ configuration: ModelsConfiguration, transport: any HTTPTransport, clock: TimeSource
    ) -> [String: any BatchModel] {
        var models: [String: any BatchModel] = [:]
        for (id, var model) in self.models where model.hasBatches {
            guard let endpoint = configuration.endpoint(of: model.provider) else { continue }
            model.isSimulated = endpoint.isSimulated
            let type: any BatchModel.Type =
                switch model.provider {
                case .claude: ClaudeBatches.self
                case .gemini: GeminiBatches.self
                case .openai: OpenAIBatches.self
                }
            models[id] = type.init(model, at: endpoint, over: transport, clock: clock)
        }
        return models
    }
}

/// The state of a batch by its provider.
enum BatchStatus: Hashable, Sendable {
    case pending, ended
}

/// A batch whose creation gave no answer.
struct SoughtBatch: Hashable, Sendable {
    /// The provider creates it with this name, where it keeps names.
    var name: String
    /// The number of its lines.
    var lines: Int
    /// The time in milliseconds since 1970 from which on it may have been created.
    var since: Int64
    /// The provider's ids of other batches.
    var known: Set<String>
}

/// The result of one line.
struct BatchResult: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        /// The answer as it came.
        case answered(JSON)
        /// There is none, and another try may have one.
        case again
        /// The provider will never answer the line.
        case failed
    }

    var customID: String
    var outcome: Outcome
}

extension ModelDescription {
    /// The model with the prices of batches.
    var batched: ModelDescription {
        var model = self
        model.prices = prices?.halved
        return model
    }
}

extension ModelRequest {
    /// The request as a batch asks it: an answer may take an hour, and so the cache has to last. The last marks are sent,
    /// as many as a provider takes.
    var batched: ModelRequest {
        var request = self
        var free = CachePlan.mostMarks
        for message in request.messages.indices.reversed() {
            for part in request.messages[message].parts.indices.reversed() {
                guard case .cacheMark(var mark) = request.messages[message].parts[part] else { continue }
                mark.lifetime = free > 0 ? .oneHour : nil
                request.messages[message].parts[part] = .cacheMark(mark)
                free -= 1
            }
        }
        return request
    }
}

/// The time limits of requests about batches.
enum BatchLimits {
    static let reading: Duration = .seconds(30)
    static let results: Duration = .seconds(600)
    /// The pages of a provider's list that are read.
    static let pages = 10
}
