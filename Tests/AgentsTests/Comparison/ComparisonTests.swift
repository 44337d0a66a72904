import Basics
import DataSources
import FoundationEssentials
import JobQueue
import JSON
import Prompts
import Testing
import TestSupport

@testable import Agents

/// Companies that do not exist, by ticker.
struct MadeCompanies: CompanyFactsSource {
    var companies: [String: SyntheticCompany]

    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
        guard let company = companies[ticker], let facts = try? company.fundamentals(),
            let symbol = try? Ticker(ticker),
            let number = companies.keys.sorted().firstIndex(of: ticker), let cik = CIK(Int64(number + 1))
        else { throw .notFound(ticker: ticker) }
        return CompanyFundamentals(
            company: Company(ticker: symbol, cik: cik, name: "\(ticker.capitalized) Works Inc."), fundamentals: facts)
    }

}

/// Comparisons of companies and of personas.
@Suite struct ComparisonTests {
    /// Ten years of a business that earns well; a share of revenue is what the owners keep.
    static func company(_ share: Decimal, currency: String = "USD", latest: Int = 2024) -> SyntheticCompany {
        var company = SyntheticCompany(
            count: 10, latest: latest,
            [
                .revenue: 1_000_000_000, .grossProfit: 1_000_000_000 * share * 2,
                .operatingIncome: 1_000_000_000 * share, .netIncome: 800_000_000 * share,
                .freeCashFlow: 700_000_000 * share, .equity: 900_000_000, .totalDebt: 100_000_000,
                .dilutedShares: 10_000_000, .dilutedEPS: 80 * share, .operatingCashFlow: 900_000_000 * share,
                .capitalExpenditure: 200_000_000 * share, .depreciationAndAmortization: 100_000_000 * share,
                .pretaxIncome: 1_000_000_000 * share, .incomeTax: 200_000_000 * share, .interestExpense: 5_000_000,
                .cashAndShortTermInvestments: 50_000_000, .cash: 50_000_000, .totalAssets: 1_500_000_000,
                .researchAndDevelopment: 40_000_000,
            ])
        company.currency = currency
        return company
    }

    static let now: Timestamp = 1_740_000_000_000

    static func table(
        _ companies: [String: SyntheticCompany], personas: [String] = ["buffett"]
    ) async throws -> ComparisonTable {
        let source = MadeCompanies(companies: companies)
        let known = try ContentFiles.bundle.get().personas
        var columns: [ComparisonColumn] = []
        for ticker in companies.keys.sorted() {
            let facts = GatheredFacts(company: try await source.fundamentals(ticker), at: now)
            for persona in personas {
                columns.append(ComparisonColumn(CompanyReview(of: facts, by: try #require(known[persona]))))
            }
        }
        return ComparisonTable(columns, by: companies.count > 1 ? .companies : .personas)
    }

    private func row(_ id: String, of table: ComparisonTable) throws -> JSON {
        try #require(table.rows.first { $0["id"]?.string == id }, "\(id)")
    }

    // MARK: The table

    @Test func aTableHasTheScoresAndFiguresOfTheReports() async throws {
        let table = try await Self.table(["HIGH": Self.company(0.3), "LOW": Self.company(0.1)])
        let margin = try row("gross_margin_median", of: table)
        #expect(margin["cells"]?[0]?["value"]?.double == 0.6 && margin["cells"]?[1]?["value"]?.double == 0.2)
        #expect(margin["cells"]?[0]?["written"] == "60.0%" && margin["kind"] == "metric")
        #expect(margin["cells"]?[0]?["score"]?.double == 10 && (margin["cells"]?[1]?["score"]?.double ?? 10) < 5)
        let revenue = try row("revenue", of: table)
        #expect(revenue["cells"]?[0]?["written"] == "1,000 million USD" && revenue["cells"]?[0]?["period"] == "FY2024")
        #expect(revenue["cells"]?[0]?["url"]?.string?.contains("sec.gov") == true)
        let report = try #require(table.columns.first)
        #expect(table.json["columns"]?[0]?["score"]?.double == report.scorecard.score)
        #expect(table.notes.isEmpty && table.rows.allSatisfy { $0["is_comparable"] == true })
    }

    @Test func amountsOfDifferentCurrenciesAreShownMarkedAndKeptFromTheText() async throws {
        let table = try await Self.table(["EURO": Self.company(0.3, currency: "EUR"), "HOME": Self.company(0.1)])
        #expect(
            table.notes == [
                "The companies report in different currencies (Euro Works Inc. in EUR, Home Works Inc. in USD): amounts of "
                    + "money are shown and not compared."
            ])
        let revenue = try row("revenue", of: table)
        #expect(revenue["is_comparable"] == false && revenue["cells"]?[0]?["written"] == "1,000 million EUR")
        #expect(revenue["cells"]?[0]?["id"] == JSON.null)
        #expect(!table.entries.contains { $0.line.id.hasPrefix("revenue.") })
        #expect(try row("gross_margin_median", of: table)["is_comparable"] == true)
        #expect(table.entries.contains { $0.id == "EURO.metric.gross_margin_median" })
    }

    @Test func yearsThatEndAtOtherTimesAreNamed() async throws {
        let table = try await Self.table(["NEW": Self.company(0.3), "OLD": Self.company(0.1, latest: 2023)])
        #expect(
            table.notes == [
                "The figures are of different times: FY2024 of New Works Inc. ended on 2024-12-31; FY2023 of Old Works Inc. "
                    + "ended on 2023-12-31."
            ])
    }

    @Test func aCompanyWithTooFewYearsIsShownWithoutAScore() async throws {
        let short = SyntheticCompany(count: 2, [.revenue: 5_000_000, .netIncome: 1_000_000])
        let table = try await Self.table(["GOOD": Self.company(0.3), "YOUNG": short])
        #expect(table.json["columns"]?[1]?["verdict"] == "abstains" && table.json["columns"]?[1]?["score"] == JSON.null)
        #expect(table.json["columns"]?[1]?["gaps"]?.array?.isEmpty == false)
        #expect(!table.entries.contains { $0.id == "YOUNG.score" } && table.entries.contains { $0.id == "GOOD.score" })
        let cell = try row("gross_margin_median", of: table)["cells"]?[1]
        #expect(cell?["value"] == JSON.null && cell?["abstained_because"]?.string?.isEmpty == false)
    }

    @Test func severalPersonasShareTheMetricsAndKeepTheirScores() async throws {
        let table = try await Self.table(["GOOD": Self.company(0.3)], personas: ["buffett", "wood"])
        let margin = try row("gross_margin_median", of: table)
        #expect(margin["cells"]?[0]?["id"] == "GOOD.metric.gross_margin_median")
        #expect(margin["cells"]?[0]?["id"] == margin["cells"]?[1]?["id"])
        #expect(margin["cells"]?[0]?["question"] != margin["cells"]?[1]?["question"])
        #expect(table.entries.filter { $0.id == "GOOD.metric.gross_margin_median" }.count == 1)
        #expect(Set(table.entries.map(\.id)).isSuperset(of: ["buffett.score", "wood.score"]))
        #expect(table.rows.allSatisfy { $0["kind"] == "metric" && $0["cells"]?.array?.count == 2 })
        let asked = try row("roic_median", of: table)
        #expect(asked["cells"]?[1] == JSON.null, "a metric that the second persona does not look at")
    }

    // MARK: Figures and their owners

    private static let swapped: [(String, Bool)] = [
        ("High Works keeps 60.0% of each sale.", true), ("Low Works keeps 60.0% of each sale.", false),
        ("The median gross margin is 60.0% at High Works, against 20.0% at Low Works.", true),
        ("The median gross margin is 20.0% at High Works, against 60.0% at Low Works.", false),
        ("High Works' 60.0% is above the 20.0% of LOW.", true), ("High Works' 20.0% is above the 60.0% of LOW.", false),
        ("The margins are 60.0% and 20.0%.", true),
        ("The margins of High Works and Low Works are 60.0% and 20.0%, respectively.", true),
        // The nearest name before, where one clause names both.
        ("HIGH’s median gross margin is 60.0%, LOW’s is 20.0%.", true),
        ("HIGH’s median gross margin is 20.0%, LOW’s is 60.0%.", false),
        ("The gross margin is 20.0% at High Works, 60.0% at Low Works.", false),
        ("At 20.0%, the gross margin of High Works differs from the 60.0% of Low Works.", false),
        ("At 60.0%, the gross margin of High Works differs from the 20.0% of Low Works.", true),
        ("High Works is the larger. Its gross margin is 60.0%.", true),
        ("High Works is the larger. Its gross margin is 20.0%.", false),
        ("High Works and Low Works differ. Its gross margin is 60.0%.", false),
        ("High Works and Low Works differ: the former has a gross margin of 60.0%, the latter 20.0%.", true),
        ("High Works and Low Works differ: the former has a gross margin of 20.0%, the latter 60.0%.", false),
        ("The margins of High Works and Low Works are 20.0% and 60.0%, respectively.", false),
        ("We are low and high on words: the margins are 60.0% and 20.0%.", true),
        // Another measure of the right company.
        ("The net margin is 60.0% at High Works, against 20.0% at Low Works.", false),
        ("The net margin is 24.0% at High Works, against 8.0% at Low Works.", true),
        ("High Works has a net margin of 24.0% and a gross margin of 60.0%.", true),
        ("High Works has a net margin of 60.0% and a gross margin of 24.0%.", false),
        ("High Works keeps 24.0% of revenue as net income, and its gross margin is 60.0%.", true),
        // Links, markup and verdicts of nobody.
        ("The gross margin is 60.0% at High Works, see [here](https://example.com/x) now.", false),
        ("The gross margin is 60.0% at High Works <script>alert(1)</script> today.", false),
        ("The gross margin is 60.0% at High Works, see evil-shop.com for more.", false),
        ("High Works walks away on its debt.", false), ("Low Works abstains, with a margin of 20.0%.", false),
        ("The reading walks away from High Works.", false), ("The reading does not walk away from High Works.", true),
        // Figures of neither are left to the check of figures.
        ("High Works keeps 77.7% of each sale.", true),
    ]

    @Test(arguments: swapped) func aFigureBesideAnotherNameIsFound(text: String, isRight: Bool) async throws {
        let table = try await Self.table(["HIGH": Self.company(0.3), "LOW": Self.company(0.1)])
        let rule = ComparisonFigureRule(table, language: .english)
        let answer: JSON = ["summary": "Two companies.", "differences": [["title": "Margins", "detail": JSON(text)]]]
        let failures = rule.failures(in: answer)
        #expect(failures.isEmpty == isRight, "\(failures)")
        if !isRight { #expect(failures[0].path == "differences[0].detail" && failures[0].isRepairable) }
    }

    @Test(arguments: [
        ("Apple Inc.", "Apple"), ("MICROSOFT CORP /WA/", "MICROSOFT"), ("The Coca-Cola Company", "Coca-Cola"),
        ("JPMORGAN CHASE & CO", "JPMORGAN CHASE"), ("Inc", "Inc"), ("Alphabet Inc., Class A", "Alphabet Inc. Class A"),
    ]) func aCompanyHasAShortName(name: String, short: String) {
        #expect(ComparisonColumn.shortName(of: name) == short)
    }

    // MARK: The job

    private static let good: JSON = [
        "summary": "High Works and Low Works are read by one checklist. No share price was given for either of them.",
        "differences": [
            [
                "title": "What is left of each sale",
                "detail": "The median gross margin is 60.0% at High Works, against 20.0% at Low Works.",
            ]
        ],
    ]

    /// The good answer with another sentence on the margins.
    private static func answer(_ detail: String) -> ScriptedModel.Reply {
        var answer = good
        answer["differences"] = [["title": "What is left of each sale", "detail": JSON(detail)]]
        return .json(answer)
    }

    private func compare(
        _ model: ScriptedModel, in fixture: AgentFixture, isConfigured: Bool = true
    ) async throws -> (result: JSON, job: ClaimedJob) {
        let agent = ComparisonAgent(
            companies: MadeCompanies(companies: ["HIGH": Self.company(0.3), "LOW": Self.company(0.1)]), market: nil,
            models: ModelCalls(
                try model.router(isConfigured: isConfigured),
                books: CallBooks(fixture.test.store, limits: { _ in SpendLimits() })),
            now: { Self.now })
        let job = try await fixture.job("comparison", ["tickers": ["HIGH", "LOW"], "personas": ["buffett"]])
        return (try await fixture.attempt(job, agent), job)
    }

    @Test func aTextThatPassesStandsBesideTheTableWithTheFiguresItNames() async throws {
        try await AgentFixture.run { fixture in
            let (result, job) = try await compare(ScriptedModel(.json(Self.good)), in: fixture)
            #expect(result["comparison"]?["text"] == Self.good && result["comparison"]?["text_note"] == JSON.null)
            #expect(
                result["mentions"]?.array?.compactMap { $0["figure"]?.string } == [
                    "HIGH.metric.gross_margin_median", "LOW.metric.gross_margin_median",
                ])
            #expect(try await fixture.test.steps(of: job.lease.job) == ["gather", "gather", "compare"])
        }
    }

    @Test func exchangedFiguresGoBackOnce() async throws {
        try await AgentFixture.run { fixture in
            let model = ScriptedModel(
                Self.answer("The median gross margin is 20.0% at High Works, against 60.0% at Low Works."),
                .json(Self.good))
            let (result, _) = try await compare(model, in: fixture)
            #expect(result["comparison"]?["text"] == Self.good && result["provenance"]?["repaired"] == true)
            #expect(model.prompt(1).contains("gives 20.0% to another column"))
        }
    }

    @Test func aTextThatFailsTwiceIsLeftOutAndItsCostIsKept() async throws {
        try await AgentFixture.run { fixture in
            let bad = Self.answer("The median gross margin is 77.7% at High Works, against 20.0% at Low Works.")
            let (result, job) = try await compare(ScriptedModel(bad, bad), in: fixture)
            #expect(result["comparison"]?["text"] == JSON.null && result["mentions"] == [])
            #expect(result["comparison"]?["text_note"]?.string?.contains("table stands alone") == true)
            #expect(result["comparison"]?["rows"]?.array?.isEmpty == false)
            let calls = try #require(result["provenance"]?["model_calls"]?.array)
            #expect(calls.compactMap { $0["step"]?.string } == ["compare", "compare-repair"], "they were paid")
            #expect(try await fixture.test.spent() == result["provenance"]?["cost_micro_dollars"]?.integer ?? 0)
            let steps = ["gather", "gather", "compare", "compare-repair", "table-alone"]
            #expect(try await fixture.test.steps(of: job.lease.job) == steps)
            #expect(try await fixture.test.spent() > 0)
        }
    }

    @Test func withoutAModelThereIsTheTable() async throws {
        try await AgentFixture.run { fixture in
            let (result, _) = try await compare(ScriptedModel(), in: fixture, isConfigured: false)
            #expect(result["comparison"]?["text"] == JSON.null)
            #expect(result["comparison"]?["columns"]?.array?.count == 2)
        }
    }
}
