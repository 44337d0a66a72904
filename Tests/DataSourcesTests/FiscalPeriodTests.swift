import Testing

@testable import DataSources

@Suite struct FiscalPeriodTests {
    /// Their length distinguishes quarters from years to date, not the period that the filing names.
    @Test func quartersAndYearsToDateAreNotMixed() throws {
        var facts = SyntheticFacts()
        try facts.addYear(2023, revenue: "400")
        for (start, end, revenue, filed) in [
            ("2023-01-01", "2023-03-31", "90", "2023-05-01"), ("2023-04-01", "2023-06-30", "95", "2023-08-01"),
            ("2023-01-01", "2023-06-30", "185", "2023-08-01"), ("2023-07-01", "2023-09-30", "100", "2023-11-01"),
            ("2023-01-01", "2023-09-30", "285", "2023-11-01"), ("2024-01-01", "2024-03-31", "120", "2024-05-01"),
        ] {
            try facts.addStatement(
                from: start, to: end, revenue: revenue, income: "1", form: "10-Q", filed: filed)
        }
        let fundamentals = try facts.fundamentals()
        #expect(
            fundamentals.quarterly(.revenue).map { "\($0.period.label) \($0.value)" }
                == ["FY2024 Q1 120", "FY2023 Q4 115", "FY2023 Q3 100", "FY2023 Q2 95", "FY2023 Q1 90"])
        #expect(fundamentals.annual(.revenue).map { "\($0.value)" } == ["400"])
        #expect(fundamentals.text("revenue.TTM") == "430")
        #expect(fundamentals["revenue.FY2023Q4"]?.derivation?.method == "fiscal year less its first nine months")
    }

    /// Cash flow statements of quarterly reports are of the year to date.
    @Test func quartersOfCashFlowAreDifferencesOfYearsToDate() throws {
        var facts = SyntheticFacts()
        try facts.addYear(2023, revenue: "400", income: "40")
        for (end, value) in [("2023-03-31", "5"), ("2023-06-30", "18"), ("2023-09-30", "25")] {
            try facts.addStatement(
                from: "2023-01-01", to: end, revenue: "1", income: value, form: "10-Q", filed: "2023-11-01")
        }
        let fundamentals = try facts.fundamentals()
        #expect(
            fundamentals.quarterly(.operatingCashFlow).map { "\($0.value)" } == ["15", "7", "13", "5"])
        #expect(fundamentals.quarterly(.operatingCashFlow).map(\.isDerived) == [true, true, true, false])
        // The fiscal year is the latest period: its own figure, not a calculation.
        #expect(fundamentals.text("operating_cash_flow.TTM") == "40")
        #expect(fundamentals["operating_cash_flow.TTM"]?.isDerived == false)
    }

    @Test func trailingMonthsAreUnknownWhenAPartIsMissing() throws {
        var facts = SyntheticFacts()
        try facts.addYear(2023, revenue: "400")
        try facts.addStatement(
            from: "2024-01-01", to: "2024-03-31", revenue: "120", income: "1", form: "10-Q", filed: "2024-05-01")
        try facts.add("IncomeTaxExpenseBenefit", "7", from: "2023-01-01", to: "2023-12-31", filed: "2024-02-15")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.trailingTwelveMonths(.revenue) == nil)
        #expect(fundamentals.trailingTwelveMonths(.incomeTax) == nil)
        #expect(fundamentals.text("income_tax.FY2023") == "7")
    }

    /// Years of 52 and 53 weeks that end around New Year belong to the year that they mostly are.
    @Test func aYearThatEndsInEarlyJanuaryBelongsToTheYearBefore() throws {
        var facts = SyntheticFacts()
        for (start, end, filed, revenue) in [
            ("2018-12-31", "2019-12-29", "2020-02-18", "82"), ("2019-12-30", "2021-01-03", "2021-02-22", "83"),
            ("2021-01-04", "2022-01-02", "2022-02-17", "94"), ("2022-01-03", "2023-01-01", "2023-02-16", "95"),
        ] {
            try facts.addStatement(from: start, to: end, revenue: revenue, income: "1", filed: filed)
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.fiscalYears == ["FY2022", "FY2021", "FY2020", "FY2019"])
        #expect(fundamentals.text("revenue.FY2020") == "83")
    }

    /// Years to the end of January: some companies name them after the year of the end, some after the one before.
    @Test(arguments: [(2025, ["FY2025", "FY2024"]), (2024, ["FY2024", "FY2023"])])
    func yearsAreNamedAsTheCompanyNamesThem(fiscalYear: Int, labels: [String]) throws {
        var facts = SyntheticFacts()
        try facts.addStatement(
            from: "2023-01-30", to: "2024-01-28", revenue: "60", income: "1", filed: "2024-02-21",
            fiscalYear: fiscalYear - 1)
        // The comparison with the year before carries the fiscal year of its filing.
        for (start, end, revenue) in [("2023-01-30", "2024-01-28", "60"), ("2024-01-29", "2025-01-26", "130")] {
            try facts.addStatement(
                from: start, to: end, revenue: revenue, income: "1", filed: "2025-02-26", fiscalYear: fiscalYear)
        }
        #expect(try facts.fundamentals().fiscalYears == labels)
    }

    @Test func twelveWeekQuartersAreQuarters() throws {
        var facts = SyntheticFacts()
        try facts.addStatement(
            from: "2023-09-04", to: "2024-09-01", revenue: "254", income: "7", filed: "2024-10-09")
        for (start, end, revenue) in [
            ("2023-09-04", "2023-11-26", "57"), ("2023-11-27", "2024-02-18", "58"), ("2024-02-19", "2024-05-12", "58"),
        ] {
            try facts.addStatement(
                from: start, to: end, revenue: revenue, income: "1", form: "10-Q", filed: "2024-06-06")
        }
        try facts.addStatement(
            from: "2023-09-04", to: "2024-05-12", revenue: "173", income: "3", form: "10-Q", filed: "2024-06-06")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.quarterly(.revenue).map { "\($0.value)" } == ["81", "58", "58", "57"])
        #expect(fundamentals.text("revenue.FY2024") == "254")
    }

    /// A change of the year's end: the months between are no year, and the year that is reported again up to another
    /// month is not one of the fiscal years.
    @Test func aTransitionPeriodIsNoYear() throws {
        var facts = SyntheticFacts()
        for year in [2018, 2019] { try facts.addYear(year, revenue: "\(year)") }
        try facts.addStatement(
            from: "2020-01-01", to: "2020-06-30", revenue: "1000", income: "1", form: "10-KT", filed: "2020-08-20")
        try facts.addStatement(
            from: "2019-07-01", to: "2020-06-30", revenue: "2010", income: "1", form: "10-KT", filed: "2020-08-20")
        for filed in ["2021-08-20", "2022-08-20"] {
            try facts.addStatement(
                from: "2020-07-01", to: "2021-06-30", revenue: "2100", income: "1", filed: filed)
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.fiscalYears == ["FY2021", "FY2019", "FY2018"])
        #expect(fundamentals.annual(.revenue).map { "\($0.value)" } == ["2100", "2019", "2018"])
        #expect(
            fundamentals.figures(.revenue, .transition).map { "\($0.id) \($0.value)" }
                == ["revenue.FY2020transition 1000"])
    }

    @Test func aGapInTheYearsStaysAGap() throws {
        var facts = SyntheticFacts()
        for year in [2015, 2016, 2020] { try facts.addYear(year, revenue: "\(year)") }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.annual(.revenue).map(\.period.label) == ["FY2020", "FY2016", "FY2015"])
        #expect(fundamentals.annual(.revenue, "FY2018") == nil)
    }

    @Test func tenYearsAndEightQuartersAreKept() throws {
        var facts = SyntheticFacts()
        for year in 2008...2023 {
            try facts.addYear(year, revenue: "\(year)")
            for (start, end) in [("01-01", "03-31"), ("04-01", "06-30"), ("07-01", "09-30")] {
                try facts.addStatement(
                    from: "\(year)-\(start)", to: "\(year)-\(end)", revenue: "1", income: "1", form: "10-Q",
                    filed: "\(year)-11-01")
            }
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.annual(.revenue).map(\.period.label).last == "FY2014")
        #expect(fundamentals.annual(.revenue).count == 10)
        #expect(fundamentals.quarterly(.netIncome).count == 8)
    }

    /// Utilities report the twelve months to each quarter's end; these are not fiscal years.
    @Test func twelveMonthsInAQuarterlyReportAreNoFiscalYear() throws {
        var facts = SyntheticFacts()
        for year in [2022, 2023] { try facts.addYear(year, revenue: "\(year)") }
        try facts.addStatement(
            from: "2023-07-01", to: "2024-06-30", revenue: "2222", income: "1", form: "10-Q", filed: "2024-08-01")
        #expect(try facts.fundamentals().fiscalYears == ["FY2023", "FY2022"])
    }

    @Test(arguments: [
        ("2024-01-01", "2104-12-31", "2025-02-15"), ("2024-12-31", "2024-01-01", "2025-02-15"),
        ("2025-01-01", "2025-12-31", "2025-02-15"), ("2024-13-01", "2024-12-31", "2025-02-15"),
        ("2020-01-01", "2024-12-31", "2025-02-15"), ("1024-01-01", "1024-12-31", "2025-02-15"),
    ])
    func impossiblePeriodsAreIgnored(start: String, end: String, filed: String) throws {
        var facts = SyntheticFacts()
        try facts.addYear(2023, revenue: "100")
        try facts.addStatement(from: start, to: end, revenue: "999", income: "9", filed: filed)
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.fiscalYears == ["FY2023"])
        #expect(fundamentals.figures(.revenue, .annual).map { "\($0.value)" } == ["100"])
    }

    @Test func aCompanyWithoutAFiscalYearHasQuartersOrNothing() throws {
        var facts = SyntheticFacts()
        try facts.addStatement(
            from: "2024-01-01", to: "2024-03-31", revenue: "5", income: "1", form: "10-Q", filed: "2024-05-01")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.fiscalYears.isEmpty)
        #expect(fundamentals.annual(.revenue).isEmpty)
        #expect(fundamentals.trailingTwelveMonths(.revenue) == nil)
    }
}
