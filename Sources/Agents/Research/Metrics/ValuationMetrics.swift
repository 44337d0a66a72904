internal import DataSources

extension Metric {
    static let valuation: [Metric] = [
        Metric(
            "price_to_earnings", "Price for each unit of earnings", .times, needs: [.dilutedEPS], needsPrice: true,
            formula: "price over diluted earnings per share of the latest fiscal year"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            return try priceOver(history.latest().value(.dilutedEPS), price, "earnings per share were not positive")
        },
        Metric(
            "price_to_earnings_3y", "Price for each unit of three-year average earnings", .times, needs: [.dilutedEPS],
            needsPrice: true, formula: "price over the mean diluted earnings per share of three fiscal years"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            let years = try history.recent(3, atLeast: 3) { year throws(Abstention) in try year.value(.dilutedEPS) }
            return try priceOver(years.mean, price, "average earnings per share were not positive")
        },
        Metric(
            "price_to_book", "Price for each unit of book value", .times, needs: [.equity, .dilutedShares],
            needsPrice: true, formula: "price over equity per diluted share at the latest fiscal year's end"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            return try priceOver(history.latest().perShare(.equity), price, "book value was not positive")
        },
        Metric(
            "price_to_graham_number", "Price over the Graham number", .ratio,
            needs: [.dilutedEPS, .equity, .dilutedShares], needsPrice: true,
            formula: "price over the square root of 22.5 × diluted earnings per share × book value per share"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            let year = try history.latest()
            let earnings = try year.value(.dilutedEPS)
            let book = try year.perShare(.equity)
            guard earnings.value > 0, book.value > 0 else {
                throw .shortfall(
                    "earnings and book value per share were not both positive", earnings.inputs + book.inputs)
            }
            return Calculation(
                value: price / power(22.5 * earnings.value * book.value, 0.5), inputs: earnings.inputs + book.inputs)
        },
        Metric(
            "price_to_net_current_assets", "Price over net current asset value", .ratio,
            needs: [.currentAssets, .totalLiabilities, .dilutedShares], needsPrice: true,
            formula: "price over current assets less all liabilities, per diluted share (a net-net is below two thirds)"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            let year = try history.latest()
            let assets = try year.perShare(.currentAssets)
            let liabilities = try year.perShare(.totalLiabilities)
            let net = Calculation(value: assets.value - liabilities.value, inputs: assets.inputs + liabilities.inputs)
            return try priceOver(net, price, "current assets do not cover all liabilities, so it is no net-net")
        },
        Metric(
            "peg", "Price to earnings over growth", .times, needs: [.dilutedEPS], needsPrice: true,
            formula: "price to earnings over the percentage of yearly earnings growth over five years"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            let earnings = try history.latest().value(.dilutedEPS)
            let growth = try history.growth(of: "diluted earnings per share", years: 5) { year throws(Abstention) in
                try year.value(.dilutedEPS)
            }
            guard growth.value > 0 else { throw .shortfall("earnings per share did not grow", growth.inputs) }
            let multiple = try priceOver(earnings, price, "earnings per share were not positive")
            return Calculation(value: multiple.value / (growth.value * 100), inputs: multiple.inputs + growth.inputs)
        },
        Metric(
            "owner_earnings_yield", "Owner earnings as a share of the price", .ratio,
            needs: [.netIncome, .depreciationAndAmortization, .capitalExpenditure, .dilutedShares], needsPrice: true,
            formula: "owner earnings per diluted share of the latest fiscal year over the price"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            let year = try history.latest()
            let earnings = try year.ownerEarnings()
            let shares = try year.shares()
            return Calculation(value: earnings.value / shares.value / price, inputs: earnings.inputs + shares.inputs)
        },
        Metric(
            "price_to_sales", "Price for each unit of revenue", .times, needs: [.revenue, .dilutedShares],
            needsPrice: true, formula: "price over revenue per diluted share of the latest fiscal year"
        ) { history throws(Abstention) in
            let price = try history.priceInReportingCurrency()
            return try priceOver(history.latest().perShare(.revenue), price, "revenue was not positive")
        },
    ]

    private static func priceOver(
        _ below: Calculation, _ price: Double, _ whenNotPositive: String
    ) throws(Abstention) -> Calculation {
        guard below.value > 0 else { throw .shortfall(whenNotPositive, below.inputs) }
        return Calculation(value: price / below.value, inputs: below.inputs)
    }
}

extension CompanyHistory.Year {
    fileprivate func shares() throws(Abstention) -> Calculation {
        let shares = try value(.dilutedShares)
        guard shares.value > 0 else { throw Abstention("the share count was not positive in \(label)") }
        return shares
    }

    fileprivate func perShare(_ concept: Concept) throws(Abstention) -> Calculation {
        let figure = try figure(concept)
        let shares = try shares()
        return Calculation(value: figure.double / shares.value, inputs: [figure] + shares.inputs)
    }
}
