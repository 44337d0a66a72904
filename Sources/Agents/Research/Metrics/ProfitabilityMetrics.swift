internal import DataSources

extension Metric {
    static let profitability: [Metric] = [
        margin("gross_margin", "gross margin", .grossProfit),
        margin("operating_margin", "operating margin", .operatingIncome),
        margin("net_margin", "net margin", .netIncome),
        marginSpread("gross_margin", "gross margin", .grossProfit),
        marginSpread("operating_margin", "operating margin", .operatingIncome),
        Metric(
            "operating_margin_change_5y", "Change of the operating margin over five years", .ratio,
            needs: [.operatingIncome, .revenue],
            formula: "operating margin of the latest fiscal year less that of five years before"
        ) { history throws(Abstention) in
            let years = try history.ends(ofSpan: 5)
            let last = try years.last.ratio(.operatingIncome, to: .revenue)
            let first = try years.first.ratio(.operatingIncome, to: .revenue)
            return Calculation(value: last.value - first.value, inputs: last.inputs + first.inputs)
        },
        Metric(
            "roe_median", "Median return on equity", .ratio, needs: [.netIncome, .equity],
            formula: "median over up to ten fiscal years of net income over equity at the year's end"
        ) { history throws(Abstention) in
            try history.recent(10, atLeast: 4) { year throws(Abstention) in
                try year.ratio(.netIncome, to: .equity)
            }.median
        },
        Metric(
            "roic_median", "Median return on invested capital", .ratio, needs: returnOnCapitalFigures,
            formula:
                "median over up to ten fiscal years of operating income after tax over debt + equity − cash and short-term investments"
        ) { history throws(Abstention) in
            try history.recent(10, atLeast: 4) { year throws(Abstention) in
                try year.returnOnInvestedCapital()
            }.median
        },
        Metric(
            "roic_latest", "Return on invested capital of the latest year", .ratio, needs: returnOnCapitalFigures,
            formula:
                "operating income after tax over debt + equity − cash and short-term investments, latest fiscal year"
        ) { history throws(Abstention) in try history.latest().returnOnInvestedCapital() },
        Metric(
            "profitable_years", "Years with a profit", .ratio, needs: [.netIncome],
            formula: "share of up to ten fiscal years with a positive net income"
        ) { history throws(Abstention) in
            try history.recent(10, atLeast: 4) { year throws(Abstention) in try year.value(.netIncome) }.share {
                $0 > 0
            }
        },
        Metric(
            "research_intensity", "Research and development as a share of revenue", .ratio,
            needs: [.researchAndDevelopment, .revenue],
            formula: "research and development over revenue, latest fiscal year"
        ) { history throws(Abstention) in try history.latest().ratio(.researchAndDevelopment, to: .revenue) },
    ]

    private static let returnOnCapitalFigures: [Concept] = [
        .operatingIncome, .incomeTax, .pretaxIncome, .equity, .totalDebt, .cashAndShortTermInvestments,
    ]

    private static func margin(_ name: String, _ words: String, _ profit: Concept) -> Metric {
        Metric(
            "\(name)_median", "Median \(words)", .ratio, needs: [profit, .revenue],
            formula: "median over up to ten fiscal years of \(profit.words) over revenue"
        ) { history throws(Abstention) in
            try history.recent(10, atLeast: 4) { year throws(Abstention) in
                try year.ratio(profit, to: .revenue)
            }.median
        }
    }

    private static func marginSpread(_ name: String, _ words: String, _ profit: Concept) -> Metric {
        Metric(
            "\(name)_spread", "Spread of the \(words)", .ratio, needs: [profit, .revenue],
            formula: "highest less lowest \(words) of the last five fiscal years"
        ) { history throws(Abstention) in
            try history.recent(5, atLeast: 4) { year throws(Abstention) in
                try year.ratio(profit, to: .revenue)
            }.spread
        }
    }
}

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
