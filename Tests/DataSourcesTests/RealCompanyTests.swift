import FoundationEssentials
import JSON
import Testing

@testable import DataSources

/// Figures that were looked up in the filings of Apple and Snowflake by hand.
@Suite(.enabled(if: SharedFilings.areThere, "../shared/data/sec is not there"))
struct RealCompanyTests {
    @Test(arguments: [
        ("revenue.FY2025", "416161000000"), ("net_income.FY2025", "112010000000"), ("diluted_eps.FY2025", "7.46"),
        ("revenue.FY2024", "391035000000"), ("net_income.FY2024", "93736000000"), ("diluted_eps.FY2024", "6.08"),
        ("revenue.FY2023", "383285000000"), ("revenue.FY2017", "229234000000"), ("revenue.FY2016", "215639000000"),
        ("gross_profit.FY2025", "195201000000"), ("operating_income.FY2024", "123216000000"),
        ("diluted_eps.FY2018", "2.98"), ("diluted_eps.FY2017", "2.3025"), ("diluted_eps.FY2016", "2.0775"),
        ("diluted_shares.FY2018", "20000435000"), ("diluted_shares.FY2017", "21006768000"),
        ("shares_outstanding.FY2016", "21344664000"), ("dividends_per_share.FY2017", "0.6"),
        ("dividends_per_share.FY2020", "0.795"), ("operating_cash_flow.FY2025", "111482000000"),
        ("capital_expenditure.FY2024", "9447000000"), ("free_cash_flow.FY2025", "98767000000"),
        ("buybacks.FY2025", "90711000000"), ("dividends_paid.FY2024", "15234000000"),
        ("cash.FY2025", "35934000000"), ("cash_and_short_term_investments.FY2025", "54697000000"),
        ("short_term_debt.FY2025", "20329000000"), ("long_term_debt.FY2025", "78328000000"),
        ("total_debt.FY2025", "98657000000"), ("equity.FY2024", "56950000000"), ("total_assets.FY2025", "359241000000"),
        ("depreciation_and_amortization.FY2016", "10505000000"), ("revenue.FY2026Q1", "143756000000"),
        ("revenue.FY2025Q4", "102466000000"), ("operating_cash_flow.FY2025Q3", "27867000000"),
        ("revenue.TTM", "435617000000"), ("net_income.TTM", "117777000000"), ("diluted_eps.TTM", "7.9"),
        ("shares_outstanding.2026-01-16", "14681140000"),
    ])
    func applesFiguresAreThoseOfItsFilings(id: String, value: String) throws {
        let fundamentals = try SharedFilings.appleFundamentals.get()
        #expect(fundamentals.text(id) == value)
    }

    @Test func anAdjustedFigureKeepsTheFiledValueAndTheAdjustment() throws {
        let fundamentals = try SharedFilings.appleFundamentals.get()
        let figure = try #require(fundamentals["diluted_eps.FY2017"])
        #expect(figure.reported == Decimal(string: "9.21"))
        #expect(figure.tag == "us-gaap:EarningsPerShareDiluted")
        #expect(figure.unit == "USD/shares")
        #expect(figure.filing.form == "10-K")
        #expect(figure.filing.accession == "0000320193-19-000119")
        #expect("\(figure.filing.filed)" == "2019-10-31")
        #expect(figure.adjustment?.factor == 4)
        #expect(figure.adjustment?.reason == "4-for-1 split (2020-08-28)")
        #expect(figure.derivation == nil)
        let url = figure.filing.url(cik: try #require(CIK(320_193)))
        #expect(url == "https://www.sec.gov/Archives/edgar/data/320193/000032019319000119/")
        #expect(fundamentals["diluted_eps.FY2018"]?.adjustment == nil)
    }

    @Test func applesSplitsAreFoundWithTheirDates() throws {
        let fundamentals = try SharedFilings.appleFundamentals.get()
        #expect(
            fundamentals.splits.map(\.text) == ["7-for-1 split (2014-06-06)", "4-for-1 split (2020-08-28)"])
        #expect(fundamentals.announcedSplits.isEmpty)
    }

    @Test func aLineThatAppleStoppedReportingHasNoLatestFigure() throws {
        let fundamentals = try SharedFilings.appleFundamentals.get()
        #expect(fundamentals.annual(.goodwill).first?.period.label == "FY2017")
        #expect(fundamentals.latest(.goodwill) == nil)
        #expect(fundamentals.annual(.interestExpense, "FY2025") == nil)
        #expect(fundamentals.trailingTwelveMonths(.interestExpense) == nil)
        #expect(fundamentals.latest(.cash)?.id == "cash.FY2026Q1")
    }

    @Test func aCalculatedFigureNamesItsParts() throws {
        let fundamentals = try SharedFilings.appleFundamentals.get()
        let trailing = try #require(fundamentals.trailingTwelveMonths(.revenue))
        #expect(
            trailing.derivation?.components.map { "\($0.isAdded ? "+" : "-")\($0.value) \($0.end)" }
                == ["+416161000000 2025-09-27", "+143756000000 2025-12-27", "-124300000000 2024-12-28"])
        #expect(fundamentals["revenue.FY2025"]?.derivation == nil)
    }

    @Test(arguments: [
        ("revenue.FY2025", "3626396000"), ("net_income.FY2025", "-1285640000"), ("diluted_eps.FY2025", "-3.86"),
        ("diluted_eps.FY2021", "-3.81"), ("revenue.FY2021", "592049000"), ("revenue.TTM", "3839761000"),
        ("selling_general_administrative.FY2025", "2084354000"), ("total_debt.FY2025", "2271529000"),
        ("revenue.FY2026Q1", "1042074000"), ("equity.FY2026Q1", "2408000000"),
        ("shares_outstanding.FY2025", "334100000"),
    ])
    func snowflakesFiguresAreThoseOfItsFilings(id: String, value: String) throws {
        let fundamentals = try SharedFilings.snowflakeFundamentals.get()
        #expect(fundamentals.text(id) == value)
    }

    @Test func figuresThatSnowflakeDoesNotReportAreMissing() throws {
        let fundamentals = try SharedFilings.snowflakeFundamentals.get()
        #expect(fundamentals.annual(.inventory).isEmpty)
        #expect(fundamentals.annual(.dividendsPerShare).isEmpty)
        #expect(fundamentals["total_debt.FY2023"] == nil)
        // A zero that the filing reports is no missing number.
        #expect(fundamentals.text("total_debt.FY2024") == "0")
        #expect(fundamentals.trailingTwelveMonths(.dilutedShares) == nil)
        // The ratio that it states is of a split before it had reports.
        #expect(fundamentals.splits.isEmpty)
    }

    @Test func fundamentalsSurviveTheJournal() throws {
        for read in [SharedFilings.appleFundamentals, SharedFilings.snowflakeFundamentals] {
            let fundamentals = try read.get()
            let again = try Fundamentals(JSONField(JSON(parsing: fundamentals.json.compact)))
            #expect(again == fundamentals)
            #expect(Set(fundamentals.figures.map(\.id)).count == fundamentals.figures.count)
        }
    }
}
