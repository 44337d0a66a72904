internal import Basics
internal import HTTP
internal import JSON

/// Batches of OpenAI's API: a file of lines, and files of answers and of errors. A lost one is known by its metadata.
struct OpenAIBatches: BatchModel {
    /// The API takes files of 200 MB.
    let largestBatch = 150_000_000
    let call: ProviderCall

    init(_ call: ProviderCall) { self.call = call }

    static func verdict(on answer: ErrorResponse) -> ErrorVerdict { OpenAIErrors.verdict(on: answer) }

    /// The endpoint that a batch is for, whatever the base URL is.
    private static let path = "/v1/chat/completions"

    private var url: String { call.endpoint.baseURL + "/batches" }

    var headers: HTTPHeaders { ["authorization": "Bearer \(call.endpoint.key?.reveal() ?? "none")"] }

    func line(_ request: ModelRequest, customID: String) throws(ModelError) -> JSON {
        [
            "custom_id": JSON(customID), "method": "POST", "url": JSON(Self.path),
            "body": OpenAIRequest(request, for: description).body,
        ]
    }

    func create(_ lines: [JSON], name: String, within limit: Duration) async throws(ModelError) -> String {
        let file: JSON
        do throws(ModelError) {
            file = try await upload(lines, name: name, within: limit / 2)
        } catch {
            var error = error
            // Without its file there is no batch.
            error.isUnsent = true
            throw error
        }
        let body: JSON = [
            "input_file_id": file["id"] ?? .null, "endpoint": JSON(Self.path), "completion_window": "24h",
            "metadata": ["fingerprint": JSON(name)],
        ]
        let batch = try await exchange(.post, url, body: body.utf8, within: limit / 2)
        guard let id = batch["id"]?.string else { throw call.failure(.malformedAnswer("a batch without an id")) }
        return id
    }

    /// Stores the lines as a file of the account.
    private func upload(_ lines: [JSON], name: String, within limit: Duration) async throws(ModelError) -> JSON {
        // A digest of the lines, which therefore do not hold it.
        let boundary = "dossier-\(name)"
        let head = [
            "--\(boundary)", "Content-Disposition: form-data; name=\"purpose\"", "", "batch", "--\(boundary)",
            "Content-Disposition: form-data; name=\"file\"; filename=\"\(name).jsonl\"",
            "Content-Type: application/jsonl", "", "",
        ]
        var body = Array(head.joined(separator: "\r\n").utf8)
        for line in lines {
            body += line.utf8
            body.append(UInt8(ascii: "\n"))
        }
        body += Array("\r\n--\(boundary)--\r\n".utf8)
        return try await exchange(
            .post, call.endpoint.baseURL + "/files", body: body, type: "multipart/form-data; boundary=\(boundary)",
            within: limit)
    }

    func find(_ sought: SoughtBatch) async throws(ModelError) -> String? {
        var after: String?
        for _ in 0..<BatchLimits.pages {
            let query = "?limit=100" + (after.map { "&after=\(PercentEncoding.encode($0))" } ?? "")
            let page = try await exchange(.get, url + query)
            let batches = page["data"]?.array ?? []
            for batch in batches where batch["metadata"]?["fingerprint"]?.string == sought.name {
                if let id = batch["id"]?.string, !sought.known.contains(id) { return id }
            }
            // Newest first: older pages hold nothing new.
            guard page["has_more"]?.bool == true, let last = batches.last, let id = last["id"]?.string,
                (last["created_at"]?.integer ?? .max) >= sought.since / 1000
            else { return nil }
            after = id
        }
        return nil
    }

    func status(of id: String) async throws(ModelError) -> BatchStatus {
        switch try await batch(id)["status"]?.string {
        case "completed", "failed", "expired", "cancelled": return .ended
        default: return .pending
        }
    }

    /// Reads the file of answers and the file of errors. A batch that failed as a whole has neither.
    func results(
        of id: String, onResult: (BatchResult) async throws(ModelError) -> Void
    ) async throws(ModelError) {
        let batch = try await batch(id)
        for file in ["output_file_id", "error_file_id"].compactMap({ batch[$0]?.string }) {
            let url = "\(call.endpoint.baseURL)/files/\(PercentEncoding.encode(file))/content"
            try await call.lines(of: url, headers: headers, within: BatchLimits.results) { line throws(ModelError) in
                guard let customID = line["custom_id"]?.string else { return }
                try await onResult(BatchResult(customID: customID, outcome: outcome(line)))
            }
        }
    }

    private func outcome(_ line: JSON) -> BatchResult.Outcome {
        // It has expired or was cancelled.
        guard let status = line["response"]?["status_code"]?.integer, let body = line["response"]?["body"] else {
            return .again
        }
        if status == 200, body.object != nil { return .answered(body) }
        return call.failure(inStream: body, [:], status: Int(clamping: status)).isTransient ? .again : .failed
    }

    func parse(_ answer: JSON) -> RawAnswer? {
        var parser = OpenAIAnswerParser()
        _ = parser.receive(answer)
        return parser.answer
    }

    private func batch(_ id: String) async throws(ModelError) -> JSON {
        try await exchange(.get, "\(url)/\(PercentEncoding.encode(id))")
    }
}
