internal import DataSources

extension Metric {
    static let ownership: [Metric] = [
        Metric(
            "dilution_5y", "Yearly change of the share count", .ratio, needs: [.dilutedShares],
            formula:
                "compound yearly growth of the average diluted shares, on today's shares, over five fiscal years, or three or four where there are no more or a listing or merger came before them; negative when it shrinks"
        ) { history throws(Abstention) in
            guard let span = try history.shareCountSpan() else {
                throw Abstention("the filings give no share counts over three years or more")
            }
            return try history.growth(of: "share count", years: span) { year throws(Abstention) in
                try year.value(.dilutedShares)
            }
        },
        Metric(
            "dividend_years", "Years with a dividend", .ratio, needs: [.dividendsPaid],
            formula: "share of up to ten fiscal years in which the cash flow statement shows dividends paid"
        ) { history throws(Abstention) in
            guard history.depth >= 4 else { throw Abstention("fewer than 4 fiscal years are there") }
            let paid = history.years.compactMap { $0.figures[.dividendsPaid] }
            guard !paid.isEmpty else { throw Abstention("the filings report no dividends") }
            return Calculation(
                value: Double(paid.count { $0.double > 0 }) / Double(history.years.count), inputs: paid)
        },
        Metric(
            "payout_ratio", "Dividends as a share of net income", .ratio, needs: [.dividendsPaid, .netIncome],
            formula: "dividends paid over net income, latest fiscal year"
        ) { history throws(Abstention) in
            let year = try history.latest()
            _ = try year.payment(.dividendsPaid)
            return try year.ratio(.dividendsPaid, to: .netIncome)
        },
        Metric(
            "returned_to_owners", "Dividends and buybacks as a share of owner earnings", .ratio,
            needs: [.dividendsPaid, .buybacks, .netIncome, .depreciationAndAmortization, .capitalExpenditure],
            formula: "dividends paid and buybacks (either may be unreported) over owner earnings, latest fiscal year"
        ) { history throws(Abstention) in
            let year = try history.latest()
            var returned: [Figure] = []
            for concept in [Concept.dividendsPaid, .buybacks] where year.figures[concept] != nil {
                returned.append(try year.payment(concept))
            }
            guard !returned.isEmpty else { throw Abstention("the filings report neither dividends nor buybacks") }
            let earnings = try year.ownerEarnings()
            guard earnings.value > 0 else { throw Abstention("owner earnings were not positive in \(year.label)") }
            return Calculation(
                value: returned.map(\.double).reduce(0, +) / earnings.value, inputs: returned + earnings.inputs)
        },
        Metric(
            "stock_pay_share", "Stock-based pay as a share of revenue", .ratio,
            needs: [.stockBasedCompensation, .revenue],
            formula: "stock-based compensation over revenue, latest fiscal year"
        ) { history throws(Abstention) in try history.latest().ratio(.stockBasedCompensation, to: .revenue) },
        Metric(
            "retained_earnings_return", "What a retained unit of earnings added to yearly earnings", .ratio,
            needs: [.dilutedEPS, .dividendsPerShare, .dividendsPaid],
            formula:
                "rise of diluted earnings per share over five years, over earnings less dividends per share of the five years before the latest"
        ) { history throws(Abstention) in
            let last = try history.latest().figure(.dilutedEPS)
            var retained = 0.0
            var inputs = [last]
            var first = last
            for count in 1...5 {
                let year = try history.ends(ofSpan: count).first
                first = try year.figure(.dilutedEPS)
                retained += first.double
                inputs.append(first)
                if let dividend = try year.dividendPerShare() {
                    retained -= dividend.double
                    inputs.append(dividend)
                }
            }
            guard retained > 0 else { throw Abstention("nothing was retained over the years") }
            return Calculation(value: (last.double - first.double) / retained, inputs: inputs)
        },
    ]
}

extension CompanyHistory {
    /// A listing turns preferred shares into common ones, and a merger pays with shares: the count jumps once. The
    /// yearly dilution of owners shows after the jump.
    private static let leap = 1.5

    /// The number of years, from three to five, over which the share count is compared; `nil` where it is not reported.
    fileprivate func shareCountSpan() throws(Abstention) -> Int? {
        let latest = try latest()
        func count(_ yearsAgo: Int) -> Double? { year(yearsAgo, before: latest)?.figures[.dilutedShares]?.double }
        let spans = (3...5).filter { count($0) != nil }
        let leaps = (0..<5).filter { place in
            guard let after = count(place), let before = count(place + 1) else { return false }
            return after > before * Self.leap
        }
        // A count that jumps repeatedly, or has just done so, is dilution.
        return spans.last { span in !leaps.contains { $0 < span } } ?? spans.last
    }
}

extension CompanyHistory.Year {
    /// The dividend of a share; `nil` in a year without one.
    fileprivate func dividendPerShare() throws(Abstention) -> Figure? {
        if let dividend = figures[.dividendsPerShare] { return dividend }
        guard (figures[.dividendsPaid]?.double ?? 0) == 0 else {
            throw Abstention("the filings give no dividends per share for \(label), in which dividends were paid")
        }
        return nil
    }
}
