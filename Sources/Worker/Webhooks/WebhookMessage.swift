internal import Basics
internal import JSON
internal import JobQueue
internal import Observability

/// The request of a delivery, as Standard Webhooks 1.0.0 describes it.
struct WebhookMessage: Sendable {
    let id: String
    /// The same bytes at every try.
    let body: [UInt8]

    init(id: String, body: [UInt8]) { (self.id, self.body) = (id, body) }

    init(_ webhook: ClaimedWebhook) {
        self.init(id: webhook.event, body: Array(WebhookBody.json(of: webhook).compact.utf8))
    }

    /// The headers of a try at a time, signed by each secret that has not expired, the newest first.
    func headers(at now: Timestamp, secrets: [WebhookSecret]) -> [(String, String)] {
        let timestamp = String(now.milliseconds / 1000)
        let signed = Array("\(id).\(timestamp).".utf8) + body
        let signatures = secrets.filter { $0.expiresAt.map { $0 > now } ?? true }.compactMap { secret in
            Base64.decode(secret.base64).map { "v1," + Base64.encode(HMAC.sha256(signed, key: $0)) }
        }
        return [
            ("Content-Type", "application/json"), ("User-Agent", "Dossier-Webhooks/1"), ("webhook-id", id),
            ("webhook-timestamp", timestamp), ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}

/// What an event tells: thin, without input, result or texts.
enum WebhookBody {
    static func json(of webhook: ClaimedWebhook) -> JSON {
        let at = JSON(ISO8601.text(milliseconds: webhook.at.milliseconds))
        var event: JSONObject = ["type": JSON(webhook.type), "timestamp": at]
        guard let end = webhook.end else {
            event["data"] = ["endpoint_id": JSON(webhook.endpoint)]
            return .object(event)
        }
        let path = "/api/v1/jobs/\(end.job)"
        let status = webhook.type.split(separator: ".").last.map(String.init) ?? ""
        event["data"] = [
            "job_id": JSON(end.job.description), "kind": JSON(end.kind), "status": JSON(status),
            "user": ["id": JSON(end.user.rawValue), "subject": JSON(end.subject)],
            "error": end.errorCode.map { ["code": JSON($0)] } ?? .null, "credits_used": JSON(end.credits),
            "created_at": JSON(ISO8601.text(milliseconds: end.createdAt.milliseconds)), "completed_at": at,
            "links": [
                "job": JSON(path), "result": status == JobStatus.completed.rawValue ? JSON(path + "/result") : .null,
            ],
        ]
        return .object(event)
    }
}
