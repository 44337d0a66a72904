import FoundationEssentials
import JSON
import Testing

@testable import DataSources

@Suite struct TagChoiceTests {
    private let start = "2023-01-01"
    private let end = "2023-12-31"
    private let filed = "2024-02-15"

    /// A filing of 2023 with the given flows and instants.
    private func year(_ flows: [String: String], _ timestamps: [String: String] = [:]) throws -> SyntheticFacts {
        var facts = SyntheticFacts()
        try facts.add("NetIncomeLoss", "10", from: start, to: end, filed: filed)
        try facts.add("Assets", "5000", to: end, filed: filed)
        for (tag, value) in flows { try facts.add(tag, value, from: start, to: end, filed: filed) }
        for (tag, value) in timestamps { try facts.add(tag, value, to: end, filed: filed) }
        return facts
    }

    @Test func aChangeOfTagsDoesNotBreakTheSeries() throws {
        var facts = SyntheticFacts()
        let tags = [
            2016: "SalesRevenueNet", 2017: "Revenues", 2018: "RevenueFromContractWithCustomerExcludingAssessedTax",
            2019: "RevenueFromContractWithCustomerIncludingAssessedTax",
        ]
        for (year, tag) in tags { try facts.addYear(year, revenue: "\(year)", tag: tag) }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.annual(.revenue).map { "\($0.value)" } == ["2019", "2018", "2017", "2016"])
        #expect(fundamentals["revenue.FY2016"]?.tag == "us-gaap:SalesRevenueNet")
    }

    @Test func aPartOfRevenueIsNotTakenForTheWhole() throws {
        let facts = try year([
            "Revenues": "648125", "RevenueFromContractWithCustomerExcludingAssessedTax": "642637",
        ])
        #expect(try facts.fundamentals().text("revenue.FY2023") == "648125")
    }

    @Test func theTotalThatAgreesWithTheGrossProfitIsRevenue() throws {
        // Before and after excise taxes: the company calculates its gross profit from the latter.
        let facts = try year([
            "RevenueFromContractWithCustomerIncludingAssessedTax": "24018",
            "RevenueFromContractWithCustomerExcludingAssessedTax": "20444", "CostOfRevenue": "6077",
            "GrossProfit": "14367",
        ])
        #expect(try facts.fundamentals().text("revenue.FY2023") == "20444")
    }

    /// A later filing mentions an old number alone, in a note, under a tag that means less.
    @Test func aNoteInALaterFilingDoesNotReplaceTheStatement() throws {
        var facts = try year(["Revenues": "1000"])
        try facts.add(
            "RevenueFromContractWithCustomerExcludingAssessedTax", "700", from: start, to: end, filed: "2025-02-15")
        try facts.add("Revenues", "1000", from: "2024-01-01", to: "2024-12-31", filed: "2025-02-15")
        try facts.add("NetIncomeLoss", "10", from: "2024-01-01", to: "2024-12-31", filed: "2025-02-15")
        #expect(try facts.fundamentals().text("revenue.FY2023") == "1000")
    }

    @Test func grossProfitIsRevenueLessCostWhereOnlyTheseAreReported() throws {
        let fundamentals = try year(["Revenues": "1000", "CostOfRevenue": "400"]).fundamentals()
        let figure = try #require(fundamentals["gross_profit.FY2023"])
        #expect(figure.value == 600)
        #expect(figure.tag == "us-gaap:Revenues, us-gaap:CostOfRevenue")
        #expect(figure.derivation?.method == "revenue less cost of revenue")
        // The costs of goods are a part of the costs where services have costs of their own.
        let parts = try year(["Revenues": "1000", "CostOfGoodsSold": "400", "CostOfServices": "100"]).fundamentals()
        #expect(parts["gross_profit.FY2023"] == nil)
    }

    @Test func aBanksRevenueIsNetOfInterestExpense() throws {
        let broker = try year(["Revenues": "100", "RevenuesNetOfInterestExpense": "60"]).fundamentals()
        #expect(broker.text("revenue.FY2023") == "60")
        let large = try year([
            "Revenues": "177556", "InterestIncomeExpenseNet": "92583", "NoninterestIncome": "84973",
            "RevenueFromContractWithCustomerExcludingAssessedTax": "30000", "CostOfRevenue": "10",
        ]).fundamentals()
        #expect(large.text("revenue.FY2023") == "177556")
        #expect(large["revenue.FY2023"]?.isDerived == false)
        #expect(large["gross_profit.FY2023"] == nil)
        let small = try year([
            "InterestAndDividendIncomeOperating": "90", "InterestExpense": "30", "NoninterestIncome": "15",
            "RevenueFromContractWithCustomerExcludingAssessedTax": "8",
        ]).fundamentals()
        #expect(small.text("revenue.FY2023") == "75")
        #expect(
            small["revenue.FY2023"]?.derivation?.components.map { $0.isAdded ? "+\($0.value)" : "-\($0.value)" }
                == ["+90", "-30", "+15"])
    }

    @Test func noRevenueIsZeroOnlyWhereAFilingSaysSo() throws {
        #expect(try year(["Revenues": "0"]).fundamentals().text("revenue.FY2023") == "0")
        #expect(try year([:]).fundamentals()["revenue.FY2023"] == nil)
        #expect(try year([:]).fundamentals()["free_cash_flow.FY2023"] == nil)
    }

    struct DebtCase: Sendable {
        let tags: [String: String]
        var total: String?
        var noncurrent: String?
        var current: String?
    }

    private static let debtCases: [DebtCase] = [
        DebtCase(
            tags: ["LongTermDebt": "100", "LongTermDebtCurrent": "20"], total: "100", noncurrent: "80", current: "20"),
        DebtCase(
            tags: ["LongTermDebt": "100", "LongTermDebtNoncurrent": "80", "LongTermDebtCurrent": "20"], total: "100",
            noncurrent: "80", current: "20"),
        DebtCase(
            tags: ["LongTermDebtNoncurrent": "80", "DebtCurrent": "25", "LongTermDebtCurrent": "20"], total: "105",
            noncurrent: "80", current: "25"),
        DebtCase(
            tags: [
                "LongTermDebtNoncurrent": "80", "LongTermDebtCurrent": "20", "ShortTermBorrowings": "7",
                "CommercialPaper": "5",
            ], total: "107", noncurrent: "80", current: "27"),
        DebtCase(tags: ["LongTermDebtNoncurrent": "80", "LongTermDebt": "86"], total: "86", noncurrent: "80"),
        DebtCase(tags: ["LongTermDebt": "300", "ShortTermBorrowings": "40"], total: "340", current: "40"),
        DebtCase(tags: ["LongTermDebtNoncurrent": "80"], total: "80", noncurrent: "80"),
        DebtCase(tags: ["DebtLongtermAndShorttermCombinedAmount": "90"], total: "90"),
        DebtCase(tags: [:]),
    ]

    @Test(arguments: debtCases)
    func debtIsCountedOnce(_ example: DebtCase) throws {
        let fundamentals = try year([:], example.tags).fundamentals()
        #expect(fundamentals.text("total_debt.FY2023") == example.total)
        #expect(fundamentals.text("long_term_debt.FY2023") == example.noncurrent)
        #expect(fundamentals.text("short_term_debt.FY2023") == example.current)
    }

    @Test func liabilitiesWithoutALineAreTheAssetsLessEquity() throws {
        let negative = try year([:], ["LiabilitiesAndStockholdersEquity": "500", "StockholdersEquity": "-200"])
            .fundamentals()
        #expect(negative.text("total_liabilities.FY2023") == "700")
        #expect(negative.text("equity.FY2023") == "-200")
        let minority = try year(
            [:],
            [
                "LiabilitiesAndStockholdersEquity": "500", "StockholdersEquity": "200", "MinorityInterest": "30",
                "TemporaryEquityCarryingAmountAttributableToParent": "20",
            ]
        ).fundamentals()
        #expect(minority.text("total_liabilities.FY2023") == "250")
        #expect(try year([:], ["StockholdersEquity": "1"]).fundamentals()["total_liabilities.FY2023"] == nil)
    }

    @Test func theLastFilingWinsAndTheEarlierNumberIsKept() throws {
        var facts = try year(["Revenues": "1000"])
        for (form, filed, value) in [("10-K/A", "2024-06-01", "980"), ("8-K", "2024-09-01", "500")] {
            try facts.add("Revenues", value, from: start, to: end, form: form, filed: filed)
            try facts.add("NetIncomeLoss", "10", from: start, to: end, form: form, filed: filed)
        }
        let figure = try #require(try facts.fundamentals()["revenue.FY2023"])
        #expect(figure.value == 980)
        #expect(figure.filing.form == "10-K/A")
        #expect(figure.restatement?.reported == 1000)
        #expect(figure.restatement?.filing.form == "10-K")
    }

    @Test func aNumberRoundedInALaterFilingIsNotCalledRestated() throws {
        var facts = try year(["Revenues": "62658000"])
        try facts.add("Revenues", "63000000", from: start, to: end, filed: "2025-02-15")
        try facts.add("NetIncomeLoss", "10", from: start, to: end, filed: "2025-02-15")
        #expect(try facts.fundamentals()["revenue.FY2023"]?.restatement == nil)
    }

    @Test func ofOneNumberWrittenTwiceInAFilingTheExactOneIsTaken() throws {
        var facts = try year(["Revenues": "391000000000"])
        try facts.add("Revenues", "391035000000", from: start, to: end, filed: filed)
        try facts.add("Revenues", "391000000000", from: start, to: end, filed: filed)
        #expect(try facts.fundamentals().text("revenue.FY2023") == "391035000000")
    }

    @Test func aBalanceSheetADayOffStillBelongsToItsYear() throws {
        var facts = try year(["Revenues": "1"])
        try facts.add("StockholdersEquity", "77", to: "2023-12-30", filed: filed)
        try facts.add("StockholdersEquity", "66", to: "2022-12-31", filed: filed)
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.text("equity.FY2023") == "77")
    }

    @Test func aForeignFilerIsReadInItsOwnCurrency() throws {
        var facts = SyntheticFacts()
        for (year, revenue) in [(2022, "250"), (2023, "280")] {
            let (start, end) = ("\(year)-01-01", "\(year)-12-31")
            for (tag, value, unit) in [
                ("ifrs-full:Revenue", revenue, "EUR"),
                ("ifrs-full:ProfitLossAttributableToOwnersOfParent", "40", "EUR"),
                ("ifrs-full:ProfitLoss", "42", "EUR"),
                ("ifrs-full:CashFlowsFromUsedInOperatingActivities", "50", "EUR"),
                ("ifrs-full:DilutedEarningsLossPerShare", "1.25", "EUR/shares"),
            ] {
                try facts.add(tag, value, from: start, to: end, form: "20-F", filed: "2024-03-01", unit: unit)
            }
            try facts.add(
                "ifrs-full:Equity", "500", to: end, form: "20-F", filed: "2024-03-01", unit: "EUR")
        }
        // A translation for the reader's convenience.
        try facts.add(
            "ifrs-full:Revenue", "309", from: start, to: end, form: "20-F", filed: "2024-03-01", unit: "USD")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.currency == "EUR")
        #expect(fundamentals.text("revenue.FY2023") == "280")
        #expect(fundamentals.text("net_income.FY2023") == "40")
        #expect(fundamentals["diluted_eps.FY2023"]?.unit == "EUR/shares")
        #expect(fundamentals["equity.FY2022"]?.tag == "ifrs-full:Equity")
        #expect(fundamentals.text("net_income.TTM") == "40")
        #expect(fundamentals.figures.allSatisfy { !$0.unit.contains("USD") })
    }

    @Test func aShareCountThatEarningsContradictIsLeftOut() throws {
        var facts = SyntheticFacts()
        for (year, shares) in [(2022, "2494"), (2023, "2494000000")] {
            let (start, end, filed) = ("\(year)-01-01", "\(year)-12-31", "\(year + 1)-02-15")
            try facts.addStatement(from: start, to: end, revenue: "1", income: "29760000000", filed: filed)
            try facts.add("EarningsPerShareDiluted", "11.93", from: start, to: end, filed: filed, unit: "USD/shares")
            try facts.add(
                "WeightedAverageNumberOfDilutedSharesOutstanding", shares, from: start, to: end, filed: filed,
                unit: "shares")
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals["diluted_shares.FY2022"] == nil)
        #expect(fundamentals.text("diluted_shares.FY2023") == "2494000000")
        #expect(fundamentals.text("diluted_eps.FY2022") == "11.93")
    }

    @Test func aPaymentWithAWrongSignIsNotCalculatedWith() throws {
        let fundamentals = try year([
            "NetCashProvidedByUsedInOperatingActivities": "100", "PaymentsToAcquirePropertyPlantAndEquipment": "-30",
        ]).fundamentals()
        #expect(fundamentals["free_cash_flow.FY2023"] == nil)
        #expect(fundamentals.text("capital_expenditure.FY2023") == "-30")
    }

    @Test func numbersStayExact() throws {
        let facts = try year(["Revenues": "12345678901234567", "IncomeTaxExpenseBenefit": "0.1"])
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals["revenue.FY2023"]?.json["value"]?.number?.literal == "12345678901234567")
        #expect(fundamentals["income_tax.FY2023"]?.json["value"]?.number?.literal == "0.1")
    }

    @Test func aDocumentWithoutFactsIsAnError() throws {
        #expect(throws: DataSourceError.self) { try Fundamentals(companyFacts: ["cik": 1]) }
        #expect(try Fundamentals(companyFacts: ["facts": .object([:])]).figures.isEmpty)
        let strange: JSON = ["facts": ["us-gaap": ["Revenues": ["units": ["USD": [["val": "x"], 3, ["end": 4]]]]]]]
        #expect(try Fundamentals(companyFacts: strange).figures.isEmpty)
    }
}
