internal import HTTP
internal import HTTPServer
internal import JSON

/// Files and batches as OpenAI has them.
struct OpenAIBatches: Sendable {
    private static let mostLines = 50_000
    private static let mostBytes = 200 << 20
    private static let endpoint = "/v1/chat/completions"

    private static let shape = Shape.object(
        [
            "input_file_id": .string, "endpoint": .string, "completion_window": .choice(["24h"]),
            "metadata": .nullable(.map), "output_expires_after": .map,
        ], required: ["input_file_id", "endpoint", "completion_window"])

    let service: OpenAIService
    let book: BatchBook

    static func handles(_ path: String) -> Bool {
        ["/batches", "/files"].contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    func answer(
        _ path: String, _ request: ServiceRequest, _ fault: ServiceRouter.FaultSource
    ) -> ServiceRouter.Served {
        let failing = { (failure: ServiceFailure) in service.failure(failure, context: request.context) }
        let steps = path.split(separator: "/").map(String.init)
        let id = steps.count > 1 ? steps[1] : ""
        let find = { () throws(Refusal) -> SimulatedBatch in
            try service.authenticate(request)
            guard let batch = book.batch(id, of: .openai) else { throw Self.notFound("batch", id) }
            return batch
        }
        switch (request.request.method, steps.first, steps.count, steps.last) {
        case (.post, "files", 1, _):
            return ServiceRouter.serve(
                fault, failing: failing, reading: { () throws(Refusal) in try upload(request) }
            ) { file in Answer(json: json(book.store(file.bytes, name: file.name, purpose: "batch"))) }
        case (.get, "files", 2, _):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                Answer(json: json(try self.file(id, request)))
            }
        case (.get, "files", 3, "content"):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                Answer(
                    text: String(decoding: try self.file(id, request).bytes, as: UTF8.self), type: "application/jsonl")
            }
        case (.post, "batches", 1, _):
            return ServiceRouter.serve(
                fault, failing: failing, reading: { () throws(Refusal) in try read(request) }
            ) { details, lines in
                Answer(
                    json: json(
                        book.create(
                            .openai, prefix: "batch_sim_", details: details, lines: lines,
                            sequence: request.context.sequence
                        ) { reply, call in service.completion(reply, call) }))
            }
        case (.get, "batches", 1, _):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                try service.authenticate(request)
                return try list(request)
            }
        case (.get, "batches", 2, _):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                Answer(json: json(try find()))
            }
        case (.post, "batches", 3, "cancel"):
            return ServiceRouter.serve(fault, failing: failing, reading: find) { batch in
                Answer(json: json(book.cancel(batch.id, of: .openai) ?? batch))
            }
        default:
            return ServiceRouter.Served(
                answer: OpenAIService.answer(
                    404, "Invalid URL", type: "invalid_request_error", param: nil, code: nil))
        }
    }

    // MARK: Reading

    private static func notFound(_ kind: String, _ id: String) -> Refusal {
        Refusal(
            answer: OpenAIService.answer(
                404, "No such \(kind): \(id)", type: "invalid_request_error", param: nil, code: nil))
    }

    private func upload(_ request: ServiceRequest) throws(Refusal) -> (name: String, bytes: [UInt8]) {
        try service.authenticate(request)
        let type = request.request.headers["content-type"] ?? ""
        guard type.lowercased().hasPrefix("multipart/form-data"), let form = FormData(type, request.request.body) else {
            throw OpenAIService.invalid("The content type must be multipart/form-data with a boundary.", param: nil)
        }
        guard form.parts["purpose"].map({ String(decoding: $0.bytes, as: UTF8.self) }) == "batch" else {
            throw OpenAIService.invalid("The simulator takes files for the purpose 'batch' alone.", param: "purpose")
        }
        guard let file = form.parts["file"] else {
            throw OpenAIService.invalid("Missing required parameter: 'file'.", param: "file")
        }
        guard file.bytes.count <= Self.mostBytes else {
            throw OpenAIService.invalid("The file is larger than \(Self.mostBytes) bytes.", param: "file")
        }
        return (file.name, file.bytes)
    }

    /// A stored file, or one that a batch wrote: `file-out-…` and `file-err-…`.
    private func file(_ id: String, _ request: ServiceRequest) throws(Refusal) -> BatchBook.File {
        try service.authenticate(request)
        if let file = book.file(id) { return file }
        for isError in [false, true] {
            let prefix = Self.prefix(isError)
            guard id.hasPrefix(prefix), let batch = book.batch(String(id.dropFirst(prefix.count)), of: .openai),
                let endedAt = batch.endedAt
            else { continue }
            return BatchBook.File(
                id: id, name: id + ".jsonl", purpose: "batch_output", bytes: output(batch, errors: isError),
                createdAt: endedAt)
        }
        throw Self.notFound("File object", id)
    }

    private func read(_ request: ServiceRequest) throws(Refusal) -> (JSON, [SimulatedBatch.Line]) {
        try service.authenticate(request)
        guard let body = request.body else {
            throw OpenAIService.invalid("We could not parse the JSON body of your request.", param: nil)
        }
        if let violation = Self.shape.violations(of: body).first { throw OpenAIService.refusal(violation) }
        guard body["endpoint"]?.string == Self.endpoint else {
            throw OpenAIService.invalid("The simulator takes \(Self.endpoint) alone.", param: "endpoint")
        }
        guard (body["metadata"]?.object?.count ?? 0) <= 16 else {
            throw OpenAIService.invalid("Invalid 'metadata': at most 16 pairs.", param: "metadata")
        }
        let id = body["input_file_id"]?.string ?? ""
        guard let file = book.file(id) else { throw Self.notFound("File object", id) }
        let texts = file.bytes.split(separator: UInt8(ascii: "\n"))
        guard !texts.isEmpty, texts.count <= Self.mostLines else {
            throw OpenAIService.invalid("The file must have 1 to \(Self.mostLines) lines.", param: "input_file_id")
        }
        var lines: [SimulatedBatch.Line] = []
        for (number, text) in texts.enumerated() {
            guard let line = try? JSON(parsing: Array(text)), let id = line["custom_id"]?.string,
                line["method"] == "POST", line["url"]?.string == Self.endpoint, let params = line["body"]
            else {
                throw OpenAIService.invalid(
                    "Line \(number + 1) needs custom_id, method, url and body.", param: "input_file_id")
            }
            var one = request
            one.body = params
            do throws(Refusal) {
                lines.append(SimulatedBatch.Line(id: id, call: .success(try service.read(one))))
            } catch {
                lines.append(SimulatedBatch.Line(id: id, call: .failure(error)))
            }
        }
        return (["input_file_id": JSON(id), "metadata": body["metadata"] ?? .null], lines)
    }

    // MARK: Answers

    private func json(_ file: BatchBook.File) -> JSON {
        [
            "id": JSON(file.id), "object": "file", "bytes": JSON(file.bytes.count),
            "created_at": JSON(file.createdAt / 1_000), "filename": JSON(file.name), "purpose": JSON(file.purpose),
            "status": "processed",
        ]
    }

    private static func prefix(_ isError: Bool) -> String { isError ? "file-err-" : "file-out-" }

    private func json(_ batch: SimulatedBatch) -> JSON {
        let counts = batch.counts
        let isOver = batch.endedAt != nil
        let state =
            if !isOver {
                batch.cancelledAt == nil ? "in_progress" : "cancelling"
            } else if batch.cancelledAt != nil {
                "cancelled"
            } else {
                batch.endedAt == batch.expiresAt && counts.expired > 0 ? "expired" : "completed"
            }
        func file(_ isError: Bool) -> JSON {
            let lines = isError ? batch.lines.count - counts.succeeded : counts.succeeded
            return isOver && lines > 0 ? JSON(Self.prefix(isError) + batch.id) : nil
        }
        let ended = batch.endedAt.map { $0 / 1_000 }
        return [
            "id": JSON(batch.id), "object": "batch", "endpoint": JSON(Self.endpoint), "errors": nil,
            "input_file_id": batch.details["input_file_id"] ?? .null, "completion_window": "24h",
            "status": JSON(state), "output_file_id": file(false), "error_file_id": file(true),
            "created_at": JSON(batch.createdAt / 1_000), "in_progress_at": JSON(batch.createdAt / 1_000),
            "expires_at": JSON(batch.expiresAt / 1_000), "completed_at": state == "completed" ? JSON(ended) : nil,
            "expired_at": state == "expired" ? JSON(ended) : nil,
            "cancelled_at": state == "cancelled" ? JSON(ended) : nil,
            "cancelling_at": JSON(batch.cancelledAt.map { $0 / 1_000 }),
            "request_counts": [
                "total": JSON(batch.lines.count), "completed": JSON(counts.succeeded),
                "failed": JSON(counts.errored + counts.canceled + counts.expired),
            ], "metadata": batch.details["metadata"] ?? .null,
        ]
    }

    private func output(_ batch: SimulatedBatch, errors: Bool) -> [UInt8] {
        var text = ""
        for (place, result) in batch.results.enumerated() {
            var line: JSON = [
                "id": JSON("batch_req_\(batch.id)_\(place)"), "custom_id": JSON(result.line.id), "response": nil,
                "error": nil,
            ]
            func response(_ status: Int, _ body: JSON) -> JSON {
                ["status_code": JSON(status), "request_id": JSON("req_\(batch.id)_\(place)"), "body": body]
            }
            var isError = true
            switch result.outcome {
            case .succeeded(let body):
                isError = false
                line["response"] = response(200, body)
            case .errored(let status, .null):
                line["response"] = response(
                    status, ["error": ["message": "The server had an error.", "type": "server_error"]])
            case .errored(let status, let body): line["response"] = response(status, body)
            case .canceled:
                line["error"] = ["code": "batch_cancelled", "message": "This request was not executed."]
            case .expired:
                line["error"] = [
                    "code": "batch_expired",
                    "message": "This request could not be executed before the completion window expired.",
                ]
            }
            if isError == errors { text += line.compact + "\n" }
        }
        return Array(text.utf8)
    }

    private func list(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let limit = request.request.query("limit").flatMap(Int.init) ?? 20
        guard (1...100).contains(limit) else {
            throw OpenAIService.invalid("Invalid 'limit': must be from 1 to 100.", param: "limit")
        }
        var listed = book.batches(of: .openai)
        if let after = request.request.query("after"), let place = listed.firstIndex(where: { $0.id == after }) {
            listed = Array(listed[(place + 1)...])
        }
        let page = listed.prefix(limit)
        return Answer(json: [
            "object": "list", "data": .array(page.map { json($0) }), "first_id": JSON(page.first?.id),
            "last_id": JSON(page.last?.id), "has_more": JSON(listed.count > limit),
        ])
    }
}
