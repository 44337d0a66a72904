import DataSources
import FoundationEssentials
import JSON
import Prompts
import Testing

@testable import Agents

@Suite struct ScorecardTests {
    private static func item(_ metric: String, weight: Double, _ points: [(Double, Double)]) -> ChecklistItem {
        ChecklistItem(
            id: metric, question: "What of \(metric)?", needs: [], weight: weight,
            rule: ScoreRule(metric: metric, points: points.map { ScoreRule.Point(value: $0.0, score: $0.1) }))
    }

    /// A persona whose checklist weighs growth with 50, debt with 30 and price with 20.
    private static func persona(walkAways: [WalkAway] = []) -> Persona {
        Persona(
            id: "test", version: 3, name: "Test", summary: "", approach: "", voice: "",
            checklist: [
                item("revenue_growth_latest", weight: 50, [(0, 0), (0.1, 5), (0.2, 10)]),
                item("debt_to_equity", weight: 30, [(0, 10), (1, 0)]),
                item("price_to_earnings", weight: 20, [(10, 10), (30, 0)]),
            ], walkAways: walkAways, verdicts: Persona.Verdicts(fits: 70, mixed: 45))
    }

    /// Revenue grows by a tenth, debt is 0.4 of equity, earnings per share are 2.
    private static func company(_ years: Int = 6) -> SyntheticCompany {
        var company = SyntheticCompany(
            count: years, [.netIncome: 10, .totalDebt: 40, .equity: 100, .dilutedEPS: 2, .revenue: 100])
        company.set(.revenue, [110])
        return company
    }

    private static func scorecard(
        _ company: SyntheticCompany = company(), price: Double? = 40, monthsOld: Int = 3, walkAways: [WalkAway] = []
    ) throws -> Scorecard {
        let price = price.map { CompanyHistory.Price(value: $0, currency: "USD") }
        return Scorecard(
            of: persona(walkAways: walkAways), history: CompanyHistory(try company.fundamentals(), price: price),
            monthsOld: monthsOld)
    }

    @Test func scoreIsTheWeightedMeanOfTheAnswers() throws {
        let card = try Self.scorecard()
        // 5 × 0.5 + 6 × 0.3 + 5 × 0.2 = 5.3 of 10
        #expect(card.lines.map { $0.score.map { rounded($0, 6) } } == [5, 6, 5])
        #expect(card.score == 53 && card.verdict == .mixed)
    }

    @Test func abstentionsAreLeftOutOfTheScoreAndLowerTheConfidence() throws {
        let card = try Self.scorecard(price: nil)
        // (5 × 50 + 6 × 30) / 80
        #expect(card.score == 54 && card.lines[2].score == nil)
        // 60 × 0.8 + 25 × 6 / 10 + 15
        #expect(isNear(card.confidence, 78))
        #expect(isNear(try Self.scorecard().confidence, 90))
    }

    @Test func shortfallScoresZeroAndIsNoGap() throws {
        var company = Self.company()
        company.set(.dilutedEPS, [-1])
        let card = try Self.scorecard(company)
        #expect(card.lines[2].score == 0 && card.lines[2].outcome.value == nil)
        // 5 × 0.5 + 6 × 0.3 + 0
        #expect(card.score == 43 && card.verdict == .doesNotFit && isNear(card.confidence, 90))
    }

    @Test func fewerThanFourYearsIsAnAbstention() throws {
        let three = try Self.scorecard(Self.company(3))
        #expect(three.verdict == .abstains && three.score == nil)
        #expect(three.remarks.first == "The filings give 3 fiscal years; a judgement needs at least 4.")
        #expect(try Self.scorecard(Self.company(4)).verdict == .mixed)
    }

    @Test func lessThanHalfOfTheChecklistIsAnAbstention() throws {
        var company = Self.company()
        for year in company.years.keys { company.years[year]?[.revenue] = nil }
        // Debt and price make up exactly half.
        #expect(try Self.scorecard(company).score == 56)
        let card = try Self.scorecard(company, price: nil)
        #expect(card.verdict == .abstains && card.score == nil)
    }

    @Test func walkAwayThatHoldsDecidesTheVerdictAtAnyScore() throws {
        func walkAway(_ condition: WalkAway.Condition, _ metric: String = "debt_to_equity") -> WalkAway {
            WalkAway(id: "w", needs: [], metric: metric, condition: condition, because: "Too much.")
        }
        #expect(try Self.scorecard(walkAways: [walkAway(.above(0.39))]).verdict == .walksAway)
        #expect(try Self.scorecard(walkAways: [walkAway(.above(0.4))]).verdict == .mixed)
        #expect(try Self.scorecard(walkAways: [walkAway(.below(0.5))]).verdict == .walksAway)
        // A finding that cannot be tested does not hold; an abstention remains one.
        #expect(try Self.scorecard(walkAways: [walkAway(.below(9), "interest_cover")]).verdict == .mixed)
        #expect(try Self.scorecard(Self.company(3), walkAways: [walkAway(.above(0))]).verdict == .abstains)
    }

    @Test func verdictFollowsTheRoundedScore() throws {
        var company = Self.company()
        // Growth of 0.1672 scores 8.36, so that 69.8 is shown as 70.
        company.set(.revenue, [116.72])
        let card = try Self.scorecard(company, price: 40)
        #expect(card.score == 70 && card.verdict == .fits)
        #expect(card.json["score"]?.double == 70)
    }

    @Test(arguments: [(0, 15.0), (15, 15), (21, 7.5), (27, 0), (999, 0)])
    func oldFiguresLowerTheConfidence(months: Int, points: Double) throws {
        #expect(isNear(try Self.scorecard(monthsOld: months).confidence, 75 + points))
    }

    @Test func tenYearsAreAWholeHistory() throws {
        #expect(isNear(try Self.scorecard(Self.company(10)).confidence, 100))
        #expect(isNear(try Self.scorecard(Self.company(4)).confidence, 85))
    }

    @Test(arguments: [(-1.0, 0.0), (0, 0), (0.05, 2.5), (0.1, 5), (0.15, 7.5), (0.2, 10), (3, 10)])
    func scoreIsInterpolatedLinearlyBetweenThePoints(value: Double, score: Double) throws {
        let rule = Self.persona().checklist[0].rule
        #expect(isNear(rule.score(of: value), score))
    }

    @Test func scoreMayFallAgain() {
        let rule = ScoreRule(
            metric: "m", points: [(0.0, 1.0), (0.25, 10), (0.5, 6)].map { ScoreRule.Point(value: $0.0, score: $0.1) })
        #expect(isNear(rule.score(of: 0.375), 8) && rule.score(of: 1) == 6 && rule.score(of: -1) == 1)
    }
}

@Suite struct PersonaTests {
    @Test func everyPersonaNamesMetricsThatExistAndTheFiguresTheyAreMadeOf() throws {
        let personas = try ContentFiles.bundle.get().personas
        #expect(Set(personas.keys).isSuperset(of: ["buffett", "munger", "graham", "lynch", "fisher", "wood"]))
        for persona in personas.values {
            let named =
                persona.checklist.map { ($0.rule.metric, $0.needs) } + persona.walkAways.map { ($0.metric, $0.needs) }
            for (name, needs) in named {
                let metric = try #require(Metric.all[name], "\(persona.id): \(name)")
                #expect(Set(needs) == Set(metric.needs.map(\.rawValue)), "\(persona.id): \(name)")
            }
            #expect(isNear(persona.checklist.reduce(0) { $0 + $1.weight }, 100), "\(persona.id)")
        }
    }

    @Test func personaThatLeavesOutAFigureIsRejected() throws {
        var rules = ContentFiles.rules
        rules.metrics["roic_median"]?.insert("goodwill")
        #expect(throws: BundleProblems.self) { try BundleLoader.load(home: ContentFiles.path, rules: rules) }
    }

    /// Without a price and without the lines that banks lack, each persona scores half of its weight or abstains.
    @Test func noPersonaRestsOnThePriceForMoreThanHalf() throws {
        for persona in try ContentFiles.bundle.get().personas.values {
            let priced = persona.checklist.filter { Metric.all[$0.rule.metric]?.needsPrice == true }
            #expect(priced.reduce(0) { $0 + $1.weight } <= 50, "\(persona.id)")
        }
    }

    /// Rules are constant beyond their ends: a loss or a decline must not score above zero there.
    @Test func lossesAndShrinkingScoreNothing() throws {
        for persona in try ContentFiles.bundle.get().personas.values {
            for item in persona.checklist {
                let isEarning = item.rule.metric.hasPrefix("owner_earnings") || item.rule.metric.contains("roic")
                let isGrowth = item.rule.metric.contains("_growth_") && !item.rule.metric.hasSuffix("_years")
                guard isEarning || isGrowth else { continue }
                #expect(item.rule.score(of: -0.3) == 0, "\(persona.id): \(item.id)")
            }
        }
    }
}
