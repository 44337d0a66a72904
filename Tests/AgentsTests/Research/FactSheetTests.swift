import DataSources
import FoundationEssentials
import JSON
import Prompts
import TestSupport
import Testing

@testable import Agents

@Suite struct FactSheetTests {
    private static func reading(_ company: SyntheticCompany, _ persona: String = "buffett") throws
        -> Agents.CompanyReview
    {
        let persona = try #require(try ContentFiles.persona(persona))
        let facts = GatheredFacts(
            company: try company.company(), market: nil, marketProblem: "none", at: 1_740_000_000_000)
        return CompanyReview(of: facts, by: persona)
    }

    private static func line(_ id: String, of company: SyntheticCompany) throws -> FactSheet.Line? {
        try reading(company).sheet.lines.first { $0.id == id }
    }

    private static func apple(_ persona: String) throws -> Agents.CompanyReview {
        let persona = try #require(try ContentFiles.persona(persona))
        let company = CompanyFundamentals(
            company: Company(ticker: try Ticker("AAPL"), cik: try #require(CIK(320_193)), name: "Apple Inc."),
            fundamentals: try SharedFilings.appleFundamentals.get())
        let facts = GatheredFacts(company: company, market: nil, marketProblem: "none", at: 1_763_000_000_000)
        return CompanyReview(of: facts, by: persona)
    }

    private static let steady: [Concept: Decimal] = [.netIncome: 100_000_000, .revenue: 1_000_000_000]

    @Test func marginsAndGrowthOfEachYearAreGiven() throws {
        var company = SyntheticCompany(count: 5, Self.steady)
        company.set(.netIncome, [150_000_000])
        #expect(try Self.line("net_margin.FY2024", of: company)?.written.number == "15.0%")
        let growth = try #require(try Self.line("net_income_growth.FY2024", of: company))
        #expect(growth.written.number == "50.0%" && growth.inputs == ["net_income.FY2024", "net_income.FY2023"])
    }

    @Test func growthIsGivenOnlyOverTheYearBefore() throws {
        var company = SyntheticCompany(count: 5, Self.steady)
        company.years[2023] = nil
        #expect(try Self.line("revenue_growth.FY2024", of: company) == nil)
        #expect(try Self.line("revenue_growth.FY2022", of: company) != nil)
    }

    @Test func thereIsNoRateOfGrowthToOrFromALoss() throws {
        var company = SyntheticCompany(count: 5, Self.steady)
        company.set(.netIncome, [100_000_000, -50_000_000])
        #expect(try Self.line("net_income_growth.FY2024", of: company) == nil)
        #expect(try Self.line("net_income_growth.FY2023", of: company) == nil)
        #expect(try Self.line("net_income_growth.FY2022", of: company) != nil)
    }

    @Test func idsAreUniqueAndEvidenceIsOnTheSheet() throws {
        for persona in try ContentFiles.bundle.get().personas.keys {
            var company = SyntheticCompany(count: 10, [:])
            for year in company.years.keys {
                for concept in Concept.allCases { company.years[year]?[concept] = 10_000_000 }
            }
            let sheet = try Self.reading(company, persona)
            let ids = sheet.sheet.lines.map(\.id)
            #expect(Set(ids).count == ids.count)
            let evidence = sheet.scorecard.lines.flatMap(\.outcome.inputs) + sheet.sheet.lines.flatMap(\.inputs)
            #expect(
                Set(evidence).subtracting(ids).isEmpty,
                "\(persona): \(Set(evidence).subtracting(ids).sorted().prefix(5))")
        }
    }

    /// Several questions have the same points; a sentence tells them of what was measured.
    @Test(.enabled(if: SharedFilings.areThere, SharedFilings.absence), arguments: ["buffett", "graham", "fisher"])
    func pointsAreThoseOfTheQuestionWhoseMetricTheSentenceNames(persona: String) throws {
        let review = try Self.apple(persona)
        let lines = review.sheet.lines
        let check = FigureCheck(facts: lines.map(\.fact))
        var found = 0
        for line in review.scorecard.lines {
            let id = "score.\(line.item.id)"
            guard let points = lines.first(where: { $0.id == id })?.written.number else { continue }
            let sentence = "\(line.outcome.metric.title) counts \(points) of 10."
            let mentioned = check.mentions(in: ["text": .string(sentence)]).map { lines[$0.mention.fact].id }
            let stated = mentioned.filter { $0.hasPrefix("score.") }
            #expect(stated.allSatisfy { $0 == id }, "\(sentence) \(stated)")
            found += stated.count
        }
        #expect(found > 3)
    }

    /// An answer that quotes any line unchanged passes the check.
    @Test(.enabled(if: SharedFilings.areThere, SharedFilings.absence))
    func everyLineOfApplesSheetMayBeQuoted() throws {
        let reading = try Self.apple("graham")
        #expect(reading.sheet.lines.count > 300)
        for line in reading.sheet.lines {
            let check = FigureCheck(facts: [line.fact])
            let isShares = line.fact.unit == .shares
            let sentence = "It was \(line.written.number)\(line.written.unit)\(isShares ? "" : " then")."
            #expect(check.unsupported(in: sentence).isEmpty, "[\(line.id)] \(sentence)")
        }
    }

    @Test func shortfallIsNoGap() throws {
        let company = SyntheticCompany(
            count: 6,
            [
                .netIncome: 1_000_000, .currentAssets: 5_000_000, .currentLiabilities: 9_000_000,
                .longTermDebt: 1_000_000,
            ])
        let reading = try Self.reading(company, "graham")
        #expect(!reading.gaps.contains { $0.contains("long-term debt below net current assets") })
        let item = reading.promptInput["scorecard"]?["items"]?.array?.first {
            $0["question"]?.string?.contains("long-term debt below net current assets") == true
        }
        #expect(item?["score"]?.double == 0)
        #expect(item?["note"]?.string == "current assets did not exceed current liabilities in FY2024")
        #expect(reading.gaps.contains { $0.hasPrefix("Is debt moderate beside the equity? Not answered:") })
    }
}

@Suite struct NumberStyleTests {
    @Test(arguments: [
        (0.469, Fact.Unit.ratio, "46.9%"), (-0.0277, .ratio, "-2.8%"), (0, .ratio, "0.0%"), (12.5, .ratio, "1,250.0%"),
        (-0.0001, .ratio, "0.0%"), (46.16, .percent, "46.2%"), (1.338, .times, "1.34 times"),
        (0.004, .times, "0.00 times"),
        (0.889, .years, "0.9 years"), (15_004_697_000, .shares, "15,005 million shares"),
        (950, .shares, "950.00 shares"),
        (416_161_000_000, .usd, "416,161 million USD"), (-1_297_000_000, .usd, "-1,297 million USD"),
        (1_234_567, .usd, "1.23 million USD"), (9_996_000, .usd, "10.00 million USD"),
        (10_000_000, .usd, "10 million USD"),
        (999_999, .usd, "999,999.00 USD"), (12_345.678, .usd, "12,345.68 USD"), (7.46, .usd, "7.46 USD"),
        (-3.8, .usd, "-3.80 USD"), (0.2475, .usd, "0.25 USD"), (0.05, .currency("EUR"), "0.05 EUR"),
        (67, .number, "67"), (6.7, .number, "6.7"), (0, .number, "0"),
    ])
    func numberIsWrittenWithFewDigitsAndItsUnit(value: Double, unit: Fact.Unit, text: String) {
        let written = NumberStyle.write(value, unit)
        #expect(written.number + written.unit == text)
    }

    @Test func absurdAmountsDoNotTrap() {
        for value in [1e25, -1e30, 1e300, .infinity, .nan] {
            for unit in [Fact.Unit.usd, .ratio, .shares, .number] {
                #expect(!NumberStyle.write(value, unit).number.isEmpty)
            }
        }
    }

    /// A model that copies a line of the sheet must pass the check of its figures.
    @Test func writtenNumberIsAcceptedAsItsOwnFact() {
        var random = Seeded(state: 7)
        let units: [Fact.Unit] = [.ratio, .times, .years, .shares, .usd, .number, .currency("EUR")]
        for unit in units {
            for _ in 0..<300 {
                let magnitude = power(10, Double.random(in: -3...12, using: &random))
                var value = magnitude * (Bool.random(using: &random) ? 1 : -1)
                if [.shares, .years, .number].contains(unit) { value = abs(value) }
                if [.ratio, .times, .years, .number].contains(unit), abs(value) > 1e5 { continue }
                if unit == .number { value = rounded(value, 1) }
                let written = NumberStyle.write(value, unit)
                let check = FigureCheck(facts: [Fact(value, unit, label: "it")])
                let sentence = "The figure was \(written.number)\(written.unit) in that year."
                #expect(check.unsupported(in: sentence) == [], "\(value) \(unit)")
            }
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
