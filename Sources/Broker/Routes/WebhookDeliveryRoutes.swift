internal import HTTPServer
package import JobQueue
package import JSON

/// The deliveries to endpoints: their list, and their replays.
extension WebhookRoutes {
    func deliveries(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let size = try context.queryInteger("per_page", in: 1...200, default: 50)
        let number = try context.numberCursor() ?? .max
        var filter = WebhookDeliveryFilter(endpoint: context.query("endpoint"))
        if let text = context.query("status") { filter.status = try Self.status(text) }
        if let text = context.query("type") {
            guard WebhookEvents.names.contains(where: { $0.name == text }) else {
                let names = WebhookEvents.names.map(\.name).joined(separator: ", ")
                throw .invalid("type", "must be one of \(names)")
            }
            filter.type = text
        }
        if let text = context.query("job_id") {
            guard let job = JobID(text) else { throw .invalid("job_id", "must be the id of a job") }
            filter.job = job
        }
        let owner = context.owner
        let found = try await stored { [store, filter] () async throws(StoreError) in
            try await store.webhookDeliveries(of: owner, filter, below: number, limit: size + 1)
        }
        return .page(of: found, size: size, number: \.number, \.json)
    }

    /// `POST …/deliveries/{id}/replay`
    func replay(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let body = try optionalBody(context, ["endpoint"])
        let endpoint: String?
        do {
            endpoint = try body["endpoint"].optional?.string()
        } catch {
            throw .invalid(error)
        }
        guard let event = context.request.parameters["id"], event.utf8.count <= 100 else {
            throw .notFound("The delivery")
        }
        let owner = context.owner
        let audit = context.webhookAudit("replay", target: event)
        let queued = try await stored { [store] () async throws(StoreError) -> Int? in
            let queued = try await store.replayWebhook(event, of: owner, to: endpoint, audit: audit)
            if queued > 0 { return queued }
            return try await store.hasWebhook(event, of: owner, to: endpoint) ? 0 : nil
        }
        guard let queued else { throw .notFound("The delivery") }
        return APIResponse(["queued": JSON(queued)], status: 202)
    }

    /// `POST …/endpoints/{id}/replay`
    func replayAll(_ context: some WebhookContext) async throws(APIError) -> APIResponse {
        let body = try optionalBody(context, ["status", "from", "to"])
        var statuses: [WebhookDelivery.Status] = [.held, .failed]
        var range = Timestamp(milliseconds: 0)..<Timestamp(milliseconds: .max)
        do throws(JSONFieldError) {
            if let field = body["status"].optional {
                let text = try field.string()
                guard let status = WebhookDelivery.Status(rawValue: text) else {
                    throw field.failure("must be one of \(Self.statusNames)")
                }
                statuses = [status]
            }
            let from = try Self.time(body["from"]) ?? range.lowerBound
            let to = try Self.time(body["to"]) ?? range.upperBound
            guard from <= to else { throw body["to"].failure("must not be before 'from'") }
            range = from..<to
        } catch {
            throw .invalid(error)
        }
        let endpoint = try await endpoint(context)
        let audit = context.webhookAudit("replay", target: endpoint.id)
        let queued = try await stored { [store, statuses, range] () async throws(StoreError) in
            try await store.replayWebhooks(
                to: endpoint.id, of: endpoint.owner, statuses, in: range, audit: audit)
        }
        return APIResponse(["queued": JSON(queued)], status: 202)
    }

    private static var statusNames: String {
        WebhookDelivery.Status.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private static func status(_ text: String) throws(APIError) -> WebhookDelivery.Status {
        guard let status = WebhookDelivery.Status(rawValue: text) else {
            throw .invalid("status", "must be one of \(statusNames)")
        }
        return status
    }

    private static func time(_ field: JSONField) throws(JSONFieldError) -> Timestamp? {
        guard let field = field.optional else { return nil }
        guard let timestamp = Timestamp(iso8601: try field.string()) else {
            throw field.failure("must be a time such as 2026-11-22T14:00:00Z")
        }
        return timestamp
    }
}

/// The pages of new lists: by a cursor, without totals.
enum Cursor {
    static func pagination(size: Int, next: String?) -> JSON {
        [
            "per_page": JSON(size), "next_cursor": next.map { JSON($0) } ?? .null, "has_next": JSON(next != nil),
        ]
    }
}

extension WebhookDelivery {
    /// The delivery as answers and commands show it.
    package var json: JSON {
        let tries: [JSON] = tries.map { attempt in
            [
                "at": JSON(attempt.at.iso8601), "status": attempt.status.map { JSON($0) } ?? .null,
                "error": attempt.error.map { JSON($0) } ?? .null,
                "duration_ms": JSON(attempt.duration.wholeMilliseconds),
            ]
        }
        return [
            "id": JSON(event), "endpoint": JSON(endpoint), "type": JSON(type),
            "job_id": job.map { JSON($0.description) } ?? .null, "status": JSON(status.rawValue),
            "next_at": nextAt.map { JSON($0.iso8601) } ?? .null, "tries": .array(tries),
        ]
    }
}
