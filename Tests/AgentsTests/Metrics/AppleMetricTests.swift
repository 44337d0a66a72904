import DataSources
import Testing

@testable import Agents

/// Compares every metric of Apple with values calculated by hand from its filings (fiscal years to September 2025).
///
/// The inputs, in millions from FY2025 back, as the filings give them:
/// - revenue 416161 391035 383285 394328 365817 274515 260174 265595 229234 215639
/// - gross profit 195201 180683 169148 170782 152836 104956 98392 101839 88186 84263
/// - operating income 133050 123216 114301 119437 108949 66288 63930 70898 61344 60024
/// - net income 112010 93736 96995 99803 94680 57411 55256 59531 48351 45687
/// - pre-tax income 132729 123485 113736 119103 109207 67091 65737 72903 64089 61372
/// - income tax 20719 29749 16741 19300 14527 9680 10481 13372 15738 15685
/// - diluted EPS 7.46 6.08 6.13 6.11 5.61 3.28 2.97 2.98, and before the split of four 9.21 8.31
/// - diluted shares 15004.697 15408.095 15812.547 16325.819 16864.919 17528.214 (FY2020)
/// - depreciation 11698 11445 11519 11104 11284 11056 (FY2020)
/// - capital expenditure 12715 9447 10959 10708 11085 7309 (FY2020)
/// - operating cash flow 111482 118254 110543 122151 104038
/// - dividends 15421, buybacks 90711, stock-based pay 12863, research 34550 (FY2025)
/// - dividends per share 0.98 0.94 0.90 0.85 0.795 (FY2024 to FY2020)
/// - equity 73733 56950 62146 50672 63090 65339 90488 107147 134047 128249
/// - debt 98657 106629 111088 120069 124719 112436 108047 114483 115680 87032 (long-term, its current part, paper)
/// - cash and marketable securities 54697 65171 61555 48304 62639 90943 100557 66301 74181 67155
/// - current assets 147957, current liabilities 165631, total assets 359241, liabilities 285508 (FY2025)
/// - interest expense 3933 (FY2023; not reported since)
///
/// The price is a made-up 250 USD.
@Suite(.enabled(if: SharedFilings.areThere, SharedFilings.absence))
struct AppleMetricTests {
    static let expected: [(name: String, value: Double)] = [
        ("revenue_growth_5y", 0.08677354924090741),
        ("revenue_growth_latest", 0.06425511782832749),
        ("eps_growth_5y", 0.17861780281938788),
        ("owner_earnings_growth_5y", 0.12659666965229754),
        ("revenue_growth_years", 0.7777777777777778),
        ("gross_margin_median", 0.40427657636632414),
        ("operating_margin_median", 0.2880889381713385),
        ("net_margin_median", 0.23192728922265557),
        ("gross_margin_spread", 0.05125804481992674),
        ("operating_margin_spread", 0.021884222350302907),
        ("operating_margin_change_5y", 0.07823485408185021),
        ("roe_median", 1.189688426031522),
        ("roic_median", 0.7039420533078711),
        ("roic_latest", 0.954015038213851),
        ("profitable_years", 1.0),
        ("research_intensity", 0.08302075398703868),
        ("owner_earnings", 110993000000.0),
        ("owner_earnings_margin", 0.2545233964282453),
        ("cash_conversion", 1.028820008688237),
        ("free_cash_flow_margin", 0.23732882225869315),
        ("capital_intensity", 0.02859230076835775),
        ("debt_to_equity", 1.3380304612588665),
        ("debt_to_owner_earnings", 0.8888578559008226),
        ("interest_cover", 29.062039155860667),
        ("current_ratio", 0.8932929222186667),
        ("net_cash_share", -0.12236910597621095),
        ("dilution_5y", -0.030611389991790472),
        ("dividend_years", 1.0),
        ("payout_ratio", 0.1376752075707526),
        ("returned_to_owners", 0.9562044453253808),
        ("stock_pay_share", 0.030908710811440764),
        ("retained_earnings_return", 0.18377665420971637),
        ("price_to_earnings", 33.51206434316354),
        ("price_to_earnings_3y", 38.12913065582105),
        ("price_to_book", 50.875106804280314),
        ("price_to_graham_number", 8.704864164337748),
        ("peg", 1.8761883650001994),
        ("owner_earnings_yield", 0.02958886807244425),
        ("price_to_sales", 9.013757295854248),
    ]

    static func history() throws -> CompanyHistory {
        CompanyHistory(
            try SharedFilings.appleFundamentals.get(), price: CompanyHistory.Price(value: 250, currency: "USD"))
    }

    @Test(arguments: expected)
    func metricHasTheValueCalculatedByHand(name: String, value: Double) throws {
        let metric = try #require(Metric.all[name])
        let outcome = MetricOutcome(metric, of: try Self.history())
        let found = outcome.value.map { "\($0)" } ?? outcome.abstention ?? outcome.shortfall
        #expect(isNear(outcome.value, value), "\(found ?? "nothing")")
    }

    /// Apple's current liabilities exceed its current assets, and all liabilities its current assets.
    @Test(arguments: ["long_term_debt_to_net_current_assets", "price_to_net_current_assets"])
    func impossibleRatioIsAShortfallAndNotANumber(name: String) throws {
        let metric = try #require(Metric.all[name])
        let outcome = MetricOutcome(metric, of: try Self.history())
        #expect(outcome.value == nil && outcome.shortfall != nil && outcome.abstention == nil)
        #expect(outcome.inputs.contains("current_assets.FY2025"))
    }

    @Test func everyMetricIsVerifiedHere() {
        let verified = Set(
            Self.expected.map(\.name) + ["long_term_debt_to_net_current_assets", "price_to_net_current_assets"])
        #expect(verified == Set(Metric.all.keys))
    }

    /// Cash alone may replace cash with investments; every other figure that is used must be named.
    @Test func metricUsesTheFiguresThatItNames() throws {
        let history = try Self.history()
        for metric in Metric.all.values {
            let used = Set(
                MetricOutcome(metric, of: history).inputs.compactMap { $0.split(separator: ".").first.map(String.init) }
            )
            let named = Set(metric.needs.map(\.rawValue))
            #expect(used.isSubset(of: named), "\(metric.name): \(used.subtracting(named))")
            // A year with a figure per share does not need the total payment.
            #expect(
                named.subtracting(used).isSubset(of: ["dividends_paid"]), "\(metric.name): \(named.subtracting(used))")
        }
    }

    @Test func ratiosOfThePriceAbstainWithoutOneAndInAnotherCurrency() throws {
        let fundamentals = try SharedFilings.appleFundamentals.get()
        for price in [nil, CompanyHistory.Price(value: 250, currency: "EUR")] {
            let history = CompanyHistory(fundamentals, price: price)
            for metric in Metric.all.values {
                let outcome = MetricOutcome(metric, of: history)
                #expect((outcome.abstention != nil) == metric.needsPrice, "\(metric.name)")
            }
        }
    }
}
