internal import Basics
internal import HTTP
internal import JSON

/// Batches of Google's Gemini API, with the requests inline. A lost one is known by its display name.
struct GeminiBatches: BatchModel {
    /// The API takes 20 MB inline.
    let largestBatch = 18_000_000
    let call: ProviderCall

    init(_ call: ProviderCall) { self.call = call }

    static func verdict(on answer: ErrorResponse) -> ErrorVerdict { GeminiErrors.verdict(on: answer) }

    private var base: String { call.endpoint.versioned("v1beta") }

    var headers: HTTPHeaders {
        var headers: HTTPHeaders = [:]
        headers["x-goog-api-key"] = call.endpoint.key?.reveal()
        return headers
    }

    func line(_ request: ModelRequest, customID: String) throws(ModelError) -> JSON {
        ["request": try GeminiRequest(request, for: call).body, "metadata": ["key": JSON(customID)]]
    }

    func create(_ lines: [JSON], name: String, within limit: Duration) async throws(ModelError) -> String {
        let body: JSON = [
            "batch": [
                "displayName": JSON(name), "inputConfig": ["requests": ["requests": .array(lines)]],
            ]
        ]
        let batch = try await exchange(
            .post, "\(base)/models/\(description.wireName):batchGenerateContent", body: body.utf8, within: limit)
        guard let id = batch["name"]?.string else { throw call.failure(.malformedAnswer("a batch without a name")) }
        return id
    }

    func find(_ sought: SoughtBatch) async throws(ModelError) -> String? {
        var token: String?
        for _ in 0..<BatchLimits.pages {
            let query = "?pageSize=100" + (token.map { "&pageToken=\(PercentEncoding.encode($0))" } ?? "")
            let page = try await exchange(.get, "\(base)/batches\(query)")
            let batches = page["operations"]?.array ?? page["batches"]?.array ?? []
            for batch in batches where Self.details(batch)["displayName"]?.string == sought.name {
                if let id = batch["name"]?.string, !sought.known.contains(id) { return id }
            }
            guard let next = page["nextPageToken"]?.string, !next.isEmpty else { return nil }
            token = next
        }
        return nil
    }

    /// The members of a batch, which a long-running operation has in its metadata.
    private static func details(_ batch: JSON) -> JSON { batch["metadata"] ?? batch }

    func status(of id: String) async throws(ModelError) -> BatchStatus {
        let batch = try await batch(id)
        switch Self.details(batch)["state"]?.string?.split(separator: "_").last {
        case "SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED": return .ended
        default: return batch["done"]?.bool == true ? .ended : .pending
        }
    }

    func results(
        of id: String, onResult: (BatchResult) async throws(ModelError) -> Void
    ) async throws(ModelError) {
        let batch = try await batch(id)
        let output = Self.details(batch)["output"] ?? batch["response"] ?? [:]
        for result in output["inlinedResponses"]?["inlinedResponses"]?.array ?? [] {
            guard let customID = result["metadata"]?["key"]?.string else { continue }
            try await onResult(BatchResult(customID: customID, outcome: outcome(result)))
        }
    }

    private func outcome(_ result: JSON) -> BatchResult.Outcome {
        if let answer = result["response"], answer.object != nil { return .answered(answer) }
        let error = call.failure(inStream: result, [:])
        return error.isTransient ? .again : .failed
    }

    func parse(_ answer: JSON) -> RawAnswer? {
        var parser = GeminiAnswerParser()
        _ = parser.receive(answer)
        return parser.answer
    }

    /// Ids are `batches/…`.
    private func batch(_ id: String) async throws(ModelError) -> JSON {
        let path = id.split(separator: "/").map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
        return try await exchange(.get, "\(base)/\(path)", within: BatchLimits.results)
    }
}
