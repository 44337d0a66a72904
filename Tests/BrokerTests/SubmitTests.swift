import SQLiteStore
import Broker
import DossierAPI
import Foundation
import HTTP
import JSON
import JobQueue
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct SubmitTests {
    @Test func anAcceptedJobHasALocationAnETagAndAHold() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/jobs",
                ["kind": "research", "input": ["ticker": "brk.b", "persona": "ann"], "priority": 100])
            #expect(answer.status == 202)
            let job = try answer.decoded(as: JobResource.self)
            #expect(job.status == "pending" && job.progress == 0 && job.attempt == 0 && job.kind == "research")
            #expect(job.blockedBy == nil && job.error == nil && job.startedAt == nil)
            #expect(answer.header("Location") == "/api/v1/jobs/\(job.id)")
            #expect(answer.header("Retry-After") == "2")
            #expect(answer.header("ETag")?.isEmpty == false)
            let stored = try await service.store.job(try #require(JobID(job.id)), of: nil)
            #expect(stored?.input["ticker"] == "BRK.B", "a ticker is kept in capitals")
            #expect(stored?.priority == 100)
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
        }
    }

    @Test func aJobForLaterShowsItsStartTime() async throws {
        try await TestService.with { service in
            let later = Date(timeIntervalSinceNow: 3600).formatted(.iso8601)
            let answer = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:], "run_at": JSON(later)])
            let block = try answer.decoded(as: JobResource.self).blockedBy
            #expect(block?.reason == "run_at" && block?.jobID == nil)
            #expect(block?.until == later.replacing("Z", with: ".000Z"))
            // With an offset, in the past, and with fractions of a second.
            for timestamp in ["2026-01-01T09:00:00+02:00", "2020-01-01T00:00:00Z", "2026-01-01T00:00:00.123Z"] {
                let answer = try await service.ask(
                    .post, "/api/v1/jobs", ["kind": "note", "input": [:], "run_at": JSON(timestamp)])
                #expect(answer.status == 202, "\(timestamp): \(answer.text)")
                #expect(try answer.decoded(as: JobResource.self).blockedBy == nil)
            }
        }
    }

    @Test func aJobThatMayTakeHoursIsDueThenAndTellsWhenItsBatchIsExpected() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:], "within": 21_600])
            #expect(answer.status == 202)
            let job = try answer.decoded(as: JobResource.self)
            let id = try #require(JobID(job.id))
            let stored = try #require(try await service.store.job(id, of: nil))
            #expect(stored.within == .seconds(21_600) && stored.queue == .background)
            #expect(stored.deadline - stored.createdAt > .seconds(21_590))
            #expect(stored.deadline - stored.createdAt < .seconds(21_610))
            let estimated = try #require(answer["data"]?["estimated_at"]?.string)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            let pause =
                try Date(estimated, strategy: style).timeIntervalSince1970 * 1000
                - Double(stored.createdAt.milliseconds)
            #expect((3_500_000...3_700_000).contains(pause), "an hour before any batch was collected")
            let plain = try await service.ask(.post, "/api/v1/jobs", ["kind": "note", "input": [:]])
            #expect(plain["data"]?["estimated_at"] == nil)
        }
    }

    @Test("A user has a bounded number of unfinished jobs, and a repeated submit is still answered")
    func unfinishedJobsAreBounded() async throws {
        var plans = Plans().overridden(startingCredits: nil, requestsPerMinute: 0)
        plans.standard.unfinishedJobs = 2
        try await TestService.with({ $0.plans = CurrentPlans(plans) }) { service in
            let later = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
            func submit(_ key: String, user: String = "1") async throws -> Answer {
                try await service.ask(
                    .post, "/api/v1/jobs", ["kind": "note", "input": [:], "run_at": JSON(later)],
                    headers: ["Idempotency-Key": key, "X-User-ID": user])
            }
            let first = try await submit("a")
            let second = try await submit("b")
            #expect(first.status == 202 && second.status == 202)
            let refused = try await submit("c")
            #expect(refused.status == 429 && refused.code == "BIZ_2007" && refused.header("Retry-After") == "15")
            #expect(refused["error"]?["details"] == ["what": "unfinished_jobs", "limit": 2])
            let again = try await submit("a")
            #expect(again.status == 200 || again.status == 202)
            #expect(again["data"]?["id"] == first["data"]?["id"])
            #expect(try await submit("a", user: "2").status == 202)
            _ = try await service.ask(.post, "/api/v1/jobs/\(second["data"]?["id"]?.string ?? "")/cancel")
            #expect(try await submit("c").status == 202)
        }
    }

    @Test("Submits that arrive together get exactly the places that are left")
    func unfinishedJobsAreBoundedForSubmitsThatArriveTogether() async throws {
        var plans = Plans().overridden(startingCredits: nil, requestsPerMinute: 0)
        plans.standard.unfinishedJobs = 10
        try await TestService.with({ $0.plans = CurrentPlans(plans) }) { service in
            let later = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        let answer = try await service.ask(
                            .post, "/api/v1/jobs", ["kind": "note", "input": [:], "run_at": JSON(later)])
                        return answer.status
                    }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [202: 10, 429: 50])
        }
    }

    @Test("What a user keeps in the service is bounded in bytes")
    func storedBytesAreBounded() async throws {
        var plans = Plans().overridden(startingCredits: nil, requestsPerMinute: 0)
        plans.standard.storedBytes = 4000
        try await TestService.with({ $0.plans = CurrentPlans(plans) }) { service in
            var generator = SystemRandomNumberGenerator()
            let later = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
            func submit() async throws -> Answer {
                let text = String((0..<1500).map { _ in "0123456789abcdef".randomElement(using: &generator) ?? "0" })
                return try await service.ask(
                    .post, "/api/v1/jobs",
                    ["kind": "interpret", "input": ["textOrUrl": JSON(text)], "run_at": JSON(later)])
            }
            #expect(try await submit().status == 202)
            #expect(try await submit().status == 202)
            // Compressed texts need less room than the broker assumed before it read the usage.
            var refused = try await submit()
            for _ in 0..<9 where refused.status == 202 { refused = try await submit() }
            #expect(refused.status == 403 && refused.code == "BIZ_2008")
            #expect(refused["error"]?["details"] == ["what": "stored_bytes", "limit": 4000])
        }
    }

    @Test func aJobOverTheLimitOfItsKindShowsThatItWaits() async throws {
        try await TestService.with { service in
            _ = try await FakeWorker(service)
            func submit() async throws -> JobResource {
                try await service.ask(.post, "/api/v1/jobs", ["kind": "solo", "input": [:]]).decoded(
                    as: JobResource.self)
            }
            let (first, second) = (try await submit(), try await submit())
            #expect(first.blockedBy == nil)
            #expect(
                second.blockedBy?.reason == "limit" && second.blockedBy?.jobID == nil && second.blockedBy?.until == nil)
            _ = try await service.ask(.post, "/api/v1/jobs/\(first.id)/cancel")
            let read = try await service.ask(.get, "/api/v1/jobs/\(second.id)").decoded(as: JobResource.self)
            #expect(read.blockedBy == nil)
        }
    }

    @Test func optionsThatAreNullCountAsOmitted() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "note", "input": [:], "priority": nil, "run_at": nil])
            #expect(answer.status == 202)
        }
    }

    @Test func theLastOfTwoEqualKeysWins() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/jobs", bytes: Array(#"{"kind":"nothing","kind":"note","input":1,"input":{}}"#.utf8))
            #expect(answer.status == 202, "\(answer.text)")
            #expect(try answer.decoded(as: JobResource.self).kind == "note")
        }
    }

    // MARK: Idempotency

    @Test func theSameKeyAndBodyReturnTheSameJobWithOneHold() async throws {
        try await TestService.with { service in
            let first = try await service.ask(.post, "/api/v1/jobs", Self.body(), headers: Self.key)
            // The order of members does not matter.
            let reordered: JSON = ["input": ["persona": "ann", "ticker": "AAPL"], "kind": "research"]
            let second = try await service.ask(.post, "/api/v1/jobs", reordered, headers: Self.key)
            #expect(second.status == 202)
            #expect(second["data"]?["id"] == first["data"]?["id"])
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
        }
    }

    @Test func theSameKeyReturnsTheJobEvenAfterItsEnd() async throws {
        try await TestService.with { service in
            let first = try await service.ask(.post, "/api/v1/jobs", Self.body(), headers: Self.key)
            let id = try #require(first["data"]?["id"]?.string.flatMap(JobID.init))
            try await FakeWorker(service).finish(id)
            let second = try await service.ask(.post, "/api/v1/jobs", Self.body(), headers: Self.key)
            #expect(second["data"]?["id"]?.string == id.description)
            #expect(second["data"]?["status"] == "completed")
            #expect(try await service.credits() == "10 granted, 9 left, 0 held, 1 used")
        }
    }

    @Test func theSameKeyWithAnotherBodyIsAConflict() async throws {
        try await TestService.with { service in
            let first = try await service.ask(.post, "/api/v1/jobs", Self.body(), headers: Self.key)
            let other = try await service.ask(.post, "/api/v1/jobs", Self.body("MSFT"), headers: Self.key)
            #expect(other.status == 409 && other.code == "BIZ_2006")
            #expect(other["error"]?["details"]?["reason"] == "key_reused")
            #expect(other["error"]?["details"]?["job_id"] == first["data"]?["id"])
            let elsewhere = try await service.ask(
                .post, "/api/v1/research/generate", ["ticker": "AAPL", "investor_persona": "ann"], headers: Self.key)
            #expect(elsewhere.status == 409)
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
        }
    }

    @Test func usersDoNotShareKeys() async throws {
        try await TestService.with { service in
            let first = try await service.ask(
                .post, "/api/v1/jobs", Self.body(), headers: ["Idempotency-Key": "k", "X-User-ID": "1"])
            let second = try await service.ask(
                .post, "/api/v1/jobs", Self.body("MSFT"), headers: ["Idempotency-Key": "k", "X-User-ID": "2"])
            #expect(second.status == 202)
            #expect(first["data"]?["id"] != second["data"]?["id"])
        }
    }

    @Test func aMalformedKeyIsRefused() async throws {
        try await TestService.with { service in
            for key in ["two words", String(repeating: "k", count: 256), "caf\u{E9}"] {
                let answer = try await service.ask(
                    .post, "/api/v1/jobs", Self.body(), headers: ["Idempotency-Key": key])
                #expect(answer.status == 422 && answer.field == "Idempotency-Key", "\(answer.text)")
            }
            let longest = try await service.ask(
                .post, "/api/v1/jobs", Self.body(), headers: ["Idempotency-Key": String(repeating: "k", count: 255)])
            #expect(longest.status == 202)
        }
    }

    // MARK: Credits

    @Test func withoutCreditsASubmitIsRefusedWithTheMissingAmount() async throws {
        try await TestService.with {
            $0.startingCredits = 1
        } _: { service in
            let last = try await service.submit()
            let answer = try await service.ask(.post, "/api/v1/jobs", Self.body("MSFT"))
            #expect(answer.status == 403 && answer.code == "BIZ_2001")
            #expect(answer["error"]?["action"] == "upgrade")
            #expect(answer["error"]?["details"] == ["current_credits": 0, "required": 1])
            let report = try await service.ask(
                .post, "/api/v1/research/generate", ["ticker": "MSFT", "investor_persona": "ann"])
            #expect(report.status == 403 && report.code == "BIZ_2001")
            // A free job is still accepted.
            _ = try await service.submit("note", input: [:])
            // A cancelled job releases its credit.
            _ = try await service.ask(.post, "/api/v1/jobs/\(last)/cancel")
            _ = try await service.submit()
            let retry = try await service.ask(.post, "/api/v1/jobs/\(last)/retry")
            #expect(retry.status == 403 && retry.code == "BIZ_2001")
            #expect(retry["error"]?["details"]?["job_id"]?.string == last.description)
            #expect(try await service.credits() == "1 granted, 0 left, 1 held, 0 used")
        }
    }

    @Test func withOneCreditOneOfManyConcurrentSubmitsIsAccepted() async throws {
        try await TestService.with {
            $0.startingCredits = 1
        } _: { service in
            let statuses: [Int: Int] = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask { try await service.ask(.post, "/api/v1/jobs", Self.body()).status }
                }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [202: 1, 403: 19])
        }
    }

    private static let key: HTTPHeaders = ["Idempotency-Key": "order-1"]

    private static func body(_ ticker: String = "AAPL") -> JSON {
        ["kind": "research", "input": ["ticker": JSON(ticker), "persona": "ann"]]
    }
}
