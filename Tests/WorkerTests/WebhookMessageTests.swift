import Basics
import HTTP
import JobQueue
import JSON
import Testing

@testable import Worker

@Suite struct WebhookMessageTests {
    private static func webhook(event: String = "msg_1", secrets: [WebhookSecret] = []) throws -> ClaimedWebhook {
        let job = try #require(JobID("0199f0a0-0000-7000-8000-000000000001"))
        return ClaimedWebhook(
            number: 1, event: event, endpointNumber: 1, endpoint: "ep_1", url: "https://example.com", secrets: secrets,
            type: "job.failed",
            end: ClaimedWebhook.JobEnd(
                job: job, kind: "research", user: UserID(rawValue: 17), subject: "alice \"x\"", errorCode: "EXT_4004",
                credits: 0, createdAt: Timestamp(milliseconds: 1_795_356_000_000)),
            at: Timestamp(milliseconds: 1_795_356_001_005), attempts: 0, tries: [])
    }

    @Test func theBodyIsThinAndTellsTheEnd() throws {
        let body = WebhookBody.json(of: try Self.webhook())
        let expected: JSON = [
            "type": "job.failed", "timestamp": "2026-11-22T14:00:01.005Z",
            "data": [
                "job_id": "0199f0a0-0000-7000-8000-000000000001", "kind": "research", "status": "failed",
                "user": ["id": 17, "subject": "alice \"x\""], "error": ["code": "EXT_4004"], "credits_used": 0,
                "created_at": "2026-11-22T14:00:00.000Z", "completed_at": "2026-11-22T14:00:01.005Z",
                "links": [
                    "job": "/api/v1/jobs/0199f0a0-0000-7000-8000-000000000001", "result": .null,
                ],
            ],
        ]
        #expect(body == expected)
        var completed = try Self.webhook()
        completed.type = "job.completed"
        completed.end?.errorCode = nil
        let data = WebhookBody.json(of: completed)["data"]
        #expect(data?["links"]?["result"] == "/api/v1/jobs/0199f0a0-0000-7000-8000-000000000001/result")
        #expect(data?["error"] == .null && data?["status"] == "completed")
        var test = try Self.webhook()
        (test.type, test.end) = ("webhook.test", nil)
        #expect(WebhookBody.json(of: test)["data"] == ["endpoint_id": "ep_1"])
        completed.end?.subject = String(repeating: "ä", count: 100)
        completed.end?.kind = String(repeating: "k", count: 100)
        #expect(WebhookMessage(completed).body.count < 4096)
    }

    /// The example of the Standard Webhooks libraries.
    @Test func theSignatureIsThatOfTheStandard() throws {
        let secret = WebhookSecret(base64: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", createdAt: Timestamp(milliseconds: 0))
        let headers = WebhookMessage(id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: Array(#"{"test": 2432232314}"#.utf8))
            .headers(at: Timestamp(milliseconds: 1_614_265_330_999), secrets: [secret])
        let named = Dictionary(uniqueKeysWithValues: headers)
        #expect(named["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        #expect(named["webhook-timestamp"] == "1614265330")
        #expect(named["webhook-id"] == "msg_p5jXN8AQM9LWM0D4loKWxJek")
        #expect(named["Content-Type"] == "application/json" && named["User-Agent"] == "Dossier-Webhooks/1")
    }

    @Test func eachLiveSecretSignsTheNewestFirst() throws {
        let now = Timestamp(milliseconds: 1_000_000)
        let secrets = [
            WebhookSecret(base64: "bmV3", createdAt: now),
            WebhookSecret(base64: "b2xk", createdAt: now, expiresAt: now + .seconds(1)),
            WebhookSecret(base64: "Z29uZQ==", createdAt: now, expiresAt: now),
        ]
        let message = WebhookMessage(id: "msg_1", body: [0x7b, 0x7d])
        let signature = message.headers(at: now, secrets: secrets).first { $0.0 == "webhook-signature" }?.1
        let expected = ["new", "old"].map { key in
            "v1," + Base64.encode(HMAC.sha256(Array("msg_1.1000.{}".utf8), key: Array(key.utf8)))
        }
        #expect(signature == expected.joined(separator: " "))
    }

    @Test func pausesFollowTheScheduleAndTheAnswer() throws {
        let configuration = WebhookConfiguration()
        let now = Timestamp(milliseconds: 784_111_777_000)
        func outcome(
            _ status: Int?, _ retryAfter: String? = nil, attempts: Int = 0, variation: Double = 0.5
        ) -> WebhookOutcome {
            let headers = HTTPHeaders(retryAfter.map { [("Retry-After", $0)] } ?? [])
            return configuration.outcome(
                of: status.map { HTTPResponse(status: $0, headers: headers) }, attempts: attempts, at: now,
                variation: variation)
        }
        func seconds(_ outcome: WebhookOutcome) -> Double? {
            if case .retry(let pause) = outcome { (pause.inSeconds * 10).rounded() / 10 } else { nil }
        }
        for status in [200, 204, 299] { #expect(outcome(status) == .delivered) }
        #expect(outcome(410) == .gone)
        for status in [301, 307, 400, 404, 500] { #expect(seconds(outcome(status)) == 5) }
        #expect(seconds(outcome(nil)) == 5)
        #expect(seconds(outcome(500, variation: 0)) == 4.5 && seconds(outcome(500, variation: 1)) == 5.5)
        let pauses: [Double] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
        #expect(pauses.indices.map { seconds(outcome(500, attempts: $0)) } == pauses)
        #expect(outcome(500, attempts: 9) == .failed && outcome(nil, attempts: 9) == .failed)
        #expect(seconds(outcome(503, "100")) == 100 && seconds(outcome(429, "1")) == 5)
        #expect(seconds(outcome(503, "100000000")) == 86_400)
        #expect(seconds(outcome(502, "Sun, 06 Nov 1994 08:50:37 GMT")) == 60)
        #expect(seconds(outcome(504, "Sun, 06 Nov 1994 08:40:37 GMT")) == 5)
        for (status, text) in [(500, "100"), (503, "soon"), (503, "-4"), (503, "9223372036854775808")] {
            #expect(seconds(outcome(status, text)) == 5)
        }
    }
}
