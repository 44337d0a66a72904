import HTTP
import JSON
import JobQueue
import Observability
import SQLSupport
import TestSupport
import Testing

@testable import Broker

/// The plans of users over HTTP: their limits, an operator's choice, and the credits of months.
@Suite(.timeLimit(.minutes(10))) struct UserPlanTests {
    private static func plans() throws -> CurrentPlans {
        var gold = Plan()
        (gold.title, gold.monthlyCredits, gold.requestsPerMinute) = ("Gold", 25, 7000)
        gold.startingCredits = 4
        var small = Plan()
        (small.title, small.monthlyCredits, small.unfinishedJobs) = ("Small", 5, 1)
        return CurrentPlans(
            try #require(
                Plans(["standard": Plan(), "gold": gold, "small": small], default: "standard", service: .init())))
    }

    private func choose(_ plan: JSON, for user: Int, _ service: TestService) async throws -> Answer {
        try await service.ask(.put, "/api/v1/admin/users/\(user)/plan", ["plan": plan])
    }

    @Test func theUserSeesThePlanWithItsLimitsAndTheCreditsOfTheMonth() async throws {
        let plans = try Self.plans()
        try await TestService.with({ $0.plans = plans }) { service in
            let me = try await service.ask(.get, "/api/v1/users/me?user_id=7")
            #expect(me["data"]?["plan"]?["id"] == "standard" && me["data"]?["monthly"] == ["granted": 0, "used": 0])
            #expect(me["data"]?["plan"]?["limits"]?["unfinished_jobs"] == 500)
            #expect(me["data"]?["credits"]?["remaining"] == 10)
            let from = try #require(me["data"]?["period"]?["from"]?.string)
            #expect(from.hasSuffix("-01T00:00:00.000Z"))
            let chosen = try await choose("gold", for: 7, service)
            #expect(chosen.status == 200 && chosen["data"]?["plan"] == ["id": "gold", "title": "Gold"])
            #expect(chosen["data"]?["chosen"] == "gold" && chosen["data"]?["tier"]?.isNull == true)
            let gold = try await service.ask(.get, "/api/v1/users/me?user_id=7")
            #expect(gold["data"]?["plan"]?["title"] == "Gold" && gold["data"]?["monthly"]?["granted"] == 25)
            #expect(gold.response.headers["X-RateLimit-Limit"] == "7000")
            let back = try await choose(nil, for: 7, service)
            #expect(back["data"]?["plan"]?["id"] == "standard" && back["data"]?["chosen"]?.isNull == true)
            let ledger = try await service.ask(.get, "/api/v1/credits/ledger?user_id=7")
            #expect(ledger["data"]?.array?.map { $0["source"] ?? .null } == ["plan", "start"])
            let audit = try await service.store.auditEntries(AuditFilter(action: "users.plan"), after: nil, limit: 9)
            #expect(audit.map(\.details) == [["plan": nil], ["plan": "gold"]] && audit.allSatisfy { $0.user == 7 })
        }
    }

    @Test func limitsAreThoseOfTheUsersOwnPlan() async throws {
        let plans = try Self.plans()
        try await TestService.with({ $0.plans = plans }) { service in
            let later = (CalendarMonth(of: Timestamp(milliseconds: service.time.now)).end + .seconds(1)).iso8601
            func submit(_ user: String) async throws -> Int {
                try await service.ask(
                    .post, "/api/v1/jobs", ["kind": "note", "input": [:], "run_at": JSON(later)],
                    headers: ["X-User-ID": user]
                ).status
            }
            _ = try await service.ask(.get, "/api/v1/users/me?user_id=1")
            _ = try await service.ask(.get, "/api/v1/users/me?user_id=2")
            #expect(try await choose("small", for: 2, service).status == 200)
            var statuses: [Int] = []
            for user in ["1", "1", "2", "2"] { statuses.append(try await submit(user)) }
            #expect(statuses == [202, 202, 202, 429])
        }
    }

    @Test func aBadChoiceNamesTheFieldAndAnUnknownUserIsNotFound() async throws {
        let plans = try Self.plans()
        try await TestService.with({ $0.plans = plans }) { service in
            _ = try await service.ask(.get, "/api/v1/users/me?user_id=7")
            for body: JSON in [[:], ["plan": "silver"], ["plan": 7], ["plan": "gold", "x": 1]] {
                let answer = try await service.ask(.put, "/api/v1/admin/users/7/plan", body)
                #expect(answer.status == 422, "\(body.compact)")
                let field = body["x"] == nil ? "plan" : "x"
                #expect(answer["error"]?["details"]?["field"] == JSON(field), "\(body.compact)")
            }
            for user in ["8", "-1", "x", "99999999999999999999"] {
                let answer = try await service.ask(.put, "/api/v1/admin/users/\(user)/plan", ["plan": "gold"])
                #expect(answer.status == 404 && answer.code == "BIZ_2005", "\(user)")
            }
            #expect(try await service.store.auditEntries(AuditFilter(), after: nil, limit: 9) == [])
        }
    }

    @Test func aGrantOfAnOperatorComesAfterTheCreditsOfTheMonth() async throws {
        let plans = try Self.plans()
        try await TestService.with({ $0.plans = plans }) { service in
            let user = try await service.store.account(for: "7").id
            let entry = AuditEntry(
                id: JobID(high: 7, low: 7), at: Timestamp(milliseconds: 0),
                actor: AuditActor(.cli, id: "root", name: "root"), action: "users.plan", target: "7", user: user)
            #expect(try await service.store.choosePlan("gold", for: user, audit: entry))
            let granted = try await service.ask(
                .post, "/api/v1/admin/credits/grants",
                ["user": "7", "amount": 3, "external_id": "gift:1", "source": "gift"])
            #expect(granted.status == 201)
            let entries = try await service.store.ledger(of: user, LedgerFilter(), before: nil, limit: 9)
            #expect(entries.map(\.amount) == [3, 25, 4])
        }
    }

    @Test func twentyBrokersBeginAMonthOnce() async throws {
        let plans = try Self.plans()
        try await TestService.with({ $0.plans = plans }) { service in
            _ = try await service.ask(.get, "/api/v1/users/me?user_id=7")
            #expect(try await choose("gold", for: 7, service).status == 200)
            let end = CalendarMonth(of: Timestamp(milliseconds: service.time.now)).end
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let months = MonthlyGrants(
                            records: service.store, plans: plans, now: { end }, logger: .silent)
                        try await months.beginAll(CalendarMonth(of: end))
                        try await months.begin(for: 7)
                    }
                }
                try await group.waitForAll()
            }
            // The plan had 4 credits for the start when the first ones came.
            #expect(try await service.credits(user: "7") == "29 granted, 29 left, 0 held, 0 used")
            let entries = try await service.store.ledger(of: 7, LedgerFilter(), before: nil, limit: 9)
            #expect(entries.map(\.amount) == [25, -25, 25, 4])
        }
    }
}
