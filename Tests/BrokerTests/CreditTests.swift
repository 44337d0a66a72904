import Basics
import DossierAPI
import HTTP
import JSON
import JobQueue
import SQLSupport
import TestSupport
import Testing

@testable import Broker

/// Grants, the ledger, statements and receipts over HTTP.
@Suite(.timeLimit(.minutes(10))) struct CreditTests {
    private let order: JSON = [
        "user": "7", "amount": 5, "external_id": "appstore:1", "source": "purchase", "create": true,
    ]

    private func grant(_ service: TestService, _ changes: JSONObject = [:]) async throws -> Answer {
        var body = order
        for (name, value) in changes { body[name] = value }
        return try await service.ask(.post, "/api/v1/admin/credits/grants", body)
    }

    @Test func aGrantHappensOnceAndIsAnsweredAlike() async throws {
        try await TestService.with { service in
            let unknown = try await grant(service, ["create": false])
            #expect(unknown.status == 404 && unknown.code == "BIZ_2005")
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await grant(service) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count { $0.status == 201 } == 1 && answers.count { $0.status == 200 } == 19)
            #expect(Set(answers.map { $0["data"] ?? .null }).count == 1)
            #expect(answers.allSatisfy { ($0.status == 200) == ($0.response.headers["Idempotent-Replayed"] == "true") })
            let first = try #require(answers.first?["data"])
            #expect(first["applied"] == 5 && first["balance"]?["remaining"] == 15 && first["user"] == "7")
            #expect(try await service.credits(user: "7") == "15 granted, 15 left, 0 held, 0 used")
            for changes: JSONObject in [["amount": 6], ["source": "gift"], ["user": "8"]] {
                let other = try await grant(service, changes)
                #expect(other.status == 409 && other["error"]?["details"]?["reason"] == "key_reused")
            }
            let refund = try await grant(
                service, ["amount": -100, "external_id": "appstore:1:refund", "source": "refund"])
            #expect(refund["data"]?["applied"] == -15 && refund["data"]?["amount"] == -100)
            let audit = try await service.store.auditEntries(AuditFilter(target: "7"), after: nil, limit: 9)
            #expect(audit.map(\.action) == ["credits.grant", "credits.grant"] && audit[1].user == 7)
        }
    }

    @Test func operatorsReadTheMovementsOfAllUsersCredits() async throws {
        try await TestService.with { service in
            for user in ["1", "2"] {
                let job = try await service.submit(user: user)
                _ = try await service.ask(.post, "/api/v1/jobs/\(job)/cancel", headers: ["X-User-ID": user])
            }
            let path = "/api/v1/admin/ledger"
            let all = try await service.ask(.get, path)
            let entries = try #require(all["data"]?.array)
            #expect(entries.map { $0["user"]?["subject"] } == ["2", "2", "2", "1", "1", "1"])
            let own = try await service.ask(.get, "/api/v1/credits/ledger", headers: ["X-User-ID": "2"])["data"]?.array
            let stripped = try await service.ask(.get, path + "?user=2")["data"]?.array?.map { entry in
                JSON.object(JSONObject((entry.object ?? [:]).filter { $0.key != "user" }.map { ($0.key, $0.value) }))
            }
            #expect(stripped == own && own?.count == 3)
            let first = try await service.ask(.get, path + "?per_page=4")
            let cursor = try #require(first["pagination"]?["next_cursor"]?.string)
            let second = try await service.ask(.get, path + "?per_page=4&cursor=\(cursor)")
            #expect((first["data"]?.array ?? []) + (second["data"]?.array ?? []) == entries)
            #expect(second["pagination"]?["has_next"] == false)
            let released = try await service.ask(.get, path + "?type=release")["data"]?.array
            #expect(released?.count == 2)
            let job = try #require(released?.first?["job_id"]?.string)
            #expect(try await service.ask(.get, path + "?job=\(job)")["data"]?.array?.count == 2)
            #expect(try await service.ask(.get, path + "?user=nobody")["data"] == [])
            for query in ["type=other", "job=1", "from=yesterday", "cursor=x"] {
                let refused = try await service.ask(.get, "\(path)?\(query)")
                #expect(refused.status == 422, "\(query)")
            }
        }
    }

    @Test func aBadGrantNamesTheField() async throws {
        try await TestService.with { service in
            let long = JSON(String(repeating: "x", count: 201))
            let bad: [(String, JSON)] = [
                ("user", ""), ("user", "system"), ("user", 7), ("amount", 0), ("amount", 1_000_001),
                ("amount", -1_000_001), ("amount", 1.5), ("external_id", ""), ("external_id", long),
                ("external_id", "shop:\u{7}1"), ("user", "a\u{200E}"), ("source", "plan"),
                ("source", "start"), ("note", JSON(String(repeating: "n", count: 501))), ("create", "yes"), ("x", 1),
            ]
            for (field, value) in bad {
                let answer = try await grant(service, [field: value])
                #expect(answer.status == 422, "\(field): \(value.compact)")
                #expect(answer["error"]?["details"]?["field"] == JSON(field), "\(field): \(value.compact)")
            }
            #expect(try await service.store.auditEntries(AuditFilter(), after: nil, limit: 9) == [])
        }
    }

    @Test func onlyTheScopeForGrantsPermitsThem() async throws {
        let tokens = SessionTokens(secret: Secret("our secret, which has 32 letters"))
        try await TestService.with({ $0.authentication = .jwt(tokens) }) { service in
            let token = try tokens.issue(to: "o", profile: SessionTokens.Profile(role: .operator)).accessToken
            let answer = try await service.ask(
                .post, "/api/v1/admin/credits/grants", order, headers: ["Authorization": "Bearer \(token)"])
            #expect(answer.status == 403 && answer["error"]?["details"]?["required"] == "credits:grant")
        }
    }

    @Test func theLedgerAddsUpToTheCredits() async throws {
        try await TestService.with { service in
            _ = try await grant(service, ["user": "1"])
            let job = try await service.submit()
            let ledger = try await service.ask(.get, "/api/v1/credits/ledger")
            let entries = try #require(ledger["data"]?.array)
            #expect(entries.map { $0["type"] } == ["hold", "grant", "grant"])
            #expect(entries.map { $0["source"] } == [.null, "purchase", "start"])
            #expect(entries[0]["job_id"] == JSON(job.description) && entries[0]["kind"] == "research")
            #expect(entries[0]["after"] == ["remaining": 14, "held": 1, "used": 0])
            let page = try await service.ask(.get, "/api/v1/credits/ledger?per_page=2")
            #expect(page["pagination"]?["has_next"] == true)
            let cursor = try #require(page["pagination"]?["next_cursor"]?.string)
            let rest = try await service.ask(.get, "/api/v1/credits/ledger?per_page=2&cursor=\(cursor)")
            #expect(rest["data"]?.array == [entries[2]] && rest["pagination"]?["has_next"] == false)
            let grants = try await service.ask(.get, "/api/v1/credits/ledger?type=grant")
            #expect(grants["data"]?.array?.count == 2)
            for query in ["type=gift", "from=today", "cursor=x", "per_page=201", "page=1"] {
                #expect(try await service.ask(.get, "/api/v1/credits/ledger?\(query)").status == 422, "\(query)")
            }
            let newcomer = try await service.ask(.get, "/api/v1/credits/ledger", headers: ["X-User-ID": "new"])
            #expect(newcomer["data"]?.array?.count == 1)
            #expect(try await service.credits(user: "new") == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aStatementBalances() async throws {
        try await TestService.with { service in
            service.time.stop(at: WallClock.milliseconds())
            _ = try await grant(service, ["user": "1"])
            let statement = try await service.ask(.get, "/api/v1/credits/statement")
            #expect(statement["data"]?["granted"] == ["purchase": 5, "start": 10])
            #expect(statement["data"]?["opening"] == 0 && statement["data"]?["closing"] == 15)
            #expect(statement["data"]?["used"] == [:] && statement["data"]?["jobs"] == 0)
            let past = try await service.ask(.get, "/api/v1/credits/statement?month=2001-02")
            #expect(past["data"]?["closing"] == 0 && past["data"]?["month"] == "2001-02")
            for month in ["2001-13", "2001-1", "now", "2001-02-03"] {
                let answer = try await service.ask(.get, "/api/v1/credits/statement?month=\(month)")
                #expect(answer.status == 422 && answer["error"]?["details"]?["field"] == "month", "\(month)")
            }
        }
    }

    @Test func aReceiptTellsWhatAJobCosts() async throws {
        try await TestService.with { service in
            let job = try await service.submit()
            let held = try await service.ask(.get, "/api/v1/jobs/\(job)/receipt")
            #expect(held["data"]?["held"] == 1 && held["data"]?["charged"] == 0)
            #expect(held["data"]?["sentence"]?.string?.hasPrefix("1 credit is held") == true)
            _ = try await service.ask(.post, "/api/v1/jobs/\(job)/cancel")
            let released = try await service.ask(.get, "/api/v1/jobs/\(job)/receipt")
            #expect(released["data"]?["held"] == 0 && released["data"]?["charged"] == 0)
            #expect(released["data"]?["entries"]?.array?.map { $0["type"] } == ["hold", "release"])
            let other = try await service.ask(.get, "/api/v1/jobs/\(job)/receipt", headers: ["X-User-ID": "2"])
            #expect(other.status == 404)
        }
    }
}
