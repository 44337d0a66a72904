import DossierAPI
import Broker
import Foundation
import HTTP
import JSON
import JobQueue
import SQLiteStore
import Basics
import Testing

/// `POST /api/analyze`, which waits for its job.
@Suite(.serialized, .timeLimit(.minutes(10))) struct AnalyzeTests {
    private static let path = "/api/analyze"
    private static let result: JSON = [
        "concepts": ["gradient descent"], "relevance_score": 0.9, "learning_value_score": 0.75,
        "decision": "triggered",
        "recall_questions": [
            ["question": "Why?", "type": "open", "answer": "So.", "source_span": "x"],
            ["question": "Which?", "type": "mcq", "options": ["a", "b", "c"], "answer": "a", "source_span": "x"],
        ],
    ]

    private func body(_ request: AnalyzeClient.AnalyzeRequest = AnalyzeClient.request) throws -> String {
        try AnalyzeClient.body(of: request)
    }

    // MARK: Answers

    @Test func theAppsTypesDecodeTheAnswerAndItsTraceIDIsTheJob() async throws {
        try await TestService.with { service in
            let body = try body()
            async let answering = service.wait(Self.path, body)
            let worker = try await FakeWorker(service)
            let lease = try await worker.next()
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
            try await worker.complete(lease, with: Self.result)
            let answer = try await answering
            #expect(answer.status == 200)
            let response = try answer.camelCased(AnalyzeClient.AnalyzeResponse.self)
            #expect(response.decision == .triggered && response.recallQuestions.map(\.type) == [.open, .mcq])
            #expect(response.traceId == lease.job.description)
            #expect(answer.json["recall_questions"]?[1]?["options"]?.array?.count == 3)
            let job = try await service.ask(.get, "/api/v1/jobs/\(response.traceId)")
            #expect(job["data"]?["kind"] == "analyze" && job["data"]?["status"] == "completed")
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
            // The same input is the same job, which other users cannot see.
            let input = try JSON(parsing: body)
            let other = try await service.submit("analyze", input: input)
            #expect(other.description != response.traceId)
            #expect(
                try await service.ask(.get, "/api/v1/jobs/\(response.traceId)", headers: ["X-User-ID": "2"]).status
                    == 404)
        }
    }

    @Test func conceptsAreOptional() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            let start = #"{"user_id_hash":"7","goal_id":"g","goal_description":"d","content_url":"https://a.example/"#
            for body in [start + #""}"#, start + #"2","known_concepts":null,"weak_concepts":null}"#] {
                async let answering = service.wait(Self.path, body)
                let lease = try await worker.next()
                try await worker.complete(lease, with: Self.result)
                #expect(try await answering.status == 200)
            }
        }
    }

    @Test func theUserHashInTheBodyDoesNotSelectTheUser() async throws {
        try await TestService.with { service in
            let start = #"{"content_url":"https://a.example/","user_id_hash":"1","goal_id":"g","goal_description":"d"}"#
            async let answering = service.wait(Self.path, start, user: "5")
            let worker = try await FakeWorker(service)
            try await worker.complete(try await worker.next(), with: Self.result)
            #expect(try await answering.status == 200)
            #expect(try await service.credits(user: "5") == "10 granted, 9 left, 0 held, 1 used")
            #expect(try await service.credits(user: "1") == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func equalRequestsOfOneUserShareAJob() async throws {
        try await TestService.with {
            $0.rateLimit = 100_000
        } _: { service in
            let body = try body()
            let worker = try await FakeWorker(service)
            async let first = service.wait(Self.path, body)
            let lease = try await worker.next()
            async let second = service.wait(Self.path, body)
            async let strange = service.wait(Self.path, body, user: "2")
            let other = try await worker.next()
            var counted = 0
            // The limit counts a request before its response: the second has arrived when three of user 1 are counted.
            try await eventually("the second caller is there") {
                let credits = try await service.ask(.get, "/api/v1/credits")
                let asked = 100_000 - (credits.header("X-RateLimit-Remaining").flatMap { Int($0) } ?? 0)
                counted += 1
                return asked >= 2 + counted
            }
            for _ in 0..<20 { _ = try await service.ask(.get, "/api/v1/credits") }
            for lease in [lease, other] { try await worker.complete(lease, with: Self.result) }
            let answers = [try await first, try await second, try await strange]
            #expect(answers.map(\.status) == [200, 200, 200])
            let traces = answers.map { $0.json["trace_id"]?.string }
            #expect(traces[0] == traces[1] && traces[0] == lease.job.description)
            #expect(traces[2] == other.job.description)
            for user in ["1", "2"] {
                #expect(try await service.credits(user: user) == "10 granted, 9 left, 0 held, 1 used")
            }
        }
    }

    // MARK: Again

    private static func request(_ url: String, goal: String = "d", label: String = "7") -> String {
        JSON.object([
            "content_url": JSON(url), "user_id_hash": JSON(label), "goal_id": "g", "goal_description": JSON(goal),
        ]).compact
    }

    @Test(arguments: [
        "https://a.example/story", "http://A.example:80/story/?utm_source=mail&fbclid=x#top",
        "https://a.example/./story?gclid=1",
    ])
    func aPageThatWasAnalyzedWithinTheHourIsNotPaidAgainUnderAnySpelling(url: String) async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            async let answering = service.wait(Self.path, Self.request("https://a.example/story"))
            try await worker.complete(try await worker.next(), with: Self.result)
            let first = try await answering
            let again = try await service.wait(Self.path, Self.request(url, label: "8"))
            #expect(again.status == 200 && again.json == first.json && again.json["trace_id"]?.string != nil)
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
            // A key of its own changes nothing; one that has another request is refused as ever.
            let keyed = try await service.wait(Self.path, Self.request(url), headers: ["Idempotency-Key": "k"])
            #expect(keyed.json["trace_id"] == first.json["trace_id"])
        }
    }

    @Test func anotherGoalAnotherPageAndAnotherUserAreOtherAnalyses() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            var traces: Set<String> = []
            for (body, user) in [
                (Self.request("https://a.example/story"), "1"),
                (Self.request("https://a.example/story", goal: "e"), "1"),
                (Self.request("https://a.example/story?page=2"), "1"), (Self.request("https://a.example/story"), "2"),
            ] {
                async let answering = service.wait(Self.path, body, user: user)
                try await worker.complete(try await worker.next(), with: Self.result)
                traces.insert(try #require(try await answering.json["trace_id"]?.string))
            }
            #expect(traces.count == 4)
        }
    }

    @Test func anAnalysisThatFailedOrWasDeletedIsMadeAgain() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            let body = Self.request("https://a.example/story")
            async let failing = service.wait(Self.path, body)
            try await worker.fail(try await worker.next())
            #expect(try await failing.status == 500)
            async let answering = service.wait(Self.path, body)
            try await worker.complete(try await worker.next(), with: Self.result)
            #expect(try await answering.status == 200)
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
        }
    }

    // MARK: Waiting

    @Test func atTheTimeoutTheJobIsCancelledAndCostsNothing() async throws {
        try await TestService.with {
            $0.timeout = .milliseconds(200)
        } _: { service in
            let answer = try await service.wait(Self.path, try body())
            #expect(answer.status == 504)
            let error = try answer.camelCased(AnalyzeClient.ErrorResponse.self)
            #expect(error.error == "Request timed out" && error.message != nil)
            let id = try #require(answer.json["trace_id"]?.string)
            #expect(answer.json["job_id"]?.string == id)
            let job = try await service.ask(.get, "/api/v1/jobs/\(id)")
            #expect(job["data"]?["status"] == "cancelled")
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aClientThatDisconnectsDoesNotStopTheJob() async throws {
        try await TestService.with { service in
            let body = try body()
            let caller = Task { try await service.wait(Self.path, body) }
            let worker = try await FakeWorker(service)
            let lease = try await worker.next()
            caller.cancel()
            _ = try? await caller.value
            try await worker.report(lease, 40)
            try await worker.complete(lease, with: Self.result)
            let result = try await service.ask(.get, "/api/v1/jobs/\(lease.job)/result")
            #expect(result["data"]?["decision"] == "triggered")
        }
    }

    @Test(arguments: [
        ("EXT_4006", 400, "Content fetch failed"), ("BIZ_2003", 500, "Analysis failed"),
        ("EXT_4004", 500, "Analysis failed"), ("SYS_5001", 500, "Internal server error"),
        ("SYS_5003", 504, "Request timed out"), ("BIZ_2002", 403, "Daily limit reached"),
    ])
    func aFailedJobIsAnErrorWithItsCodeAndCostsNothing(code: String, status: Int, title: String) async throws {
        try await TestService.with { service in
            let body = try body()
            async let answering = service.wait(Self.path, body)
            let worker = try await FakeWorker(service)
            let lease = try await worker.next()
            let error = JobError(
                code: ErrorCode(rawValue: code), message: "For developers.", userMessage: "For people.")
            try await worker.store.fail(lease, with: JobFailure(error: error, next: .giveUp))
            let answer = try await answering
            #expect(answer.status == status)
            let told = try answer.camelCased(AnalyzeClient.ErrorResponse.self)
            #expect(told.error == title && told.message == "For people.")
            #expect(told.details?.map(\.path) == (status == 400 ? [["content_url"]] : nil))
            #expect(answer.json["trace_id"]?.string == lease.job.description)
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aJobCancelledByAnotherRequestIsAConflict() async throws {
        try await TestService.with { service in
            let body = try body()
            async let answering = service.wait(Self.path, body)
            let id = try await service.onlyJob()
            #expect(try await service.ask(.post, "/api/v1/jobs/\(id)/cancel").status == 200)
            let answer = try await answering
            #expect(answer.status == 409 && answer.json["error"] == "Conflict")
        }
    }

    @Test func withoutCreditsNoJobIsSubmitted() async throws {
        try await TestService.with {
            $0.startingCredits = 0
        } _: { service in
            let answer = try await service.wait(Self.path, try body())
            #expect(answer.status == 403)
            #expect(try answer.camelCased(AnalyzeClient.ErrorResponse.self).error == "Not enough credits")
            #expect(answer.json["current_credits"] == 0 && answer.json["required"] == 1)
        }
    }

    // MARK: Requests that are refused

    @Test func everyInvalidFieldIsNamedByItsPath() async throws {
        try await TestService.with { service in
            let answer = try await service.wait(
                Self.path,
                #"{"content_url":"ftp://a","goal_id":3,"goal_description":"","known_concepts":["a",1],"extra":1}"#)
            #expect(answer.status == 400)
            let error = try answer.camelCased(AnalyzeClient.ErrorResponse.self)
            #expect(error.error == "Invalid request")
            let paths = Set(error.details?.map { $0.path.joined(separator: ".") } ?? [])
            #expect(
                paths == [
                    "content_url", "goal_id", "goal_description", "known_concepts.1", "extra", "user_id_hash",
                ])
            #expect(error.details?.allSatisfy { !$0.message.isEmpty } == true)
            #expect(error.details?.first { $0.path == ["content_url"] }?.message.contains("http") == true)
        }
    }

    @Test(arguments: [
        ("{nope", 400), ("", 400), ("[]", 400), (#"{"content_url":"a\#u{0}"}"#, 400), ("null", 400),
        (#"{"content_url":{}}"#, 400),
    ])
    func anInvalidRequestIsAnErrorInTheDocumentsFormat(body: String, status: Int) async throws {
        try await TestService.with { service in
            let answer = try await service.wait(Self.path, body)
            #expect(answer.status == status)
            let error = try answer.camelCased(AnalyzeClient.ErrorResponse.self)
            #expect(error.error == "Invalid request" && error.details?.isEmpty == false && error.message != nil)
            #expect(answer.json["success"] == nil)
        }
    }

    @Test func refusalsOfTheServerHaveTheDocumentsFormat() async throws {
        try await TestService.with {
            $0.rateLimit = 3
        } _: { service in
            func error(_ answer: PlainAnswer) throws -> String {
                #expect(answer.json["success"] == nil)
                return try answer.camelCased(AnalyzeClient.ErrorResponse.self).error
            }
            let body = try body()
            let large = try await service.wait(Self.path, String(repeating: "x", count: (1 << 20) + 1))
            #expect(large.status == 413)
            #expect(try error(large) == "Request too large")
            let text = try await service.wait(Self.path, body, headers: ["Content-Type": "text/plain"])
            #expect(text.status == 415)
            _ = try error(text)
            let site = try await service.wait(Self.path, body, headers: ["Sec-Fetch-Site": "cross-site"])
            #expect(site.status == 403)
            #expect(try error(site) == "Forbidden")
            let get = try await service.wait(Self.path, "", method: .get)
            #expect(get.status == 405)
            #expect(try error(get) == "Method not allowed")
            let refused = try await service.wait(Self.path, body, headers: ["X-User-ID": "two words"])
            #expect(refused.status == 401)
            #expect(try error(refused) == "Unauthorized")
            for _ in 0..<3 { _ = try await service.wait(Self.path, "{}") }
            let many = try await service.wait(Self.path, "{}")
            #expect(many.status == 429 && many.response.headers["Retry-After"] != nil)
            #expect(try error(many) == "Rate limit exceeded")
            // Other addresses keep the envelope.
            #expect(try await service.ask(.get, "/api/v1/nowhere").status == 404)
        }
    }

    @Test func behindAGatewayTheSecretIsRequired() async throws {
        try await TestService.with {
            $0.authentication = .gateway(secret: Secret("0123456789abcdef"))
        } _: { service in
            let answer = try await service.wait(Self.path, try body())
            #expect(answer.status == 401)
            #expect(try answer.camelCased(AnalyzeClient.ErrorResponse.self).error == "Unauthorized")
        }
    }
}

/// Polls until a condition without a signal holds.
private func eventually(_ what: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "\(what) did not happen")
        try await Task.sleep(for: .milliseconds(10))
    }
}
