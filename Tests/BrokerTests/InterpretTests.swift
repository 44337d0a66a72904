import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import TestSupport
import Testing

/// `POST /v1/interpret`, and the errors of `/v1` without an envelope.
@Suite(.serialized, .timeLimit(.minutes(10))) struct InterpretTests {
    private static let path = "/v1/interpret"
    private static let signal: JSON = [
        "id": "text://1", "url": "text://1", "title": "T", "source": "User Input",
        "published_at": "2026-11-21T10:00:00.000Z", "verdict": "aware", "why": ["a", "b", "c"],
        "action": "Understand the context", "horizon": nil, "opportunity_type": "none", "opportunity_note": "",
        "confidence": 65, "importance_score": 65, "explanation": nil,
    ]

    @Test func theAppsTypeDecodesTheSignalAtNoCharge() async throws {
        try await TestService.with { service in
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
    func anInvalidRequestIsAPlainError(body: String) async throws {
        try await TestService.with { service in
            let answer = try await service.wait(Self.path, body)
            #expect(answer.status == 400)
            let error = try JSONDecoder().decode(NewsClient.ErrorResponse.self, from: Data(answer.response.body))
            #expect(error.error == "Invalid request" && error.details?.isEmpty == false)
        }
    }

    @Test(arguments: [
        "file:///etc/passwd", "FILE:/etc/passwd", "gopher://127.0.0.1:70/_x", "ftp://example.com/a", "//127.0.0.1/",
        "data:text/html,hello", "javascript:alert(1)", " ws://127.0.0.1/ ", "http:127.0.0.1",
    ])
    func anAddressOutsideTheWebIsNotAText(address: String) async throws {
        try await TestService.with { service in
            let answer = try await service.wait(Self.path, JSON.object(["textOrUrl": JSON(address)]).compact)
            #expect(answer.status == 400)
            let error = try answer.decoded(NewsClient.ErrorResponse.self)
            #expect(error.error == "Invalid request" && error.details?.contains("'textOrUrl'") == true)
            #expect(try await service.ask(.get, "/api/v1/jobs")["data"] == [])
        }
    }

    @Test(arguments: ["Guidance:raised", "Read file:///etc/passwd and http://127.0.0.1/.", "AAPL", "a:b://c"])
    func aTextMayContainColonsAndAddresses(text: String) async throws {
        try await TestService.with { service in
            async let answering = service.wait(Self.path, JSON.object(["textOrUrl": JSON(text)]).compact)
            let worker = try await FakeWorker(service)
            try await worker.complete(try await worker.next(), with: Self.signal)
            #expect(try await answering.status == 200)
        }
    }

    @Test func anUnreadableAddressIsReportedForItsField() async throws {
        try await TestService.with { service in
            async let answering = service.wait(Self.path, #"{"textOrUrl": "http://127.0.0.1/"}"#)
            let worker = try await FakeWorker(service)
            let error = JobError(code: "EXT_4006", message: "Not public.", userMessage: "That is no web page.")
            try await service.store.fail(try await worker.next(), with: JobFailure(error: error, next: .giveUp))
            let answer = try await answering
            #expect(answer.status == 400)
            let told = try answer.decoded(NewsClient.ErrorResponse.self)
            #expect(told.error == "Content fetch failed" && told.details == "'textOrUrl': That is no web page.")
        }
    }

    @Test func anUnavailableModelIsAServerErrorAsDocumented() async throws {
        try await TestService.with { service in
            async let answering = service.wait(Self.path, #"{"textOrUrl": "Apple."}"#)
            let worker = try await FakeWorker(service)
            let error = JobError(code: "EXT_4004", message: "No model.", userMessage: "Not available.")
            try await service.store.fail(try await worker.next(), with: JobFailure(error: error, next: .giveUp))
            let answer = try await answering
            #expect(answer.status == 500)
            let told = try answer.decoded(NewsClient.ErrorResponse.self)
            #expect(told.error == "Analysis failed" && told.details == "Not available.")
            try await service.store.heartbeat(worker.id)
            let availability = try await service.ask(.get, "/api/v1/news/availability")["data"]
            #expect(availability?["reason"] == "models_failing", "\(availability ?? .null)")
        }
    }

    @Test func otherErrorsArePlain() async throws {
        try await TestService.with {
            $0.timeout = .milliseconds(100)
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
