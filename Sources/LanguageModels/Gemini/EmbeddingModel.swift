package import HTTP
internal import JSON
internal import Basics

/// The model that makes vectors of texts, behind Google's Gemini API (`batchEmbedContents`).
package struct EmbeddingModel: Sendable {
    /// Vectors in the order of the texts, and what they cost.
    package struct Answer: Sendable, Hashable {
        /// Not of unit length.
        package var vectors: [[Float]]
        /// The provider does not count them, so this is an estimate on the high side.
        package var tokens: Int64
        package var cost: MicroDollars
    }

    /// How many texts one call takes.
    package static let textsAtOnce = 100
    /// Parts of a vector; the models can make shorter vectors that hold most of what longer ones do.
    static let dimensions = 256

    package let description: ModelDescription
    private let call: ProviderCall
    private let spendCap: SpendCap?

    /// The embedding model of the catalogue; `nil` when it names none, or its provider has neither key nor address.
    ///
    /// - Parameters:
    ///   - catalogue: Names the model.
    ///   - configuration: The provider's key and address.
    ///   - transport: Carries the calls.
    ///   - clock: Says what day it is, for the price.
    ///   - limit: How long a call may take.
    ///   - spendCap: Bounds what calls for a user cost in a day.
    package init?(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, over transport: any HTTPTransport,
        clock: ModelClock = .system, limit: Duration = .seconds(60), spendCap: SpendCap? = nil
    ) {
        guard let model = catalogue.embedding, var endpoint = configuration.endpoint(of: model.provider) else {
            return nil
        }
        endpoint.timeout = min(endpoint.timeout, limit)
        description = model
        self.spendCap = spendCap
        call = ProviderCall(
            model: model, endpoint: endpoint, transport: transport, clock: clock, verdict: GeminiErrors.verdict)
    }

    /// The vectors of at most `textsAtOnce` texts, made for a user or for nobody in particular.
    ///
    /// - Throws: `spendCapReached` where the user's calls may cost no more today; else what went wrong with the call.
    package func vectors(of texts: [EmbeddingText], for user: Int64? = nil) async throws(ModelError) -> Answer {
        let tokens = Int64(texts.reduce(0) { $0 + $1.beginning.utf8.count / 3 + 1 })
        let usage = TokenUsage(input: tokens, output: 0)
        let cost = description.prices?.cost(of: usage, on: call.clock.today) ?? .zero
        if let spendCap, let user { try await spendCap.reserve(cost, for: user) }
        defer { if let spendCap, let user { spendCap.release(cost, for: user) } }
        return Answer(vectors: try await ask(texts), tokens: tokens, cost: cost)
    }

    private func ask(_ texts: [EmbeddingText]) async throws(ModelError) -> [[Float]] {
        let name = "models/\(description.wireName)"
        let requests = texts.map { text -> JSON in
            [
                "model": JSON(name), "content": ["parts": [["text": JSON(text.beginning)]]],
                "taskType": JSON(text.purpose.rawValue), "outputDimensionality": JSON(Self.dimensions),
            ]
        }
        var headers: HTTPHeaders = [:]
        headers["x-goog-api-key"] = call.endpoint.key?.reveal()
        let url = "\(call.endpoint.versioned("v1beta"))/\(name):batchEmbedContents"
        let (_, answer) = try await call.send(url, headers: headers, body: ["requests": .array(requests)])
        let vectors = (answer["embeddings"]?.array ?? []).map { embedding in
            (embedding["values"]?.array ?? []).compactMap { $0.number.map { Float($0.double) } }
        }
        guard vectors.count == texts.count, Set(vectors.map(\.count)).count <= 1,
            vectors.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isFinite) })
        else { throw call.failure(.malformedAnswer("not one vector for each text")) }
        return vectors
    }
}
