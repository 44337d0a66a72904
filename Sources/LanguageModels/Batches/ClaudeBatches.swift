internal import Basics
internal import HTTP
internal import JSON

/// Batches of Anthropic's Messages API. It keeps no name of a batch, so a lost one is known by its number of requests,
/// and by its ids when it has ended.
struct ClaudeBatches: BatchModel {
    let largestBatch = 50_000_000
    let call: ProviderCall

    init(_ call: ProviderCall) { self.call = call }

    static func verdict(on answer: ErrorResponse) -> ErrorVerdict { ClaudeErrors.verdict(on: answer) }

    private var url: String { call.endpoint.versioned("v1") + "/messages/batches" }

    var headers: HTTPHeaders {
        var headers: HTTPHeaders = ["anthropic-version": "2026-10-21"]
        headers["x-api-key"] = call.endpoint.key?.reveal()
        return headers
    }

    func line(_ request: ModelRequest, customID: String) throws(ModelError) -> JSON {
        ["custom_id": JSON(customID), "params": try ClaudeRequest(request.batched, for: call).body]
    }

    func create(_ lines: [JSON], name: String, within limit: Duration) async throws(ModelError) -> String {
        let body: JSON = ["requests": .array(lines)]
        let answer = try await exchange(.post, url, body: body.utf8, within: limit)
        guard let id = answer["id"]?.string else { throw call.failure(.malformedAnswer("a batch without an id")) }
        return id
    }

    func find(_ sought: SoughtBatch) async throws(ModelError) -> String? {
        var after: String?
        for _ in 0..<BatchLimits.pages {
            let query = "?limit=100" + (after.map { "&after_id=\(PercentEncoding.encode($0))" } ?? "")
            let page = try await exchange(.get, url + query)
            let batches = page["data"]?.array ?? []
            for batch in batches {
                guard let id = batch["id"]?.string, !sought.known.contains(id),
                    Self.count(batch["request_counts"]) == Int64(sought.lines)
                else { continue }
                if Self.isCreated(batch, since: sought.since) { return id }
            }
            // Newest first: older pages hold nothing new.
            guard page["has_more"]?.bool == true, let last = batches.last, let id = last["id"]?.string,
                Self.isCreated(last, since: sought.since)
            else { return nil }
            after = id
        }
        return nil
    }

    private static func count(_ counts: JSON?) -> Int64 {
        ["processing", "succeeded", "errored", "canceled", "expired"].reduce(0) {
            $0 + (counts?[$1]?.tokenCount ?? 0)
        }
    }

    private static func isCreated(_ batch: JSON, since: Int64) -> Bool {
        batch["created_at"]?.string.flatMap(milliseconds).map { $0 >= since } ?? true
    }

    /// Reads `2026-11-21T10:52:45.183Z`; `nil` for another text. The API tells times in UTC.
    static func milliseconds(_ text: String) -> Int64? {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard parts.count == 2, let day = CalendarDate(parts[0]) else { return nil }
        let clock = parts[1].prefix(8).split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3 else { return nil }
        return (day.secondsSinceEpoch + clock[0] * 3600 + clock[1] * 60 + clock[2]) * 1000
    }

    func status(of id: String) async throws(ModelError) -> BatchStatus {
        let batch = try await exchange(.get, "\(url)/\(PercentEncoding.encode(id))")
        return batch["processing_status"]?.string == "ended" ? .ended : .pending
    }

    func results(
        of id: String, onResult: (BatchResult) async throws(ModelError) -> Void
    ) async throws(ModelError) {
        let url = "\(url)/\(PercentEncoding.encode(id))/results"
        try await call.lines(of: url, headers: headers, within: BatchLimits.results) { line throws(ModelError) in
            guard let customID = line["custom_id"]?.string else { return }
            try await onResult(BatchResult(customID: customID, outcome: outcome(line["result"])))
        }
    }

    private func outcome(_ result: JSON?) -> BatchResult.Outcome {
        switch result?["type"]?.string {
        case "succeeded": return result?["message"].map { .answered($0) } ?? .again
        case "errored":
            let error = call.failure(inStream: result?["error"] ?? [:], [:])
            return error.isTransient ? .again : .failed
        default: return .again
        }
    }

    func parse(_ answer: JSON) -> RawAnswer? {
        var parser = ClaudeAnswerParser(cacheLifetime: .oneHour)
        _ = parser.receive(answer)
        return parser.answer
    }
}
