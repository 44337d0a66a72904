import Basics
import HTTP
import JSON
import JobQueue
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Broker

/// The archive of a user's data over HTTP: the job that makes it, and its download.
@Suite(.timeLimit(.minutes(10))) struct ExportTests {
    private static let path = "/api/v1/users/me/export"
    private static let adminPath = "/api/v1/admin/users/1/export"

    /// Makes the archive of a job, of two parts.
    private func make(_ job: JobID, _ service: TestService, parts: Int = 2) async throws {
        let worker = try await FakeWorker(service)
        let lease = try await worker.claim(job)
        for number in 0..<2 {
            try await service.store.storeExportPart(number, "{\"part\":\(number)}\n", under: lease)
        }
        let now = try await service.store.now()
        let export = UserExport(
            job: job.description, user: 1, epoch: lease.epoch, madeAt: now, lines: 1, bytes: 24, parts: parts)
        try await service.store.complete(lease, with: ["lines": 1], effects: [.record(.userExport(export))])
    }

    private func start(
        _ service: TestService, _ path: String = path, headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JobID {
        let answer = try await service.ask(.post, path, headers: headers, sourceLocation: sourceLocation)
        #expect(answer.status == 202, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer["data"]?["kind"] == "export", sourceLocation: sourceLocation)
        let id = try #require(answer["data"]?["id"]?.string.flatMap(JobID.init), sourceLocation: sourceLocation)
        #expect(answer.response.headers["Location"] == "/api/v1/jobs/\(id)", sourceLocation: sourceLocation)
        return id
    }

    @Test func anArchiveIsMadeByAJobAndDownloadedByItsUserAlone() async throws {
        try await TestService.with { service in
            let none = try await service.ask(.get, Self.path)
            #expect(none.status == 404 && none.code == "BIZ_2005")
            let job = try await start(service)
            let early = try await service.ask(.get, Self.path)
            #expect(early.status == 409 && early.code == "BIZ_2006")
            #expect(early["error"]?["details"]?["reason"] == "no_result_yet")
            #expect(early["error"]?["details"]?["job_id"] == JSON(job.description))
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")

            try await make(job, service)
            let archive = try await service.plain(.get, Self.path)
            #expect(archive.status == 200 && archive.response.text == "{\"part\":0}\n{\"part\":1}\n")
            let headers = archive.response.headers
            #expect(headers["Content-Type"] == "application/octet-stream")
            let name = try #require(headers["Content-Disposition"])
            #expect(name.wholeMatch(of: /attachment; filename="dossier-export-\d{8}T\d{6}Z\.jsonl"/) != nil)
            #expect(headers["Cache-Control"] == "no-store" && headers["X-Content-Type-Options"] == "nosniff")
            let other = try await service.ask(.get, Self.path, headers: ["X-User-ID": "2"])
            #expect(other.status == 404)
        }
    }

    @Test func aRequestWithinAnHourIsAnsweredWithTheSameJob() async throws {
        try await TestService.with { service in
            let jobs = try await withThrowingTaskGroup(of: JobID.self) { group in
                for _ in 0..<20 { group.addTask { try await start(service) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            let first = try #require(jobs.first)
            #expect(jobs.count == 1)
            try await make(first, service)
            #expect(try await start(service) == first)
            service.time.stop(at: WallClock.milliseconds() + 3_590_000)
            #expect(try await start(service) == first)
            service.time.stop(at: WallClock.milliseconds() + 3_610_000)
            let second = try await start(service)
            #expect(second != first)
            #expect(try await service.plain(.get, Self.path).status == 200, "the archive before it is still there")

            _ = try await service.ask(.post, "/api/v1/jobs/\(second)/cancel")
            service.time.stop(at: WallClock.milliseconds() + 3_620_000)
            #expect(try await start(service) != second, "a cancelled job is no archive")
            service.time.stop(at: WallClock.milliseconds() + 7 * 86_400_000 + 60_000)
            #expect(try await service.ask(.get, Self.path).status == 409, "a week is over, and another is made")
        }
    }

    @Test func aRepeatedKeyIsSaidToBeOne() async throws {
        try await TestService.with { service in
            let headers: HTTPHeaders = ["Idempotency-Key": "export-1"]
            let first = try await service.ask(.post, Self.path, headers: headers)
            let second = try await service.ask(.post, Self.path, headers: headers)
            #expect(first["data"]?["id"] == second["data"]?["id"] && second.status == 202)
            #expect(first.response.headers["Idempotent-Replayed"] == nil)
            #expect(second.response.headers["Idempotent-Replayed"] == "true")
        }
    }

    @Test func aDownloadWhosePartIsGoneBreaksOff() async throws {
        try await TestService.with { service in
            try await make(try await start(service), service, parts: 3)
            await #expect(throws: HTTPClientError.self) { try await service.plain(.get, Self.path) }
        }
    }

    @Test(arguments: [0, 1]) func aDownloadTakesAPlaceOfStreamsAndGivesItBack(streams: Int) async throws {
        try await TestService.with {
            var plan = Plan()
            plan.streams = streams
            $0.plans = CurrentPlans(Plans(standard: plan))
        } _: { service in
            try await make(try await start(service), service)
            if streams == 0 {
                let refused = try await service.ask(.get, Self.path)
                #expect(refused.status == 429 && refused.code == "BIZ_2007")
                #expect(refused["error"]?["details"]?["what"] == "streams")
            } else {
                for _ in 0..<3 {
                    #expect(try await service.plain(.get, Self.path).status == 200)
                    #expect(await eventually { service.broker.held.count == 0 })
                }
            }
        }
    }

    @Test func aUserWithoutRoomForJobsOrBytesMayAskForTheArchive() async throws {
        try await TestService.with {
            var plan = Plan()
            (plan.storedBytes, plan.unfinishedJobs) = (0, 0)
            $0.plans = CurrentPlans(Plans(standard: plan))
        } _: { service in
            #expect(try await service.ask(.post, "/api/v1/jobs", ["kind": "note", "input": [:]]).status >= 403)
            _ = try await start(service)
        }
    }

    @Test func onlyTheRouteOfTheArchiveMakesSuchJobsOfUsers() async throws {
        let tokens = SessionTokens(
            secret: Secret("our secret, which has 32 letters"), provider: IdentityProvider(secrets: []))
        try await TestService.with {
            $0.authentication = .jwt(tokens)
        } _: { service in
            let user = try await service.store.account(for: "ann")
            let token = try tokens.issue(to: user.subject).accessToken
            let headers: HTTPHeaders = ["Authorization": "Bearer \(token)"]
            let refused = try await service.ask(
                .post, "/api/v1/jobs", ["kind": "export", "input": [:]], headers: headers)
            #expect(refused.status == 403)
            _ = try await start(service, headers: headers)
            for method in [HTTPMethod.post, .get] {
                let path = "/api/v1/admin/users/\(user.id.rawValue)/export"
                #expect(try await service.ask(method, path, headers: headers).code == "AUTH_1004")
            }
        }
    }

    @Test func anOperatorMakesAndReadsTheArchiveOfAUserAndTheAuditSaysSo() async throws {
        try await TestService.with { service in
            _ = try await service.ask(.get, "/api/v1/credits", headers: ["X-User-ID": "1"])
            let operators: HTTPHeaders = ["X-User-ID": "7"]
            let job = try await start(service, Self.adminPath, headers: operators)
            #expect(try await start(service) == job, "it is the user's own job")
            try await make(job, service)
            let archive = try await service.plain(.get, Self.adminPath, user: "7")
            #expect(archive.status == 200 && archive.response.text.hasPrefix("{\"part\":0}\n"))
            #expect(try await service.ask(.get, Self.path, headers: operators).status == 404)
            let entries = try await service.store.auditEntries(
                AuditFilter(action: "users.export"), after: nil, limit: 9)
            #expect(entries.map { $0.details["step"] } == ["download", "start"])
            #expect(entries.allSatisfy { $0.target == "1" && $0.user == 1 && $0.actor.name == "7" })
            for method in [HTTPMethod.post, .get] {
                let unknown = try await service.ask(method, "/api/v1/admin/users/99/export", headers: operators)
                #expect(unknown.status == 404)
            }
        }
    }
}
