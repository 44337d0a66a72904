internal import DataSources

extension Metric {
    static let growth: [Metric] = [
        Metric(
            "revenue_growth_5y", "Yearly revenue growth over five years", .ratio, needs: [.revenue],
            formula: "compound yearly growth of revenue from five fiscal years ago to the latest"
        ) { history throws(Abstention) in
            try history.growth(of: "revenue", years: 5) { year throws(Abstention) in try year.value(.revenue) }
        },
        Metric(
            "revenue_growth_latest", "Revenue growth of the latest year", .ratio, needs: [.revenue],
            formula: "revenue of the latest fiscal year over the year before, less one"
        ) { history throws(Abstention) in
            try history.growth(of: "revenue", years: 1) { year throws(Abstention) in try year.value(.revenue) }
        },
        Metric(
            "eps_growth_5y", "Yearly growth of earnings per share over five years", .ratio, needs: [.dilutedEPS],
            formula: "compound yearly growth of diluted earnings per share, on today's shares, over five fiscal years"
        ) { history throws(Abstention) in
            try history.growth(of: "diluted earnings per share", years: 5) { year throws(Abstention) in
                try year.value(.dilutedEPS)
            }
        },
        Metric(
            "owner_earnings_growth_5y", "Yearly growth of owner earnings over five years", .ratio,
            needs: [.netIncome, .depreciationAndAmortization, .capitalExpenditure],
            formula: "compound yearly growth of owner earnings over five fiscal years"
        ) { history throws(Abstention) in
            try history.growth(of: "owner earnings", years: 5) { year throws(Abstention) in try year.ownerEarnings() }
        },
        Metric(
            "revenue_growth_years", "Years with growing revenue", .ratio, needs: [.revenue],
            formula:
                "share of up to ten fiscal years (three at least) in which revenue exceeded that of the year before"
        ) { history throws(Abstention) in
            let changes = try history.recent(10, atLeast: 3) { year throws(Abstention) in
                guard let before = history.year(1, before: year) else {
                    throw Abstention("the filings give no fiscal year before \(year.label)")
                }
                let (now, then) = (try year.figure(.revenue), try before.figure(.revenue))
                return Calculation(value: now.double - then.double, inputs: [now, then])
            }
            return changes.share { $0 > 0 }
        },
    ]
}
