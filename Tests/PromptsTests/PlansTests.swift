import JobQueue
import Testing

@testable import Prompts

/// Each user has limits, which an operator may set in `plans.yaml`.
struct PlansTests {
    private static func problems(_ text: String) -> [String] {
        do throws(BundleProblems) {
            _ = try PlansReader.read(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("The file of the repository has the limits that hold without a file")
    func theFileOfTheRepositoryHasTheDefaults() throws {
        let home = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        #expect(try PlansReader.load(path: home + "/plans.yaml") == Plans())
    }

    @Test("A missing file is no error")
    func aMissingFileIsNoError() throws {
        #expect(try PlansReader.load(path: "/nonexistent/plans.yaml") == nil)
    }

    @Test("A file changes the limits that it names, and leaves the others")
    func aFileChangesTheLimitsThatItNames() throws {
        let plans = try PlansReader.read(
            """
            default: small
            service: {free_spend_dollars_per_day: 0.5}
            plans:
              small: {streams: 2, stored_mebibytes: 1, spend_dollars_per_day: 0.25, credits: {starting: 3, monthly: 7, carry_over: 2}}
              large: {}
            """)
        var expected = Plan()
        (expected.streams, expected.storedBytes) = (2, 1 << 20)
        (expected.spendPerDay, expected.startingCredits) = (250_000, 3)
        (expected.monthlyCredits, expected.carryOver) = (7, 2)
        #expect(plans.standard == expected)
        #expect(plans.plans["large"] == Plan())
        #expect(plans.service.freeSpendPerDay == 500_000 && plans.service.spendPerDay == 500_000_000)
    }

    @Test(
        "A wrong file is refused with the line of the mistake",
        arguments: [
            ("default: gold\nplans: {standard: {}}\n", "plans.yaml:1: unknown plan 'gold'"),
            ("default: a\nplans:\n  a:\n    streems: 3\n", "plans.yaml:4: unknown key 'plans.a.streems'"),
            ("default: a\nplans:\n  a:\n    streams: 0\n", "plans.yaml:4: 'plans.a.streams' is 0"),
            ("default: a\nplans:\n  a: {spend_dollars_per_day: -1}\n", "plans.yaml:3: 'plans.a.spend_dollars_per_day'"),
            ("default: a\n", "'plans' is missing"), ("plans: {a: {}}\n", "'default' is missing"),
            ("- 1\n", "plans.yaml:1"),
        ])
    func aWrongFileIsRefused(text: String, expected: String) {
        let problems = Self.problems(text)
        #expect(problems.contains { $0.contains(expected) }, "\(problems)")
    }

    @Test("A limit of requests in the settings takes precedence, and 0 lifts all limits of numbers and bytes")
    func settingsTakePrecedence() {
        let some = Plans().overridden(startingCredits: 4, requestsPerMinute: 7).standard
        #expect(some.requestsPerMinute == 7 && some.startingCredits == 4 && some.streams == 20)
        let none = Plans().overridden(startingCredits: nil, requestsPerMinute: 0).standard
        #expect(none.requestsPerMinute == nil && none.streams == nil && none.storedBytes == nil)
        #expect(none.sharedWorkPerDay == nil && none.spendPerDay == Plan().spendPerDay)
    }
}
