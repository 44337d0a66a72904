internal import HTTP
internal import HTTPServer
internal import JSON

/// Message batches of the Claude API.
struct ClaudeBatches: Sendable {
    static let path = "/v1/messages/batches"
    private static let mostLines = 100_000

    private static let shape = Shape.object(
        ["requests": .list(.object(["custom_id": .string, "params": .map], required: ["custom_id", "params"]))],
        required: ["requests"])

    let service: ClaudeService
    let book: BatchBook

    static func handles(_ path: String) -> Bool { path == Self.path || path.hasPrefix(Self.path + "/") }

    func answer(_ request: ServiceRequest, _ fault: ServiceRouter.FaultSource) -> ServiceRouter.Served {
        let context = request.context
        let failing = { (failure: ServiceFailure) in service.failure(failure, context: context) }
        let steps = request.path.dropFirst(Self.path.count).split(separator: "/").map(String.init)
        switch (request.request.method, steps.count, steps.count > 1 ? steps[1] : "") {
        case (.post, 0, _):
            return ServiceRouter.serve(
                fault, failing: failing, reading: { () throws(Refusal) in try lines(request) }
            ) { lines in
                answer(
                    book.create(
                        .claude, prefix: "msgbatch_sim_", details: [:], lines: lines, sequence: context.sequence
                    ) { reply, call in service.message(reply, call) }, context)
            }
        case (.get, 0, _):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in try list(request) }
        case (.get, 1, _):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                answer(try find(steps[0], request), context)
            }
        case (.delete, 1, _):
            return ServiceRouter.serve(
                fault, failing: failing, reading: { () throws(Refusal) in try ended(steps[0], request) }
            ) { batch in
                book.delete(batch.id)
                return Answer(
                    headers: service.headers(context),
                    json: ["id": JSON(batch.id), "type": "message_batch_deleted"])
            }
        case (.get, 2, "results"):
            return ServiceRouter.serve(fault, failing: failing) { () throws(Refusal) in
                results(try ended(steps[0], request), context)
            }
        case (.post, 2, "cancel"):
            return ServiceRouter.serve(
                fault, failing: failing, reading: { () throws(Refusal) in try find(steps[0], request) }
            ) { answer(book.cancel($0.id, of: .claude) ?? $0, context) }
        default: return ServiceRouter.Served(answer: service.notFound("Not Found", context).answer)
        }
    }

    // MARK: Reading

    private func lines(_ request: ServiceRequest) throws(Refusal) -> [SimulatedBatch.Line] {
        let body = try service.check(request, against: Self.shape)
        let requests = body["requests"]?.array ?? []
        func invalid(_ message: String) -> Refusal { SimulatedClaudeErrors.invalid(message, context: request.context) }
        guard !requests.isEmpty else { throw invalid("requests: List should have at least 1 item after validation") }
        guard requests.count <= Self.mostLines else {
            throw invalid("requests: List should have at most \(Self.mostLines) items")
        }
        var ids: Set<String> = []
        var lines: [SimulatedBatch.Line] = []
        for (place, one) in requests.enumerated() {
            let id = one["custom_id"]?.string ?? ""
            guard (1...64).contains(id.utf8.count),
                id.utf8.allSatisfy({ byte in
                    let character = Character(UnicodeScalar(byte))
                    return byte < 128 && (character.isLetter || character.isNumber || "_-".contains(character))
                })
            else {
                throw invalid("requests.\(place).custom_id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'")
            }
            guard ids.insert(id).inserted else {
                throw invalid("requests: custom_id must be unique within a batch; '\(id)' is repeated")
            }
            lines.append(SimulatedBatch.Line(id: id, call: read(one["params"] ?? [:], request)))
        }
        return lines
    }

    /// A wrong line does not refuse the batch: it ends with an error of its own.
    private func read(_ params: JSON, _ request: ServiceRequest) -> Result<SimulatedCall, Refusal> {
        func invalid(_ message: String) -> Result<SimulatedCall, Refusal> {
            .failure(SimulatedClaudeErrors.invalid(message, context: request.context))
        }
        if params["stream"] == true { return invalid("stream: not supported in batches") }
        if params["speed"]?.isNull == false { return invalid("speed: not supported in batches") }
        if params["max_tokens"]?.integer == 0 { return invalid("max_tokens: 0 is not supported in batches") }
        var one = request
        one.body = params
        do throws(Refusal) {
            return .success(try service.read(one))
        } catch {
            return .failure(error)
        }
    }

    private func find(_ id: String, _ request: ServiceRequest) throws(Refusal) -> SimulatedBatch {
        try service.checkHead(request)
        guard let batch = book.batch(id, of: .claude) else {
            throw service.notFound("No batch with id \(id)", request.context)
        }
        return batch
    }

    private func ended(_ id: String, _ request: ServiceRequest) throws(Refusal) -> SimulatedBatch {
        let batch = try find(id, request)
        guard batch.endedAt != nil else {
            throw SimulatedClaudeErrors.invalid("Batch \(id) has not ended yet", context: request.context)
        }
        return batch
    }

    // MARK: Answers

    private func answer(_ batch: SimulatedBatch, _ context: AnswerContext) -> Answer {
        Answer(headers: service.headers(context), json: json(batch))
    }

    /// Until a batch has ended, all of its lines count as being processed.
    private func json(_ batch: SimulatedBatch) -> JSON {
        let hasEnded = batch.endedAt != nil
        let counts = hasEnded ? batch.counts : SimulatedBatch.Counts(processing: batch.lines.count)
        return [
            "id": JSON(batch.id), "type": "message_batch",
            "processing_status": hasEnded ? "ended" : batch.cancelledAt == nil ? "in_progress" : "canceling",
            "request_counts": [
                "processing": JSON(counts.processing), "succeeded": JSON(counts.succeeded),
                "errored": JSON(counts.errored), "canceled": JSON(counts.canceled), "expired": JSON(counts.expired),
            ],
            "created_at": JSON(SimulatedBatch.time(batch.createdAt)),
            "expires_at": JSON(SimulatedBatch.time(batch.expiresAt)),
            "ended_at": JSON(batch.endedAt.map(SimulatedBatch.time)),
            "cancel_initiated_at": JSON(batch.cancelledAt.map(SimulatedBatch.time)), "archived_at": nil,
            "results_url": JSON(hasEnded ? Self.path + "/\(batch.id)/results" : nil as String?),
        ]
    }

    private func list(_ request: ServiceRequest) throws(Refusal) -> Answer {
        try service.checkHead(request)
        let page = try ClaudePage(of: book.batches(of: .claude), id: \.id, json: json, request)
        return Answer(headers: service.headers(request.context), json: page.json)
    }

    private func results(_ batch: SimulatedBatch, _ context: AnswerContext) -> Answer {
        let lines = batch.results.map { line, outcome in
            let result: JSON =
                switch outcome {
                case .succeeded(let message): ["type": "succeeded", "message": message]
                case .errored(_, .null):
                    [
                        "type": "errored",
                        "error": [
                            "type": "error", "error": ["type": "api_error", "message": "Internal server error"],
                            "request_id": JSON(context.requestID),
                        ],
                    ]
                case .errored(_, let error): ["type": "errored", "error": error]
                case .canceled: ["type": "canceled"]
                case .expired: ["type": "expired"]
                }
            let whole: JSON = ["custom_id": JSON(line.id), "result": result]
            return whole.compact + "\n"
        }
        return Answer(headers: service.headers(context), text: lines.joined(), type: "application/x-jsonl")
    }
}
