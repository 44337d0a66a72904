import BrokerClient
import HTTP
import JSON
import JobQueue
import SQLSupport
import Testing

@testable import Broker
@testable import SQLiteStore

/// Pauses of kinds and lanes, as operators and users see them.
@Suite(.timeLimit(.minutes(10))) struct PauseTests {
    private static let path = "/api/v1/admin/pauses"

    @Test func aPauseHoldsJobsSaysSoToEverybodyAndEnds() async throws {
        try await TestService.with { service in
            let before = try await service.submit()
            let made = try await service.ask(.post, Self.path, ["kind": "research", "note": "a bad bundle"])
            #expect(made.status == 201 && made["data"]?["kind"] == "research" && made["data"]?["lane"] == .null)
            let id = try #require(made["data"]?["id"]?.string)
            let after = try await service.submit()
            for job in [before, after] {
                let own = try await service.ask(.get, "/api/v1/jobs/\(job)")
                #expect(own["data"]?["blocked_by"]?["reason"] == "paused")
                #expect(own["data"]?["blocked_by"]?["until"] == .null)
                let why = try await service.ask(.get, "/api/v1/admin/jobs/\(job)")["data"]?["why"]
                #expect(why?["code"] == "paused" && why?["details"]?["kind"] == "research")
                #expect(why?["details"]?["note"] == "a bad bundle" && why?["details"]?["by"] == made["data"]?["by"])
                #expect(why?["sentence"]?.string?.contains("a bad bundle") == true)
            }
            let list = try await service.ask(.get, "/api/v1/admin/jobs?why=paused")
            #expect(list["data"]?.array?.count == 2 && list["data"]?[0]?["deadline"] == .null)
            let overview = try await service.ask(.get, "/api/v1/admin/overview")
            #expect(overview["data"]?["pauses"]?.array?.map { $0["id"]?.string } == [id])
            #expect(try await service.ask(.get, "/api/v1/kinds/research")["data"]?["paused"] == true)
            #expect(try await service.ask(.get, "/api/v1/kinds/explanation")["data"]?["paused"] == false)
            let ended = try await service.ask(.delete, Self.path + "/\(id)")
            #expect(ended.status == 200 && ended["data"]?["id"]?.string == id)
            #expect(try await service.ask(.delete, Self.path + "/\(id)").status == 404)
            #expect(try await service.ask(.get, Self.path)["data"] == [])
            let row = try await service.ask(.get, "/api/v1/admin/jobs/\(before)")
            #expect(row["data"]?["why"]?["code"] == "no_worker" && row["data"]?["deadline"]?.string != nil)
            let audit = try await service.store.auditEntries(AuditFilter(), after: nil, limit: 9)
            #expect(audit.map(\.action) == ["pauses.delete", "pauses.create"])
            #expect(audit.last?.details["kind"] == "research" && audit.last?.target == id)
        }
    }

    @Test func theUserLearnsWhenAPauseEndsByItself() async throws {
        try await TestService.with { service in
            let until = Timestamp(milliseconds: service.time.now + 3_600_000).iso8601
            let made = try await service.ask(.post, Self.path, ["lane": "background", "until": JSON(until)])
            #expect(made.status == 201 && made["data"]?["until"]?.string == until)
            let job = try await service.submit()
            let own = try await service.ask(.get, "/api/v1/jobs/\(job)")
            #expect(own["data"]?["blocked_by"]?["until"]?.string == until)
        }
    }

    @Test func aRepetitionWithItsKeyMakesNoSecondPause() async throws {
        try await TestService.with { service in
            let key: HTTPHeaders = ["Idempotency-Key": "night"]
            let first = try await service.ask(.post, Self.path, ["kind": "research"], headers: key)
            // The store's clock goes on.
            let since = try #require(try await service.store.pauses().first).since
            while try await service.store.now() <= since { await Task.yield() }
            let second = try await service.ask(.post, Self.path, ["kind": "research"], headers: key)
            #expect(second.status == 201 && second["data"] == first["data"])
            #expect(
                second.response.headers["Idempotent-Replayed"] == "true"
                    && first.response.headers["Idempotent-Replayed"] == nil)
            let other = try await service.ask(.post, Self.path, ["lane": "interactive"], headers: key)
            #expect(other.status == 409 && other["error"]?["details"]?["reason"] == "key_reused")
            #expect(try await service.ask(.get, Self.path)["data"]?.array?.count == 1)
        }
    }

    /// Another process holds the lock for longer than a user's request waits.
    @Test func aPauseWaitsForADatabaseThatIsBusy() async throws {
        try await TestService.with { service in
            let other = try SQLiteConnection(path: service.store.path, readOnly: false, busyTimeout: 60_000)
            try other.execute("BEGIN IMMEDIATE")
            async let pause = service.ask(.post, Self.path, ["kind": "research"])
            let start = ContinuousClock.now
            while .now - start < .seconds(2) { _ = try await service.ask(.get, "/api/v1/kinds/research") }
            try other.execute("ROLLBACK")
            #expect(try await pause.status == 201)
        }
    }

    @Test func wrongMembersAreNamed() async throws {
        try await TestService.with { service in
            let wrong: [(JSON, String)] = [
                ([:], "kind"), (["kind": "none"], "kind"), (["lane": "fast"], "lane"),
                (["kind": "research", "lane": "background"], "lane"), (["kind": "research", "until": "soon"], "until"),
                (["kind": "research", "until": "2001-01-01T00:00:00Z"], "until"), (["kind": "research", "x": 1], "x"),
                (["kind": "research", "note": JSON(String(repeating: "n", count: 501))], "note"),
            ]
            for (body, field) in wrong {
                let answer = try await service.ask(.post, Self.path, body)
                #expect(answer.status == 422 && answer.field == field, "\(body.compact)")
            }
        }
    }
}
