package import Basics
package import HTTP
internal import JobQueue
internal import JSON

/// The model that makes vectors from texts, with Google's Gemini API (`batchEmbedContents`).
package struct EmbeddingModel: Sendable {
    /// Vectors in the order of the texts, and their cost.
    package struct Answer: Sendable, Hashable {
        /// Not of unit length.
        package var vectors: [[Float]]
        /// The provider does not count them, so this is a high estimate.
        package var tokens: Int64
        package var cost: MicroDollars
    }

    /// The number of texts that one call takes.
    package static let textsAtOnce = 100
    /// The length of a vector. The models can shorten their vectors, which loses little.
    static let dimensions = 256

    package let description: ModelDescription
    private let call: ProviderCall
    private let health: EmbeddingHealth

    /// The embedding model of the catalogue; `nil` when it names none, or its provider has neither key nor address.
    ///
    /// - Parameters:
    ///   - catalogue: Names the model.
    ///   - configuration: The provider's key and address.
    ///   - transport: Carries the calls.
    ///   - clock: Gives the day, for the price.
    ///   - limit: The longest time for a call; the model's own latencies make it shorter.
    ///   - onBreaker: Is told when the model is stopped or answers again.
    package init?(
        _ catalogue: ModelCatalogue, configuration: ModelsConfiguration, over transport: any HTTPTransport,
        clock: TimeSource = .system, limit: Duration = .seconds(60),
        onBreaker: @escaping @Sendable (BreakerChange) -> Void = { _ in }
    ) {
        guard let listed = catalogue.embedding, var endpoint = configuration.endpoint(of: listed.provider) else {
            return nil
        }
        endpoint.timeout = min(endpoint.timeout, limit)
        var model = listed
        model.isSimulated = endpoint.isSimulated
        description = model
        health = EmbeddingHealth(longest: endpoint.timeout) { isOpen in
            onBreaker(BreakerChange(provider: listed.provider, model: listed.id, isOpen: isOpen))
        }
        call = ProviderCall(
            model: model, endpoint: endpoint, transport: transport, clock: clock, verdict: GeminiErrors.verdict)
    }

    /// The vectors of at most `textsAtOnce` texts. A call that is not booked is not made.
    ///
    /// - Throws: The refusal of the books, the error of the call, or at once `unavailable` while the model is stopped
    ///   after silences or failures. A small call finds out whether it is back.
    package func vectors(
        of texts: [EmbeddingText], booked book: (any CallBook)? = nil
    ) async throws(ModelError) -> Answer {
        let pause: Duration
        switch health.admission(at: call.clock.uptime()) {
        case .call(let limit): return try await vectors(of: texts, booked: book, within: limit, isProbe: false)
        case .rest(let rest): pause = rest
        case .probe(let limit):
            pause = limit
            Task {
                let text = EmbeddingText(Self.probe, for: .question)
                _ = try? await vectors(of: [text], booked: book, within: limit, isProbe: true)
            }
        }
        var error = call.failure(.unavailable)
        error.retryAfter = pause
        error.postponement = .breakerOpen
        throw error
    }

    /// The text of the call that finds out whether the model is back.
    private static let probe = "OK"

    private func vectors(
        of texts: [EmbeddingText], booked book: (any CallBook)?, within limit: Duration, isProbe: Bool
    ) async throws(ModelError) -> Answer {
        let tokens = Int64(texts.reduce(0) { $0 + $1.beginning.utf8.count / 3 + 1 })
        let usage = TokenUsage(input: tokens, output: 0, isEstimated: true)
        let cost = description.prices?.cost(of: usage, on: call.clock.today) ?? .zero
        let booking: String?
        do throws(ModelError) {
            booking = try await book?.begin(
                PlannedCall(
                    provider: description.provider, model: description.id, usage: usage, cost: cost, isProbe: isProbe,
                    isSimulated: description.isSimulated))
        } catch {
            let now = call.clock.uptime()
            health.ended(error, from: now, isProbe: isProbe, at: now)
            throw error
        }
        let start = call.clock.uptime()
        let outcome: Result<[[Float]], ModelError>
        do throws(ModelError) {
            outcome = .success(try await ask(texts, within: limit))
        } catch {
            outcome = .failure(error)
        }
        var failure: ModelError?
        if case .failure(let error) = outcome { failure = error }
        health.ended(failure, from: start, isProbe: isProbe, at: call.clock.uptime())
        if let booking {
            let record = record(outcome.map { _ in usage }, planned: usage, took: call.clock.uptime() - start)
            await book?.end(booking, record)
        }
        return Answer(vectors: try outcome.get(), tokens: tokens, cost: cost)
    }

    private func record(
        _ outcome: Result<TokenUsage, ModelError>, planned: TokenUsage, took duration: Duration
    ) -> CallRecord {
        let settlement = CallSettlement(usage: outcome, planned: planned)
        var record = CallRecord(
            provider: description.provider, model: description.id, tier: "embedding", duration: duration,
            outcome: "answered", isFallback: false)
        (record.state, record.certainty, record.usage) = (settlement.state, settlement.certainty, settlement.usage)
        record.cost = description.prices?.cost(of: settlement.usage, on: call.clock.today)
        if case .failure(let error) = outcome { record.outcome = error.kind.name }
        record.details.isSimulated = description.isSimulated
        record.details.addError(of: record)
        return record
    }

    private func ask(_ texts: [EmbeddingText], within limit: Duration) async throws(ModelError) -> [[Float]] {
        var call = call
        call.endpoint.timeout = limit
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

/// A text for a vector, and the purpose of the vector.
package struct EmbeddingText: Sendable, Hashable {
    /// The use of a vector. Vectors for clustering are compared with each other, a question's vector with documents'.
    package enum Purpose: String, Sendable, Hashable {
        case clustering = "CLUSTERING"
        case document = "RETRIEVAL_DOCUMENT"
        case question = "RETRIEVAL_QUERY"
    }

    /// The most bytes of a text that are used.
    private static let longest = 6000

    package var text: String
    package var purpose: Purpose

    package init(_ text: String, for purpose: Purpose) {
        self.text = text
        self.purpose = purpose
    }

    /// The part of the text that is used.
    var beginning: String {
        text.utf8.count <= Self.longest ? text : String(text.unicodeScalars.prefix(Self.longest / 4))
    }
}
