internal import DataSources

extension Metric {
    private static let ownerEarningsFigures: [Concept] = [
        .netIncome, .depreciationAndAmortization, .capitalExpenditure,
    ]

    static let cash: [Metric] = [
        Metric(
            "owner_earnings", "Owner earnings", .money, needs: ownerEarningsFigures,
            formula: "net income + depreciation and amortisation − capital expenditure, latest fiscal year"
        ) { history throws(Abstention) in try history.latest().ownerEarnings() },
        Metric(
            "owner_earnings_margin", "Owner earnings as a share of revenue", .ratio,
            needs: ownerEarningsFigures + [.revenue],
            formula: "median over five fiscal years of owner earnings over revenue"
        ) { history throws(Abstention) in
            try history.recent(5, atLeast: 4) { year throws(Abstention) in
                let earnings = try year.ownerEarnings()
                let revenue = try year.figure(.revenue)
                guard revenue.double > 0 else { throw Abstention("revenue was not positive in \(year.label)") }
                return Calculation(value: earnings.value / revenue.double, inputs: earnings.inputs + [revenue])
            }.median
        },
        Metric(
            "cash_conversion", "Free cash flow for each unit of net income", .times,
            needs: [.operatingCashFlow, .capitalExpenditure, .netIncome],
            formula:
                "operating cash flow less capital expenditure over net income, both added over the same four or five of the last five fiscal years"
        ) { history throws(Abstention) in
            let years = try history.recent(5, atLeast: 4) { year throws(Abstention) in
                let flow = try year.figure(.operatingCashFlow)
                let investment = try year.payment(.capitalExpenditure)
                let income = try year.figure(.netIncome)
                return Calculation(value: flow.double - investment.double, inputs: [flow, investment, income])
            }
            let income = years.inputs.filter { $0.concept == .netIncome }.map(\.double).reduce(0, +)
            guard income > 0 else { throw Abstention("net income over the years was not positive") }
            return Calculation(value: years.map(\.value).reduce(0, +) / income, inputs: years.inputs)
        },
        Metric(
            "free_cash_flow_margin", "Free cash flow as a share of revenue", .ratio,
            needs: [.operatingCashFlow, .capitalExpenditure, .revenue],
            formula: "operating cash flow less capital expenditure over revenue, latest fiscal year"
        ) { history throws(Abstention) in
            let year = try history.latest()
            let flow = try year.figure(.operatingCashFlow)
            let investment = try year.payment(.capitalExpenditure)
            let revenue = try year.figure(.revenue)
            guard revenue.double > 0 else { throw Abstention("revenue was not positive in \(year.label)") }
            return Calculation(
                value: (flow.double - investment.double) / revenue.double, inputs: [flow, investment, revenue])
        },
        Metric(
            "capital_intensity", "Capital expenditure as a share of revenue", .ratio,
            needs: [.capitalExpenditure, .revenue],
            formula: "median over five fiscal years of capital expenditure over revenue"
        ) { history throws(Abstention) in
            try history.recent(5, atLeast: 4) { year throws(Abstention) in
                _ = try year.payment(.capitalExpenditure)
                return try year.ratio(.capitalExpenditure, to: .revenue)
            }.median
        },
    ]
}
