import FoundationEssentials
import Testing

@testable import DataSources

@Suite struct SplitTests {
    /// Two annual reports that share a year, which the second one restates for a split.
    private func restatedYear(
        oldShares: String, newShares: String, oldEPS: String?, newEPS: String?
    ) throws -> SyntheticFacts {
        var facts = SyntheticFacts()
        for year in [2019, 2020, 2021] { try facts.addYear(year, revenue: "1000", income: "112312200") }
        for year in [2019, 2020] {
            try facts.add(
                "WeightedAverageNumberOfDilutedSharesOutstanding", oldShares, from: "\(year)-01-01",
                to: "\(year)-12-31", filed: "2021-02-15", unit: "shares")
            if let oldEPS {
                try facts.add(
                    "EarningsPerShareDiluted", oldEPS, from: "\(year)-01-01", to: "\(year)-12-31",
                    filed: "2021-02-15", unit: "USD/shares")
            }
        }
        for year in [2020, 2021] {
            try facts.add(
                "WeightedAverageNumberOfDilutedSharesOutstanding", newShares, from: "\(year)-01-01",
                to: "\(year)-12-31", filed: "2022-02-15", unit: "shares")
            if let newEPS {
                try facts.add(
                    "EarningsPerShareDiluted", newEPS, from: "\(year)-01-01", to: "\(year)-12-31",
                    filed: "2022-02-15", unit: "USD/shares")
            }
        }
        return facts
    }

    @Test func yearsBeforeASplitAreOnTodaysShares() throws {
        let fundamentals = try restatedYear(
            oldShares: "1001000", newShares: "20020000", oldEPS: "112.2", newEPS: "5.61"
        ).fundamentals()
        #expect(fundamentals.splits.map { [$0.numerator, $0.denominator] } == [[20, 1]])
        #expect(fundamentals.text("diluted_eps.FY2019") == "5.61")
        #expect(fundamentals["diluted_eps.FY2019"]?.reported == Decimal(string: "112.2"))
        #expect(fundamentals.text("diluted_shares.FY2019") == "20020000")
        #expect(fundamentals["diluted_eps.FY2020"]?.adjustment == nil)
        #expect(fundamentals["diluted_eps.FY2020"]?.restatement == nil)
        #expect(fundamentals["diluted_shares.FY2020"]?.restatement == nil)
    }

    @Test func aReverseSplitMultipliesEarningsPerShare() throws {
        let fundamentals = try restatedYear(
            oldShares: "8000000", newShares: "1000000", oldEPS: "-0.13", newEPS: "-1.04"
        ).fundamentals()
        #expect(fundamentals.splits.map { [$0.numerator, $0.denominator] } == [[1, 8]])
        #expect(fundamentals.splits.first?.text == "1-for-8 reverse split (first seen in a filing of 2022-02-15)")
        #expect(fundamentals.text("diluted_eps.FY2019") == "-1.04")
        #expect(fundamentals.text("diluted_shares.FY2019") == "1000000")
    }

    @Test func threeForTwoIsASplitToo() throws {
        let fundamentals = try restatedYear(
            oldShares: "2000000", newShares: "3000000", oldEPS: "3.30", newEPS: "2.20"
        ).fundamentals()
        // One restated year alone could be a correction at so small a ratio.
        #expect(fundamentals.splits.isEmpty)
        var facts = try restatedYear(oldShares: "2000000", newShares: "3000000", oldEPS: "3.30", newEPS: "2.20")
        try facts.add(
            "WeightedAverageNumberOfDilutedSharesOutstanding", "2000000", from: "2020-07-01", to: "2020-09-30",
            form: "10-Q", filed: "2020-11-01", unit: "shares")
        try facts.add(
            "WeightedAverageNumberOfDilutedSharesOutstanding", "3000000", from: "2020-07-01", to: "2020-09-30",
            form: "10-Q", filed: "2021-11-01", unit: "shares")
        let confirmed = try facts.fundamentals()
        #expect(confirmed.splits.map { [$0.numerator, $0.denominator] } == [[3, 2]])
        #expect(confirmed.text("diluted_eps.FY2019") == "2.2")
    }

    @Test(arguments: [("0.1", "1-for-10"), ("10", "1-for-10"), ("10000", "1-for-10")])
    func aReverseSplitIsReadRightHoweverItsRatioIsWritten(stated: String, text: String) throws {
        var facts = try restatedYear(oldShares: "50000000", newShares: "5000000", oldEPS: "0.2", newEPS: "2.0")
        try facts.add(
            "StockholdersEquityNoteStockSplitConversionRatio1", stated, to: "2021-06-01", filed: "2022-02-15",
            unit: "pure")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.splits.first?.text == "\(text) reverse split (2021-06-01)")
        #expect(fundamentals.text("diluted_eps.FY2019") == "2")
    }

    @Test func aStatedRatioWithoutARestatedFigureChangesNothing() throws {
        var facts = SyntheticFacts()
        for year in [2019, 2020] {
            try facts.addYear(year, revenue: "1000")
            for filed in ["\(year + 1)-02-15", "\(year + 2)-02-15"] {
                try facts.add(
                    "EarningsPerShareDiluted", "4.5", from: "\(year)-01-01", to: "\(year)-12-31", filed: filed,
                    unit: "USD/shares")
            }
        }
        // A conversion of preferred shares, repeated in later filings.
        for filed in ["2020-02-15", "2021-02-15"] {
            try facts.add(
                "StockholdersEquityNoteStockSplitConversionRatio1", "2", to: "2019-06-01", filed: filed, unit: "pure")
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.splits.isEmpty)
        #expect(fundamentals.text("diluted_eps.FY2019") == "4.5")
    }

    @Test func aCorrectedScaleOfShareCountsIsNoSplit() throws {
        for (old, new) in [("20000", "20000000"), ("2000000", "20000000")] {
            let fundamentals = try restatedYear(oldShares: old, newShares: new, oldEPS: "5.61", newEPS: "5.61")
                .fundamentals()
            #expect(fundamentals.splits.isEmpty)
            #expect(fundamentals.text("diluted_eps.FY2019") == "5.61")
        }
    }

    @Test func earningsPerShareAloneProveAStatedSplit() throws {
        var facts = SyntheticFacts()
        for year in [2019, 2020, 2021] { try facts.addYear(year, revenue: "1000") }
        for (year, filed, value) in [
            (2019, "2021-02-15", "30.03"), (2020, "2021-02-15", "33.01"), (2020, "2022-02-15", "3.30"),
            (2021, "2022-02-15", "3.9"),
        ] {
            try facts.add(
                "EarningsPerShareDiluted", value, from: "\(year)-01-01", to: "\(year)-12-31", filed: filed,
                unit: "USD/shares")
        }
        #expect(try facts.fundamentals().splits.isEmpty)
        try facts.add(
            "StockholdersEquityNoteStockSplitConversionRatio1", "10", to: "2021-07-19", filed: "2022-02-15",
            unit: "pure")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.text("diluted_eps.FY2019") == "3.003")
        #expect(fundamentals["diluted_eps.FY2019"]?.adjustment?.reason == "10-for-1 split (2021-07-19)")
        #expect(fundamentals.text("diluted_eps.FY2020") == "3.3")
    }

    @Test func twoSplitsMultiply() throws {
        var facts = SyntheticFacts()
        let shares = "WeightedAverageNumberOfDilutedSharesOutstanding"
        for year in 2018...2023 { try facts.addYear(year, revenue: "1000", income: "30000000") }
        // 5-for-1 in 2020 and 3-for-1 in 2022; every report restates the year before.
        for (year, filed, count, eps) in [
            (2018, "2019-02-15", "1000000", "30.0"), (2019, "2020-02-15", "1010000", "31.5"),
            (2018, "2020-02-15", "1000000", "30.0"), (2019, "2021-02-15", "5050000", "6.30"),
            (2020, "2021-02-15", "5100000", "6.60"), (2020, "2022-02-15", "5100000", "6.60"),
            (2021, "2022-02-15", "5200000", "6.90"), (2021, "2023-02-15", "15600000", "2.30"),
            (2022, "2023-02-15", "15700000", "2.40"),
        ] {
            let (start, end) = ("\(year)-01-01", "\(year)-12-31")
            try facts.add(shares, count, from: start, to: end, filed: filed, unit: "shares")
            try facts.add("EarningsPerShareDiluted", eps, from: start, to: end, filed: filed, unit: "USD/shares")
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.splits.map(\.numerator) == [5, 3])
        #expect(fundamentals.text("diluted_eps.FY2018") == "2")
        #expect(fundamentals.text("diluted_shares.FY2018") == "15000000")
        #expect(fundamentals.text("diluted_eps.FY2019") == "2.1")
        #expect(fundamentals.text("diluted_eps.FY2020") == "2.2")
        #expect(fundamentals["diluted_eps.FY2021"]?.adjustment == nil)
    }

    /// The report of spring was filed before the split although its period is compared only in the next year.
    @Test func aFilingInsideTheWindowIsPutOnItsSideByItsOwnShareCount() throws {
        var facts = try restatedYear(oldShares: "1000000", newShares: "10000000", oldEPS: "10", newEPS: "1")
        for (end, filed, shares, eps) in [
            ("2021-03-31", "2021-05-01", "1000000", "2.5"), ("2021-09-30", "2021-11-01", "10000000", "0.26"),
        ] {
            let start = end == "2021-03-31" ? "2021-01-01" : "2021-07-01"
            try facts.add(
                "WeightedAverageNumberOfDilutedSharesOutstanding", shares, from: start, to: end, form: "10-Q",
                filed: filed, unit: "shares")
            try facts.add(
                "EarningsPerShareDiluted", eps, from: start, to: end, form: "10-Q", filed: filed, unit: "USD/shares")
            try facts.addStatement(
                from: start, to: end, revenue: "250", income: "150", form: "10-Q", filed: filed)
        }
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.text("diluted_eps.FY2021Q1") == "0.25")
        #expect(fundamentals.splits.first.map { "\($0.boundary)" } == "2021-11-01")
    }

    @Test func anAnnouncedSplitIsNamedAndNotApplied() throws {
        var facts = SyntheticFacts()
        try facts.addStatement(
            from: "2023-01-01", to: "2023-12-31", revenue: "1000", income: "10", filed: "2024-02-15")
        try facts.add(
            "EarningsPerShareDiluted", "9.9", from: "2023-01-01", to: "2023-12-31", filed: "2024-02-15",
            unit: "USD/shares")
        try facts.add(
            "StockholdersEquityNoteStockSplitConversionRatio1", "10", to: "2024-06-07", filed: "2024-02-15",
            unit: "pure")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.announcedSplits.map { "\($0.ratio) \($0.date)" } == ["10 2024-06-07"])
        #expect(fundamentals.text("diluted_eps.FY2023") == "9.9")
    }

    @Test func aQuarterIsSubtractedOnOneBasis() throws {
        var facts = try restatedYear(oldShares: "1000000", newShares: "4000000", oldEPS: "8", newEPS: "2")
        // Nine months reported before the split, the year after it.
        try facts.add(
            "EarningsPerShareDiluted", "6", from: "2021-01-01", to: "2021-09-30", form: "10-Q", filed: "2021-11-01",
            unit: "USD/shares")
        try facts.add(
            "WeightedAverageNumberOfDilutedSharesOutstanding", "1000000", from: "2021-01-01", to: "2021-09-30",
            form: "10-Q", filed: "2021-11-01", unit: "shares")
        try facts.addStatement(
            from: "2021-01-01", to: "2021-09-30", revenue: "750", income: "450", form: "10-Q", filed: "2021-11-01")
        try facts.add(
            "EarningsPerShareDiluted", "4", from: "2021-04-01", to: "2021-06-30", form: "10-Q", filed: "2021-08-01",
            unit: "USD/shares")
        let fundamentals = try facts.fundamentals()
        #expect(fundamentals.text("diluted_eps.FY2021Q4") == "0.5")
        #expect(fundamentals.text("diluted_shares.FY2021Q4") == nil)
    }
}
