import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import Testing

/// `POST /v1/interpret`, and the plain errors of `/v1`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InterpretTests {
    private static let path = "/v1/interpret"
    private static let signal: JSON = [
        "id": "text://1", "url": "text://1", "title": "T", "source": "User Input",
        "published_at": "2026-11-21T10:00:00.000Z", "verdict": "aware", "why": ["a", "b", "c"],
        "action": "Understand the context", "horizon": nil, "opportunity_type": "none", "opportunity_note": "",
        "confidence": 65, "importance_score": 65, "explanation": nil,
    ]

    @Test func theAppsTypeReadsTheSignalAndNothingIsCharged() async throws {
        try await Service.with { service in
            async let answering = service.wait(Self.path, #"{"textOrUrl": "Apple announces a product."}"#)
            let worker = try await FakeWorker(service)
            let lease = try await worker.next()
            try await worker.complete(lease, with: Self.signal)
            let answer = try await answering
            #expect(answer.status == 200)
            let signal = try JSONDecoder().decode(NewsClient.Signal.self, from: Data(answer.response.body))
            #expect(signal.verdict == "aware" && signal.why.count == 3 && signal.horizon == nil)
            #expect(answer.json["job_id"]?.string == lease.job.description)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test(arguments: ["{}", #"{"textOrUrl": 3}"#, #"{"textOrUrl": "  "}"#, #"{"text": "x"}"#, "{", ""])
    func whatIsNoRequestIsAPlainError(body: String) async throws {
        try await Service.with { service in
            let answer = try await service.wait(Self.path, body)
            #expect(answer.status == 400)
            let error = try JSONDecoder().decode(NewsClient.ErrorResponse.self, from: Data(answer.response.body))
            #expect(error.error == "Invalid request" && error.details?.isEmpty == false)
        }
    }

    @Test func otherErrorsArePlainToo() async throws {
        try await Service.with {
            $0.patience = .milliseconds(100)
        } _: { service in
            let late = try await service.wait(Self.path, #"{"textOrUrl": "Apple."}"#)
            #expect(late.status == 504 && late.json["job_id"] != nil)
            let nowhere = try await service.wait("/v1/nowhere", "{}")
            #expect(nowhere.status == 404 && nowhere.json["error"] == "Not found")
            let large = try await service.wait(Self.path, String(repeating: "x", count: (1 << 20) + 1))
            #expect(large.status == 413)
            for answer in [late, nowhere, large] {
                _ = try JSONDecoder().decode(NewsClient.ErrorResponse.self, from: Data(answer.response.body))
            }
        }
    }
}
