internal import Basics
internal import JSON
package import JobQueue

extension RecordDatabase {
    package func createWebhookEndpoint(
        _ endpoint: WebhookEndpoint, idempotency: Idempotency?, limit: Int, audit: AuditEntry?
    ) async throws(StoreError) -> WebhookEndpointCreation {
        let rows = try await change(
            .webhookEndpointCreate, .timestamp(endpoint.createdAt), .text(endpoint.id, of: "id"), .user(endpoint.owner),
            .text(endpoint.url, of: "url"), .integer(endpoint.events.rawValue),
            .text(endpoint.description, of: "description"), .text(endpoint.secrets.stored, of: "secrets"),
            .text(idempotency?.key, of: "Idempotency-Key"), .text(idempotency?.fingerprint, of: "fingerprint"),
            .count(limit), audit.parameter
        ) { row in (state: row.text(), id: row.text()) }
        guard let row = rows.first else { throw .unexpected(reason: "a new endpoint has no state") }
        switch row.state {
        case "full": return .full
        case "conflict": return .conflict
        default: break
        }
        guard let stored = try await webhookEndpoint(row.id, of: endpoint.owner) else { return .full }
        return row.state == "created" ? .created(stored) : .existing(stored)
    }

    package func webhookEndpoints(of owner: UserID?, limit: Int) async throws(StoreError) -> [WebhookEndpoint] {
        try await all(.webhookEndpointList, .integer(owner?.rawValue), .count(limit)) { WebhookEndpoint(&$0) }
    }

    package func webhookEndpoint(_ id: String, of owner: UserID?) async throws(StoreError) -> WebhookEndpoint? {
        try await first(.webhookEndpointGet, .text(id, of: "id"), .integer(owner?.rawValue)) { WebhookEndpoint(&$0) }
    }

    package func changeWebhookEndpoint(
        _ id: String, of owner: UserID, _ change: WebhookEndpointChange, audit: AuditEntry?
    ) async throws(StoreError) -> WebhookEndpoint? {
        try await self.change(
            .webhookEndpointChange, .now, .text(id, of: "id"), .user(owner), .text(change.url, of: "url"),
            .integer(change.events?.rawValue), .text(change.description, of: "description"),
            .integer(change.isEnabled.map { $0 ? 1 : 0 }), audit.parameter)
        return try await webhookEndpoint(id, of: owner)
    }

    package func replaceWebhookSecrets(
        of id: String, of owner: UserID, _ old: [WebhookSecret], by new: [WebhookSecret],
        audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await !change(
            .webhookSecretsReplace, .now, .text(id, of: "id"), .user(owner), .text(old.stored, of: "secrets"),
            .text(new.stored, of: "secrets"), audit.parameter
        ) { $0.text() }.isEmpty
    }

    package func deleteWebhookEndpoint(
        _ id: String, of owner: UserID, audit: AuditEntry?
    ) async throws(StoreError) -> Bool {
        try await !change(
            .webhookEndpointDelete, .now, .text(id, of: "id"), .user(owner), audit.parameter
        ) { $0.text() }.isEmpty
    }

    package func addWebhookTest(
        _ event: String, to endpoint: String, of owner: UserID?, audit: AuditEntry?
    ) async throws(StoreError) -> Bool? {
        try await change(
            .webhookTest, .now, .text(endpoint, of: "endpoint"), .integer(owner?.rawValue), .text(event, of: "event"),
            audit.parameter
        ) { row in
            row.skip()
            return row.flag()
        }.first
    }

    package func webhookDeliveries(
        of owner: UserID?, _ filter: WebhookDeliveryFilter, below number: Int64, limit: Int
    ) async throws(StoreError) -> [WebhookDelivery] {
        let query: RecordQuery =
            if filter.job != nil {
                .webhookDeliveryListOfJob
            } else if owner == nil {
                .webhookDeliveryListOfAll
            } else if filter.status != nil {
                .webhookDeliveryListOfStatus
            } else {
                .webhookDeliveryList
            }
        let shared: [RecordParameter] = [
            .integer(owner?.rawValue), .integer(number), .count(limit), .text(filter.endpoint, of: "endpoint"),
            .text(filter.type, of: "type"),
        ]
        let status = RecordParameter.text(filter.status?.rawValue, of: "status")
        let job = RecordParameter.text(filter.job?.description, of: "job_id")
        // A statement gets as many parameters as its text names.
        let parameters =
            switch query {
            case .webhookDeliveryListOfJob: shared + [status, job]
            case .webhookDeliveryList: shared
            default: shared + [status]
            }
        return try await read(query, parameters) { WebhookDelivery(&$0) }
    }

    package func replayWebhook(
        _ event: String, of owner: UserID?, to endpoint: String?, audit: AuditEntry?
    ) async throws(StoreError) -> Int {
        try await change(
            .webhookReplay, .now, .integer(owner?.rawValue), .text(event, of: "event"), .text(endpoint, of: "endpoint"),
            audit.parameter
        ) { $0.integer() }.count
    }

    package func hasWebhook(
        _ event: String, of owner: UserID?, to endpoint: String?
    ) async throws(StoreError) -> Bool {
        try await first(
            .webhookKnown, .text(event, of: "event"), .integer(owner?.rawValue), .text(endpoint, of: "endpoint")
        ) { $0.integer() } != nil
    }

    package func replayWebhooks(
        to endpoint: String, of owner: UserID?, _ statuses: [WebhookDelivery.Status], in range: Range<Timestamp>,
        audit: AuditEntry?
    ) async throws(StoreError) -> Int {
        try await change(
            .webhookEndpointReplay, .now, .integer(owner?.rawValue), .text(endpoint, of: "endpoint"),
            .text(statuses.map(\.rawValue).joined(separator: ","), of: "status"), .timestamp(range.lowerBound),
            .timestamp(range.upperBound), audit.parameter
        ) { $0.integer() }.count
    }

    package func hasDueWebhooks(at now: Timestamp) async throws(StoreError) -> Bool {
        try await first(.webhookDue, .timestamp(now)) { $0.integer() } != nil
    }

    package func claimWebhooks(
        as lease: String, for time: Duration, limit: Int, each: Int, after endpoint: Int64
    ) async throws(StoreError) -> [ClaimedWebhook] {
        try await change(
            .webhookClaim, .now, .text(lease, of: "lease"), .integer(time.wholeMilliseconds), .count(limit),
            .count(each), .integer(endpoint))
        return try await all(.webhookClaimed, .text(lease, of: "lease")) { ClaimedWebhook(&$0) }
    }

    package func finishWebhook(
        _ webhook: ClaimedWebhook, lease: String, _ outcome: WebhookOutcome, after attempt: WebhookTry,
        disablingAfter limit: Duration
    ) async throws(StoreError) -> (endpoint: String, reason: WebhookEndpoint.DisabledReason)? {
        let (word, pause, isGone): (String, Duration, Bool) =
            switch outcome {
            case .delivered: ("delivered", .zero, false)
            case .retry(let pause): ("pending", pause, false)
            case .failed: ("failed", .zero, false)
            case .gone: ("pending", .zero, true)
            }
        let tries = (webhook.tries + [attempt]).suffix(WebhookTry.mostKept)
        let rows = try await change(
            .webhookFinish, .now, .integer(webhook.number), .text(lease, of: "lease"), .text(word, of: "outcome"),
            .integer(pause.wholeMilliseconds), .text(tries.stored, of: "tries"), .integer(isGone ? 1 : 0),
            .integer(limit.wholeMilliseconds), .integer(attempt.status.map { Int64($0) }),
            .text(attempt.error, of: "error")
        ) { row in (id: row.text(), reason: row.text()) }
        return rows.first.flatMap { row in
            WebhookEndpoint.DisabledReason(rawValue: row.reason).map { (row.id, $0) }
        }
    }

    package func releaseWebhook(_ webhook: ClaimedWebhook, lease: String) async throws(StoreError) {
        try await change(.webhookRelease, .now, .integer(webhook.number), .text(lease, of: "lease"))
    }

    package func deleteWebhookDeliveries(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.webhookDeliveriesDelete, .timestamp(timestamp), .count(limit)) { $0.integer() }.count
    }
}

// MARK: Stored forms

extension [WebhookSecret] {
    fileprivate var stored: String {
        let entries: [JSON] = map { secret in
            let expiresAt: JSON = secret.expiresAt.map { JSON($0.milliseconds) } ?? .null
            return [
                "secret": JSON(secret.base64), "created_at": JSON(secret.createdAt.milliseconds),
                "expires_at": expiresAt,
            ]
        }
        return JSON.array(entries).compact
    }

    fileprivate init(stored text: String) {
        let entries = (try? JSON(parsing: text))?.array ?? []
        self = entries.compactMap { entry -> WebhookSecret? in
            guard let secret = entry["secret"]?.string, let createdAt = entry["created_at"]?.milliseconds else {
                return nil
            }
            return WebhookSecret(base64: secret, createdAt: createdAt, expiresAt: entry["expires_at"]?.milliseconds)
        }
    }
}

extension Collection<WebhookTry> {
    fileprivate var stored: String {
        let entries: [JSON] = map { attempt in
            let status: JSON = attempt.status.map { JSON($0) } ?? .null
            let error: JSON = attempt.error.map { JSON($0) } ?? .null
            return [
                "at": JSON(attempt.at.milliseconds), "status": status, "error": error,
                "duration_ms": JSON(attempt.duration.wholeMilliseconds),
            ]
        }
        return JSON.array(entries).compact
    }
}

extension [WebhookTry] {
    fileprivate init(stored text: String) {
        let entries = (try? JSON(parsing: text))?.array ?? []
        self = entries.compactMap { entry -> WebhookTry? in
            guard let at = entry["at"]?.milliseconds else { return nil }
            return WebhookTry(
                at: at, status: entry["status"]?.integer.map { Int($0) }, error: entry["error"]?.string,
                duration: .milliseconds(entry["duration_ms"]?.integer ?? 0))
        }
    }
}

extension JSON {
    fileprivate var milliseconds: Timestamp? { integer.map { Timestamp(milliseconds: $0) } }
}

extension WebhookEndpoint {
    fileprivate init(_ row: inout some StoredRow) {
        row.skip()
        let id = row.text()
        let owner = row.user()
        let url = row.text()
        let events = WebhookEvents(rawValue: row.integer())
        let description = row.textIfAny()
        let secrets = [WebhookSecret](stored: row.text())
        let isEnabled = row.flag()
        let reason = row.textIfAny().flatMap { DisabledReason(rawValue: $0) }
        self.init(
            id: id, owner: owner, url: url, events: events, description: description, secrets: secrets,
            createdAt: row.timestamp())
        disabledBecause = isEnabled ? nil : reason ?? .user
        failingSince = row.timestampIfAny()
        lastSuccessAt = row.timestampIfAny()
        let failedAt = row.timestampIfAny()
        let status = row.integerIfAny().map { Int($0) }
        let error = row.textIfAny()
        lastFailure = failedAt.map { Failure(at: $0, status: status, error: error) }
    }
}

extension WebhookDelivery {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            number: row.integer(), event: row.text(), endpoint: row.text(), type: row.text(),
            job: row.textIfAny().flatMap { JobID($0) }, status: Status(rawValue: row.text()) ?? .failed,
            nextAt: row.timestampIfAny(), tries: [WebhookTry](stored: row.text()), at: row.timestamp())
    }
}

extension ClaimedWebhook {
    fileprivate init(_ row: inout some StoredRow) {
        let number = row.integer()
        let event = row.text()
        let endpointNumber = row.integer()
        let endpoint = row.text()
        let url = row.text()
        let secrets = [WebhookSecret](stored: row.text())
        let type = row.text()
        let job = row.textIfAny().flatMap { JobID($0) }
        let kind = row.text()
        let user = row.user()
        let subject = row.text()
        let errorCode = row.textIfAny()
        let credits = row.int()
        let createdAt = row.timestamp()
        self.init(
            number: number, event: event, endpointNumber: endpointNumber, endpoint: endpoint, url: url,
            secrets: secrets, type: type,
            end: job.map { job in
                JobEnd(
                    job: job, kind: kind, user: user, subject: subject, errorCode: errorCode, credits: credits,
                    createdAt: createdAt)
            }, at: row.timestamp(), attempts: row.int(), tries: [WebhookTry](stored: row.text()))
    }
}
