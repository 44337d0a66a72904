import Synchronization
import TestSupport
import Testing

@testable import JobQueue

/// Each user has the plan of the operator's choice, else of the tier, else the default one.
struct PlanTests {
    private static func plans() throws -> Plans {
        var (gold, team) = (Plan(), Plan())
        (gold.title, team.title) = ("Gold", "Team")
        return try #require(
            Plans(["standard": Plan(), "gold": gold, "team": team], default: "standard", service: .init()))
    }

    @Test("An operator's choice goes before the tier, and a name that no plan has counts as none")
    func theChoiceGoesBeforeTheTier() throws {
        let plans = try Self.plans()
        let expected: [(PlanChoice, String)] = [
            (PlanChoice(), "standard"), (PlanChoice(tier: "gold"), "gold"), (PlanChoice(tier: "Gold"), "standard"),
            (PlanChoice(chosen: "team", tier: "gold"), "team"), (PlanChoice(chosen: "gone", tier: "gold"), "gold"),
            (PlanChoice(chosen: "gone", tier: "gone"), "standard"),
        ]
        for (choice, name) in expected { #expect(plans.plan(for: choice).name == name, "\(choice)") }
    }

    @Test("A choice is read once a second, and not at all where there is one plan")
    func aChoiceIsReadOnceASecond() async throws {
        let records = CountedChoices()
        let time = Mutex(ContinuousClock.now)
        let current = CurrentPlans(try Self.plans())
        let users = UserPlans(current, records: records) { time.withLock { $0 } }
        for _ in 0..<5 { #expect(await users.plan(of: 7).title == "Gold") }
        #expect(records.reads == 1 && current.named(7).name == "gold" && current.named(8).name == "standard")
        records.choice.withLock { $0.chosen = "team" }
        time.withLock { $0 += .milliseconds(1001) }
        #expect(await users.plan(of: 7).title == "Team")
        records.choice.withLock { $0.chosen = nil }
        users.forget(7)
        #expect(await users.plan(of: 7).title == "Gold")
        #expect(records.reads == 3)
        try await users.note(tierOfRequest: "gold", of: 7)
        #expect(records.notes == [])
        try await users.note(tierOfRequest: "silver", of: 7)
        #expect(records.notes == ["silver"] && current.named(7).name == "standard")
        current.replace(with: Plans())
        #expect(await users.plan(of: 9) == Plan())
        try await users.note(tierOfRequest: "gold", of: 9)
        #expect(records.reads == 4 && records.notes == ["silver"])
    }
}

private final class CountedChoices: PlanRepository {
    let choice = Mutex(PlanChoice(tier: "gold"))
    private let counted = Mutex<(reads: Int, notes: [String?])>((0, []))

    var reads: Int { counted.withLock { $0.reads } }
    var notes: [String?] { counted.withLock { $0.notes } }

    func planChoice(of user: UserID) async throws(StoreError) -> PlanChoice {
        counted.withLock { $0.reads += 1 }
        return choice.withLock { $0 }
    }

    func noteTier(_ tier: String?, of user: UserID) async throws(StoreError) {
        counted.withLock { $0.notes.append(tier) }
        choice.withLock { $0.tier = tier }
    }

    func choosePlan(_ plan: String?, for user: UserID, audit: AuditEntry) async throws(StoreError) -> Bool { false }
}
