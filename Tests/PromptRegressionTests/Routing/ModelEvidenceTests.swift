import Basics
import TestSupport
import Testing

@testable import PromptRegression

@Suite struct ModelEvidenceTests {
    private let day = CalendarDate("2026-11-22")
    private let real = ModelEvidence.Source(model: "m", isSimulated: false)

    @Test func thePriceIsThatOfTheContract() {
        // (1 + 0.5·2) ÷ (0.5 + 0.5·0.5)
        let price = AcceptedAnswer.price(draft: (1, 0.5), repair: (2, 0.5))
        #expect(abs((price ?? 0) - 8.0 / 3) < 1e-12)
        #expect(AcceptedAnswer.price(draft: (3, 1), repair: (100, 0)) == 3)
        #expect(AcceptedAnswer.price(draft: (3, 0), repair: (1, 0)) == nil)
        // A cheap model whose drafts fail can be the dearer one.
        let cheap = AcceptedAnswer.price(draft: (1, 0.3), repair: (3, 0.4)) ?? 0
        let dear = AcceptedAnswer.price(draft: (2, 1), repair: (0, 0)) ?? .infinity
        #expect(cheap > dear)
    }

    @Test func thePriceIsEverythingPaidForEachAcceptedAnswer() throws {
        let day = try #require(day)
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            var evidence = ModelEvidence(real)
            var (paid, accepted) = (0.0, 0)
            for _ in 0..<Int.random(in: 1...60, using: &random) {
                let cost = Int64.random(in: 1...900, using: &random)
                paid += Double(cost)
                switch Int.random(in: 0...3, using: &random) {
                case 0: evidence.add(cost: cost, on: day, rejection: .final)
                case 1:
                    let (passes, repair) = (Bool.random(using: &random), Int64.random(in: 1...900, using: &random))
                    evidence.add(cost: cost, on: day, rejection: .repair(passes: passes, cost: repair))
                    paid += Double(repair)
                    accepted += passes ? 1 : 0
                default:
                    evidence.add(cost: cost, on: day, rejection: nil)
                    accepted += 1
                }
            }
            #expect(evidence.accepted == accepted)
            guard accepted > 0 else {
                #expect(evidence.price == nil)
                continue
            }
            #expect(abs((evidence.price ?? 0) - paid / Double(accepted)) < 1e-6)
        }
    }

    @Test func aModelIsEligibleByItsLowerBoundAfterRepair() throws {
        let day = try #require(day)
        func verdict(passed: Int, repaired: Int = 0, final: Int = 0, open: Int = 0, floor: Double = 0.95)
            -> ModelEvidence.Verdict
        {
            var evidence = ModelEvidence(real)
            for _ in 0..<passed { evidence.add(cost: 1, on: day, rejection: nil) }
            for _ in 0..<repaired { evidence.add(cost: 1, on: day, rejection: .repair(passes: true, cost: 1)) }
            for _ in 0..<final { evidence.add(cost: 1, on: day, rejection: .final) }
            for _ in 0..<open { evidence.add(cost: 1, on: day, rejection: .notAskedAgain) }
            return evidence.verdict(floor: floor, isUsable: true)
        }
        #expect(verdict(passed: 73) == .eligible)
        #expect(verdict(passed: 72) == .tooFew(furtherPasses: 1))
        #expect(verdict(passed: 60, repaired: 13) == .eligible)
        #expect(verdict(passed: 60, final: 40) == .belowFloor)
        #expect(verdict(passed: 60, final: 40, floor: 0.45) == .eligible)
        // Drafts that nobody asked for again may still turn out well.
        guard case .tooFew = verdict(passed: 60, open: 40) else {
            Issue.record("it is not known whether these drafts can be repaired")
            return
        }
        #expect(ModelEvidence(real).verdict(floor: 0.95, isUsable: false) == .notUsable)
        #expect(ModelEvidence(real).verdict(floor: 0.95, isUsable: true) == .tooFew(furtherPasses: 73))
    }
}
