import DataSources
import FoundationEssentials
import Testing

@testable import Agents

/// Growth and averages go by fiscal years, not by positions in a list that may lack years.
@Suite struct MissingYearTests {
    private func grower() -> SyntheticCompany {
        var company = SyntheticCompany(count: 10, [.netIncome: 10])
        company.set(.revenue, [200, 190, 180, 170, 160, 100, 90, 80, 70, 60])
        return company
    }

    @Test func growthOverFiveYearsIsFromTheYearFiveYearsBefore() throws {
        // (200 / 100)^(1/5) − 1
        #expect(isNear(try grower().outcome("revenue_growth_5y").value, 0.148698354997035))
    }

    @Test func growthAbstainsWhenTheFirstYearIsMissing() throws {
        var company = grower()
        company.years[2019] = nil
        let outcome = try company.outcome("revenue_growth_5y")
        #expect(outcome.value == nil && outcome.abstention?.contains("5 years before FY2024") == true)
    }

    @Test func growthIsRightWhenAYearInBetweenIsMissing() throws {
        var company = grower()
        company.years[2022] = nil
        #expect(isNear(try company.outcome("revenue_growth_5y").value, 0.148698354997035))
    }

    @Test func growthOfTheLatestYearAbstainsWithoutTheYearBefore() throws {
        var company = grower()
        company.years[2023] = nil
        #expect(try company.outcome("revenue_growth_latest").value == nil)
    }

    @Test func fiscalYearThatWasMovedHasNoYearBefore() throws {
        var company = grower()
        // Years to December until 2023, then to June 2025.
        company.ends = [2024: "2025-06-30"]
        #expect(try company.outcome("revenue_growth_latest").value == nil)
        #expect(try company.outcome("revenue_growth_5y").value == nil)
    }

    @Test func yearsOf52And53WeeksAreConsecutive() throws {
        var company = grower()
        // Last Saturdays of September: FY2023 has 53 weeks.
        company.ends = [2024: "2024-09-28", 2023: "2023-09-30", 2022: "2022-09-24", 2021: "2021-09-25"]
        company.ends[2020] = "2020-09-26"
        company.ends[2019] = "2019-09-28"
        #expect(isNear(try company.outcome("revenue_growth_latest").value, 200.0 / 190 - 1))
        #expect(isNear(try company.outcome("revenue_growth_5y").value, 0.148698354997035))
    }

    @Test func growthIsCountedBetweenConsecutiveYearsOnly() throws {
        var company = SyntheticCompany(count: 6, [.netIncome: 10])
        // Without 2022: the pairs are 2024–23, 2021–20 and 2020–19, of which one fell.
        company.set(.revenue, [120, 110, nil, 90, 95, 80])
        #expect(isNear(try company.outcome("revenue_growth_years").value, 2.0 / 3))
    }

    @Test func averageNeedsTheLatestYear() throws {
        var company = SyntheticCompany(count: 10, [.netIncome: 10, .revenue: 100])
        company.set(.grossProfit, [nil, 40, 40, 40, 40, 40])
        let outcome = try company.outcome("gross_margin_median")
        #expect(outcome.value == nil && outcome.abstention == "the filings give no gross profit for FY2024")
    }

    @Test func averageOfFiveYearsDoesNotReachFurtherBackForAMissingOne() throws {
        var company = SyntheticCompany(count: 10, [.netIncome: 10, .revenue: 100, .operatingIncome: 20])
        company.set(.operatingIncome, [20, 22, nil, 21, nil, 90])
        let outcome = try company.outcome("operating_margin_spread")
        #expect(outcome.value == nil && outcome.abstention?.hasPrefix("only 3 of the 4 years") == true)
        company.set(.operatingIncome, [20, 22, nil, 21, 24, 90])
        #expect(isNear(try company.outcome("operating_margin_spread").value, 0.04))
    }

    @Test func missingYearsAreNotReplacedByOlderOnes() throws {
        var company = SyntheticCompany(count: 10, [.netIncome: 10, .revenue: 100, .operatingIncome: 20])
        company.years[2023] = nil
        company.years[2022] = nil
        #expect(try company.outcome("operating_margin_spread").value == nil)
    }

    @Test func dilutionUsesTheLongestSpanOfThreeToFiveYears() throws {
        var company = SyntheticCompany(count: 5, [.netIncome: 10])
        company.set(.dilutedShares, [1464.1, nil, nil, nil, 1000])
        // (1464.1 / 1000)^(1/4) − 1
        #expect(isNear(try company.outcome("dilution_5y").value, 0.1))
        company.set(.dilutedShares, [1464, 1400, 1300, nil, nil])
        #expect(try company.outcome("dilution_5y").abstention != nil)
    }

    @Test func stockListingDoesNotCountAsDilution() throws {
        var company = SyntheticCompany(count: 6, [.netIncome: 10])
        // Snowflake's counts in millions: listed in fiscal 2021, all preferred shares converted by fiscal 2022.
        company.set(.dilutedShares, [332.707, 328.001, 318.73, 300.273, 141.613, 44.847])
        // (332.707 / 300.273)^(1/3) − 1
        #expect(isNear(try company.outcome("dilution_5y").value, 0.03478125233005369))
        // A jump in the latest years counts.
        company.set(.dilutedShares, [320, 160, 80, 40, 20, 10])
        #expect(isNear(try company.outcome("dilution_5y").value, 1))
    }

    @Test func latestIsTheLatestFiscalYearEvenWithoutANetIncome() throws {
        var company = SyntheticCompany(count: 5, [.netIncome: 10, .revenue: 100, .researchAndDevelopment: 5])
        company.years[2024]?[.netIncome] = nil
        company.years[2024]?[.researchAndDevelopment] = 30
        #expect(isNear(try company.outcome("research_intensity").value, 0.3))
        #expect(try company.outcome("profitable_years").abstention == "the filings give no net income for FY2024")
        #expect(CompanyHistory(try company.fundamentals(), price: nil).depth == 4)
    }
}
