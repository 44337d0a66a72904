import DataSources
import FoundationEssentials
import JSON
import Prompts
import Testing

@testable import Agents

@Suite struct FactSheetTests {
    private static func reading(_ company: SyntheticCompany, _ persona: String = "buffett") throws -> Agents.CompanyReview {
        let persona = try #require(try Home.persona(persona))
        let facts = GatheredFacts(
            company: try company.company(), market: nil, marketProblem: "none", at: 1_740_000_000_000)
        return CompanyReview(of: facts, by: persona)
    }

    private static func line(_ id: String, of company: SyntheticCompany) throws -> FactSheet.Line? {
        try reading(company).sheet.lines.first { $0.id == id }
    }

    private static let steady: [Concept: Decimal] = [.netIncome: 100_000_000, .revenue: 1_000_000_000]

    @Test func marginsAndGrowthOfEachYearAreGiven() throws {
        var company = SyntheticCompany(count: 5, Self.steady)
        company.set(.netIncome, [150_000_000])
        #expect(try Self.line("net_margin.FY2024", of: company)?.written.number == "15.0%")
        let growth = try #require(try Self.line("net_income_growth.FY2024", of: company))
        #expect(growth.written.number == "50.0%" && growth.inputs == ["net_income.FY2024", "net_income.FY2023"])
    }

    @Test func growthIsGivenOnlyOnTheYearBefore() throws {
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
        for persona in try Home.bundle.get().personas.keys {
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

    /// A model that quotes any line as it stands passes the check.
    @Test(.enabled(if: SharedData.isThere, "../shared/data/sec is not there"))
    func everyLineOfApplesSheetMayBeQuoted() throws {
        let persona = try #require(try Home.persona("graham"))
        let company = CompanyFundamentals(
            company: Company(ticker: try Ticker("AAPL"), cik: try #require(CIK(320_193)), name: "Apple Inc."),
            fundamentals: try SharedData.appleFundamentals.get())
        let facts = GatheredFacts(company: company, market: nil, marketProblem: "none", at: 1_763_000_000_000)
        let reading = CompanyReview(of: facts, by: persona)
        #expect(reading.sheet.lines.count > 300)
        for line in reading.sheet.lines {
            let check = FigureCheck(facts: [line.fact])
            let isShares = line.fact.unit == .shares
            let sentence = "It was \(line.written.number)\(line.written.unit)\(isShares ? "" : " then")."
            #expect(check.unsupported(in: sentence).isEmpty, "[\(line.id)] \(sentence)")
        }
    }

    @Test func whatTheFiguresRuleOutIsNoGap() throws {
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
