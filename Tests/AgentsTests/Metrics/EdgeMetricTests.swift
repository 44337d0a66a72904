import DataSources
import FoundationEssentials
import Testing

@testable import Agents

/// Losses, negative equity, wrong signs and lines that some companies do not have.
@Suite struct EdgeMetricTests {
    /// The outcome of a metric in a word.
    private func ending(_ outcome: MetricOutcome) -> String {
        outcome.value.map { "\($0)" } ?? (outcome.shortfall != nil ? "shortfall" : "abstains")
    }

    @Test(arguments: [
        ("debt_to_equity", "shortfall"), ("price_to_book", "shortfall"), ("price_to_graham_number", "shortfall"),
        ("roe_median", "abstains"),
        // Equity of −40 with debt of 30 and cash of 5: no positive capital.
        ("roic_latest", "abstains"),
    ])
    func negativeEquity(metric: String, ends: String) throws {
        let company = SyntheticCompany(
            count: 6,
            [
                .netIncome: 10, .operatingIncome: 15, .incomeTax: 3, .pretaxIncome: 13, .equity: -40, .totalDebt: 30,
                .cashAndShortTermInvestments: 5, .dilutedShares: 10, .dilutedEPS: 1,
            ])
        #expect(ending(try company.outcome(metric, price: 20)) == ends)
    }

    @Test(arguments: [
        ("price_to_earnings", "shortfall"), ("price_to_earnings_3y", "shortfall"), ("peg", "shortfall"),
        ("eps_growth_5y", "shortfall"), ("owner_earnings_growth_5y", "shortfall"),
        ("debt_to_owner_earnings", "shortfall"), ("cash_conversion", "abstains"), ("payout_ratio", "abstains"),
        ("profitable_years", "0.0"), ("net_margin_median", "-0.2"), ("owner_earnings_margin", "-0.25"),
        ("owner_earnings_yield", "-0.125"), ("interest_cover", "-3.0"), ("retained_earnings_return", "abstains"),
    ])
    func losses(metric: String, ends: String) throws {
        let company = SyntheticCompany(
            count: 6,
            [
                .netIncome: -20, .revenue: 100, .operatingIncome: -15, .interestExpense: 5, .dilutedEPS: -2,
                .depreciationAndAmortization: 5, .capitalExpenditure: 10, .operatingCashFlow: -10, .totalDebt: 50,
                .dilutedShares: 10, .dividendsPaid: 0,
            ])
        #expect(ending(try company.outcome(metric, price: 20)) == ends)
    }

    @Test func riseFromALossIsNoRateOfGrowth() throws {
        var company = SyntheticCompany(count: 6, [.netIncome: 10])
        company.set(.dilutedEPS, [3, 2, 1, 0.5, 0.1, -1])
        let outcome = try company.outcome("eps_growth_5y")
        #expect(outcome.value == nil && outcome.shortfall == nil && outcome.abstention?.contains("FY2019") == true)
    }

    @Test(arguments: [
        "gross_margin_median", "operating_margin_median", "capital_intensity", "free_cash_flow_margin",
        "stock_pay_share", "owner_earnings_margin",
    ])
    func nothingIsDividedByARevenueOfZero(metric: String) throws {
        let company = SyntheticCompany(
            count: 6,
            [
                .netIncome: -5, .revenue: 0, .grossProfit: 0, .operatingIncome: -5, .capitalExpenditure: 1,
                .operatingCashFlow: -4, .stockBasedCompensation: 1, .depreciationAndAmortization: 1,
            ])
        let outcome = try company.outcome(metric)
        #expect(outcome.value == nil && outcome.abstention?.contains("revenue was not positive") == true)
    }

    @Test(arguments: ["owner_earnings", "free_cash_flow_margin", "cash_conversion", "capital_intensity"])
    func negativePaymentIsNotUsed(metric: String) throws {
        let company = SyntheticCompany(
            count: 6,
            [
                .netIncome: 10, .revenue: 100, .depreciationAndAmortization: 3, .operatingCashFlow: 15,
                .capitalExpenditure: -7,
            ])
        let outcome = try company.outcome(metric)
        #expect(outcome.value == nil && outcome.abstention?.contains("capital expenditure was negative") == true)
    }

    @Test func metricAbstainsForABankWithoutTheLine() throws {
        let company = SyntheticCompany(
            count: 10, [.netIncome: 10, .revenue: 40, .equity: 100, .totalAssets: 1000, .dilutedEPS: 1, .cash: 50])
        for metric in [
            "gross_margin_median", "current_ratio", "long_term_debt_to_net_current_assets", "roic_median",
            "interest_cover", "net_cash_share",
        ] {
            let outcome = try company.outcome(metric, price: 10)
            #expect(outcome.abstention?.hasPrefix("the filings") == true, "\(metric)")
        }
        #expect(isNear(try company.outcome("roe_median").value, 0.1))
    }

    @Test func companyWithoutEarningsPerShareAbstainsFromAllMetricsThatNeedThem() throws {
        let company = SyntheticCompany(count: 10, [.netIncome: 90, .revenue: 400, .equity: 600])
        for metric in Metric.all.values where metric.needs.contains(.dilutedEPS) {
            #expect(try company.outcome(metric.name, price: 700).abstention != nil, "\(metric.name)")
        }
    }

    @Test func companyWithoutDebtHasNoDebtBurdenEvenInALoss() throws {
        let company = SyntheticCompany(
            count: 5,
            [.netIncome: -9, .depreciationAndAmortization: 1, .capitalExpenditure: 1, .totalDebt: 0, .equity: -1])
        #expect(try company.outcome("debt_to_owner_earnings").value == 0)
        #expect(try company.outcome("debt_to_equity").value == 0)
    }

    @Test func interestCoverFallsBackOnlyWhereALineIsMissing() throws {
        var company = SyntheticCompany(count: 5, [.netIncome: 10, .operatingIncome: 20])
        company.set(.interestExpense, [nil, 4, 2])
        let outcome = try company.outcome("interest_cover")
        #expect(outcome.value == 5 && outcome.inputs.contains("interest_expense.FY2023"))
        company.set(.interestExpense, [0, 4, 2])
        #expect(try company.outcome("interest_cover").value == nil)
        company.set(.interestExpense, [nil, nil, nil, 2])
        company.years[2023]?[.interestExpense] = nil
        company.years[2022]?[.interestExpense] = nil
        #expect(try company.outcome("interest_cover").value == nil)
    }

    @Test func netCurrentAssetsOfZeroOrLessRuleOutLongTermDebt() throws {
        let company = SyntheticCompany(
            count: 4, [.netIncome: 1, .currentAssets: 80, .currentLiabilities: 100, .longTermDebt: 10])
        let outcome = try company.outcome("long_term_debt_to_net_current_assets")
        #expect(
            outcome.value == nil && outcome.shortfall == "current assets did not exceed current liabilities in FY2024")
    }

    @Test func retainedEarningsAreThoseOfTheFiveYearsBeforeTheLatest() throws {
        var company = SyntheticCompany(count: 6, [.netIncome: 10])
        company.set(.dilutedEPS, [6, 5, 4, 3, 2, 1])
        company.set(.dividendsPerShare, [2, 1, 1, 1, nil, nil])
        // (6 − 1) / (15 − 3)
        #expect(isNear(try company.outcome("retained_earnings_return").value, 5.0 / 12))
        // Dividends were paid, but the amount for a share is not reported: unknown, not zero.
        company.set(.dividendsPaid, [nil, nil, nil, nil, 3, nil])
        #expect(try company.outcome("retained_earnings_return").abstention?.contains("FY2020") == true)
        company.set(.dividendsPaid, [nil, nil, nil, nil, 0, nil])
        #expect(isNear(try company.outcome("retained_earnings_return").value, 5.0 / 12))
    }

    @Test func dividendYearsCountYearsWithoutALineAsYearsWithoutADividend() throws {
        var company = SyntheticCompany(count: 8, [.netIncome: 10])
        #expect(try company.outcome("dividend_years").abstention == "the filings report no dividends")
        company.set(.dividendsPaid, [3, 3, 0, 3])
        #expect(try company.outcome("dividend_years").value == 0.375)
    }

    @Test func unusualTaxRateIsLimited() throws {
        var company = SyntheticCompany(
            count: 4,
            [
                .netIncome: 1, .operatingIncome: 100, .equity: 150, .totalDebt: 100, .cashAndShortTermInvestments: 50,
                .pretaxIncome: 100, .incomeTax: 80,
            ])
        #expect(isNear(try company.outcome("roic_latest").value, 0.25))
        company.set(.incomeTax, [-30])
        #expect(isNear(try company.outcome("roic_latest").value, 0.5))
        company.set(.pretaxIncome, [-10])
        company.set(.incomeTax, [5])
        #expect(isNear(try company.outcome("roic_latest").value, 0.5))
    }

    @Test func cashAloneIsUsedWhereNoInvestmentsAreReported() throws {
        let company = SyntheticCompany(count: 4, [.netIncome: 1, .cash: 30, .totalDebt: 10, .totalAssets: 100])
        #expect(isNear(try company.outcome("net_cash_share").value, 0.2))
    }
}
