import BrokerClient
import HTTP
import JSON
import JobQueue
import Observability
import SQLSupport
import SQLiteStore
import Testing

@testable import Broker

/// Operations on all jobs that match a filter.
@Suite(.timeLimit(.minutes(10))) struct BulkOperationTests {
    private static let path = "/api/v1/admin/operations"

    /// Waits for the end of an operation, which a broker works on in the background.
    private func completed(_ id: String, _ service: TestService) async throws -> JSON {
        while true {
            let answer = try await service.ask(.get, Self.path + "/\(id)")
            if answer["data"]?["status"] == "completed" { return answer["data"] ?? .null }
            await Task.yield()
        }
    }

    @Test func allJobsThatMatchAreCancelledOnceAndEachIsAudited() async throws {
        try await TestService.with { service in
            var jobs: [JobID] = []
            for user in ["alice", "alice", "bob"] { jobs.append(try await service.submit(user: user)) }
            let filter: JSON = ["user": "alice", "status": "pending"]
            let preview = try await service.ask(
                .post, Self.path, ["action": "cancel", "filter": filter, "preview": true])
            #expect(preview.status == 200 && preview["data"]?["matched"] == 2)
            #expect(
                preview["data"]?["sample"]?.array?.compactMap(\.string) == [jobs[1].description, jobs[0].description])
            #expect(try await service.store.job(jobs[0], of: nil)?.status == .pending)
            let started = try await service.ask(
                .post, Self.path, ["action": "cancel", "filter": filter, "note": "moved"])
            let id = try #require(started["data"]?["id"]?.string)
            #expect(started.status == 202 && started["data"]?["matched"] == 2)
            #expect(started.response.headers["Location"] == Self.path + "/\(id)")
            let done = try await completed(id, service)
            #expect(done["changed"] == 2 && done["done"] == 2 && done["skipped"] == 0 && done["failed"] == 0)
            #expect(done["filter"] == ["status": "pending", "user": "alice"] && done["note"] == "moved")
            #expect(try await service.store.job(jobs[0], of: nil)?.status == .cancelled)
            #expect(try await service.store.job(jobs[2], of: nil)?.status == .pending)
            let results = try await service.ask(.get, Self.path + "/\(id)/results?per_page=1")
            #expect(results["data"]?[0]?["outcome"] == "changed")
            #expect(results["data"]?[0]?["job_id"]?.string == jobs[1].description)
            let cursor = try #require(results["pagination"]?["next_cursor"]?.string)
            let rest = try await service.ask(.get, Self.path + "/\(id)/results?cursor=\(cursor)")
            #expect(rest["data"]?.array?.map { $0["job_id"]?.string } == [jobs[0].description])
            let audit = try await service.store.auditEntries(AuditFilter(), after: nil, limit: 9)
            #expect(audit.count == 3 && audit.count { $0.action == "jobs.cancel" } == 2)
            #expect(audit.count { $0.action == "operations.start" && $0.target == id } == 1)
        }
    }

    @Test func chosenJobsAreChangedAndNoOthers() async throws {
        try await TestService.with { service in
            var jobs: [JobID] = []
            for user in ["alice", "bob", "alice"] { jobs.append(try await service.submit(user: user)) }
            let gone = "00000000-0000-7000-8000-000000000000"
            let ids: JSON = [
                JSON(jobs[2].description), JSON(jobs[1].description), JSON(gone), JSON(jobs[2].description),
            ]
            let preview = try await service.ask(.post, Self.path, ["action": "cancel", "ids": ids, "preview": true])
            #expect(preview["data"]?["matched"] == 2)
            #expect(
                preview["data"]?["sample"]?.array?.compactMap(\.string) == [jobs[2].description, jobs[1].description])
            let started = try await service.ask(.post, Self.path, ["action": "cancel", "ids": ids])
            let done = try await completed(try #require(started["data"]?["id"]?.string), service)
            #expect(done["changed"] == 2 && done["filter"] == [:])
            #expect(try await service.store.job(jobs[0], of: nil)?.status == .pending)
            #expect(try await service.store.job(jobs[1], of: nil)?.status == .cancelled)
        }
    }

    @Test func whatCannotBeChangedIsSkippedWithItsCode() async throws {
        try await TestService.with { service in
            let ended = try await service.submit(user: "alice")
            let poor = try await service.submit(user: "bob")
            for job in [ended, poor] { _ = try await service.store.cancel(job, of: nil) }
            let bob = try #require(try await service.store.knownAccount(of: "bob"))
            let balance = try await service.store.balance(of: bob.id, startingCredits: 0)
            _ = try await service.store.grant(-balance.remaining, to: bob.id, note: "", startingCredits: 0)
            let started = try await service.ask(
                .post, Self.path, ["action": "retry", "filter": ["status": "cancelled"]])
            let id = try #require(started["data"]?["id"]?.string)
            let done = try await completed(id, service)
            #expect(done["changed"] == 1 && done["skipped"] == 1)
            let results = try await service.ask(.get, Self.path + "/\(id)/results")["data"]?.array ?? []
            #expect(results.first { $0["job_id"]?.string == poor.description }?["code"] == "BIZ_2001")
            #expect(results.first { $0["job_id"]?.string == ended.description }?["outcome"] == "changed")
        }
    }

    @Test func anotherProcessGoesOnAfterADeathAndCountsWhatWasChangedBefore() async throws {
        try await TestService.with { service in
            var jobs: [JobID] = []
            for _ in 0..<3 { jobs.append(try await service.submit()) }
            let store = service.store
            let operation = BulkOperation(
                id: "op", action: .cancel, filter: [:], user: nil, note: nil,
                actor: AuditActor(.user, id: "1", name: "1"), requestID: nil, fingerprint: "f",
                startedAt: try await store.now())
            _ = try await store.prepare(operation)
            try await store.add(jobs, to: "op", from: 1)
            var generator = SystemRandomNumberGenerator()
            let audit = AuditEntry(
                id: JobID(at: try await store.now(), using: &generator), at: try await store.now(),
                actor: operation.actor, action: "operations.start")
            // A process changed a job, and died before it noted so.
            _ = try await store.cancel(jobs[0], of: nil, by: .operator, audit: operation.auditEntry(of: jobs[0]))
            _ = try await store.start("op", matched: 3, audit: audit)
            let done = try await completed("op", service)
            #expect(done["changed"] == 3 && done["skipped"] == 0)
            let entries = try await store.auditEntries(AuditFilter(action: "jobs.cancel"), after: nil, limit: 9)
            #expect(entries.count == 3)
        }
    }

    @Test func wrongMembersAreNamed() async throws {
        try await TestService.with { service in
            let wrong: [(JSON, String)] = [
                ([:], "action"), (["action": "delete", "filter": ["kind": "x"]], "action"),
                (["action": "cancel"], "filter"), (["action": "cancel", "filter": [:]], "filter"),
                (["action": "cancel", "filter": ["status": "odd"]], "filter.status"),
                (["action": "cancel", "filter": ["status": 1]], "filter.status"),
                (["action": "cancel", "filter": ["colour": "red"]], "colour"),
                (["action": "cancel", "filter": ["kind": "x"], "x": 1], "x"),
                (["action": "cancel", "ids": []], "ids"), (["action": "cancel", "ids": ["x"]], "ids"),
                (["action": "cancel", "ids": "x"], "ids"),
                (
                    ["action": "cancel", "ids": ["00000000-0000-7000-8000-000000000000"], "filter": ["kind": "x"]],
                    "filter"
                ),
                (["action": "cancel", "filter": ["q": "..."]], "filter.q"),
            ]
            for (body, field) in wrong {
                let answer = try await service.ask(.post, Self.path, body)
                #expect(answer.status == 422 && answer.field == field, "\(body.compact)")
            }
            let nobody = try await service.ask(
                .post, Self.path, ["action": "cancel", "filter": ["user": "nobody"], "preview": true])
            #expect(nobody["data"]?["matched"] == 0)
            #expect(try await service.ask(.get, Self.path + "/none").status == 404)
        }
    }

    @Test func aRepetitionWithItsKeyStartsNoSecondOperation() async throws {
        try await TestService.with { service in
            let job = try await service.submit()
            let key: HTTPHeaders = ["Idempotency-Key": "again"]
            let body: JSON = ["action": "cancel", "filter": ["kind": "research"]]
            let first = try await service.ask(.post, Self.path, body, headers: key)
            let later = try await service.submit()
            let second = try await service.ask(.post, Self.path, body, headers: key)
            #expect(second["data"] == first["data"] && second.response.headers["Idempotent-Replayed"] == "true")
            _ = try await completed(try #require(first["data"]?["id"]?.string), service)
            #expect(try await service.store.job(job, of: nil)?.status == .cancelled)
            #expect(try await service.store.job(later, of: nil)?.status == .pending)
            let other = try await service.ask(
                .post, Self.path, ["action": "retry", "filter": ["kind": "research"]], headers: key)
            #expect(other.status == 409)
        }
    }
}
