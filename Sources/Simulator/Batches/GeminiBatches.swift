internal import HTTP
internal import HTTPServer
internal import JSON

/// Batches of the Gemini API with their requests inline.
struct GeminiBatches: Sendable {
    private static let mostBytes = 20 << 20

    private static let shape = Shape.object(
        [
            "batch": .object(
                [
                    "name": .string, "model": .string, "displayName": .string, "priority": .any,
                    "inputConfig": .object([
                        "fileName": .string,
                        "requests": .object([
                            "requests": .list(.object(["request": .map, "metadata": .map], required: ["request"]))
                        ]),
                    ]),
                ], required: ["displayName", "inputConfig"])
        ], required: ["batch"])

    let book: BatchBook

    /// `POST models/{model}:batchGenerateContent`.
    func create(
        _ service: GeminiService, _ request: ServiceRequest, _ fault: ServiceRouter.FaultSource
    ) -> ServiceRouter.Served {
        ServiceRouter.serve(
            fault, failing: { service.failure($0, context: request.context) },
            reading: { () throws(Refusal) in try read(service, request) }
        ) { details, lines in
            Answer(
                json: operation(
                    book.create(
                        .gemini, prefix: "sim-", details: details, lines: lines, sequence: request.context.sequence
                    ) { reply, call in service.whole(reply, call) }))
        }
    }

    /// `GET batches`, `GET batches/{id}`, `POST batches/{id}:cancel` and `DELETE batches/{id}`.
    func answer(
        _ name: String, _ request: ServiceRequest, _ fault: ServiceRouter.FaultSource
    ) -> ServiceRouter.Served {
        let service = GeminiService(version: "v1beta", model: "", streams: false)
        let failing = { (failure: ServiceFailure) in service.failure(failure, context: request.context) }
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        let id = parts.first ?? ""
        let find = { () throws(Refusal) -> SimulatedBatch in
            try service.authenticate(request)
            guard let batch = book.batch(id, of: .gemini) else {
                throw Refusal(
                    answer: SimulatedGeminiErrors.answer(404, "NOT_FOUND", "Requested entity was not found."))
            }
            return batch
        }
        switch (request.request.method, parts.count > 1 ? parts[1] : "") {
        case (.get, "") where id.isEmpty:
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                try service.authenticate(request)
                return try list(request)
            }
        case (.get, ""):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                Answer(json: operation(try find()))
            }
        case (.post, "cancel"):
            return ServiceRouter.serve(fault, failing: failing, reading: find) { batch in
                _ = book.cancel(batch.id, of: .gemini)
                return Answer(json: [:])
            }
        case (.delete, ""):
            return ServiceRouter.serve(fault, failing: failing, reading: find) { batch in
                book.delete(batch.id)
                return Answer(json: [:])
            }
        default:
            return ServiceRouter.Served(
                answer: SimulatedGeminiErrors.answer(404, "NOT_FOUND", "Requested entity was not found."))
        }
    }

    private func read(
        _ service: GeminiService, _ request: ServiceRequest
    ) throws(Refusal) -> (JSON, [SimulatedBatch.Line]) {
        try service.authenticate(request)
        guard request.request.body.count <= Self.mostBytes else {
            throw SimulatedGeminiErrors.invalid("Request payload size exceeds the limit: \(Self.mostBytes) bytes.")
        }
        let body = try service.body(of: request, shape: Self.shape)
        guard GeminiModelInfo.find(service.model, version: service.version) != nil else {
            throw SimulatedGeminiErrors.modelNotFound(service.model, version: service.version)
        }
        let batch = body["batch"] ?? [:]
        let requests = batch["inputConfig"]?["requests"]?["requests"]?.array ?? []
        guard !requests.isEmpty else {
            throw SimulatedGeminiErrors.invalid(
                "* BatchGenerateContentRequest.batch.input_config: the simulator takes inline requests, at least one")
        }
        let lines = requests.map { one -> SimulatedBatch.Line in
            var single = request
            single.body = one["request"] ?? [:]
            let metadata = one["metadata"] ?? .null
            do throws(Refusal) {
                return SimulatedBatch.Line(
                    id: metadata["key"]?.string ?? "", metadata: metadata, call: .success(try service.read(single)))
            } catch {
                return SimulatedBatch.Line(
                    id: metadata["key"]?.string ?? "", metadata: metadata, call: .failure(error))
            }
        }
        return (["display_name": batch["displayName"] ?? "", "model": JSON("models/" + service.model)], lines)
    }

    // MARK: Answers

    private func operation(_ batch: SimulatedBatch) -> JSON {
        let counts = batch.counts
        let state =
            if batch.endedAt == nil {
                batch.outcomes.isEmpty ? "PENDING" : "RUNNING"
            } else if batch.cancelledAt != nil {
                "CANCELLED"
            } else {
                counts.expired == batch.lines.count ? "EXPIRED" : "SUCCEEDED"
            }
        var metadata: JSON = [
            "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
            "model": batch.details["model"] ?? "", "displayName": batch.details["display_name"] ?? "",
            "createTime": JSON(SimulatedBatch.time(batch.createdAt)),
            "updateTime": JSON(SimulatedBatch.time(batch.endedAt ?? batch.createdAt)),
            "batchStats": [
                "requestCount": JSON(String(batch.lines.count)),
                "pendingRequestCount": JSON(String(counts.processing)),
                "successfulRequestCount": JSON(String(counts.succeeded)),
                "failedRequestCount": JSON(String(counts.errored + counts.canceled + counts.expired)),
            ], "state": JSON("BATCH_STATE_" + state), "name": JSON("batches/" + batch.id),
        ]
        var operation: JSON = ["name": JSON("batches/" + batch.id)]
        if let endedAt = batch.endedAt {
            let output: JSON = ["inlinedResponses": ["inlinedResponses": .array(responses(batch))]]
            metadata["endTime"] = JSON(SimulatedBatch.time(endedAt))
            metadata["output"] = output
            var response = output
            response["@type"] = "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatchOutput"
            operation["response"] = response
            operation["done"] = true
        }
        operation["metadata"] = metadata
        return operation
    }

    /// In the order of the requests, as the service has it.
    private func responses(_ batch: SimulatedBatch) -> [JSON] {
        zip(batch.order, batch.outcomes).sorted { $0.0 < $1.0 }.map { place, outcome in
            var one: JSON =
                switch outcome {
                case .succeeded(let body): ["response": body]
                case .errored(_, let body) where body["error"] != nil: ["error": body["error"] ?? .null]
                case .errored: ["error": ["code": 13, "message": "An internal error has occurred."]]
                case .canceled: ["error": ["code": 1, "message": "The batch was cancelled."]]
                case .expired: ["error": ["code": 4, "message": "The batch expired."]]
                }
            if !batch.lines[place].metadata.isNull { one["metadata"] = batch.lines[place].metadata }
            return one
        }
    }

    private func list(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let size = request.request.query("pageSize").flatMap(Int.init) ?? 50
        let first = request.request.query("pageToken").flatMap(Int.init) ?? 0
        guard size > 0, first >= 0 else { throw SimulatedGeminiErrors.invalid("Invalid pageSize or pageToken") }
        let all = book.batches(of: .gemini)
        let page = all.dropFirst(first).prefix(size)
        var body: JSON = ["operations": .array(page.map(operation))]
        if first + page.count < all.count { body["nextPageToken"] = JSON(String(first + page.count)) }
        return Answer(json: body)
    }
}
