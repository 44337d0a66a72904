internal import DataSources

extension Metric {
    static let balanceSheet: [Metric] = [
        Metric(
            "debt_to_equity", "Debt for each unit of equity", .times, needs: [.totalDebt, .equity],
            formula: "total debt over equity at the latest fiscal year's end"
        ) { history throws(Abstention) in
            let year = try history.latest()
            let debt = try year.figure(.totalDebt)
            let equity = try year.figure(.equity)
            if debt.double == 0 { return Calculation(value: 0, inputs: [debt, equity]) }
            guard equity.double > 0 else {
                throw .shortfall("equity was not positive in \(year.label)", [debt, equity])
            }
            return Calculation(value: debt.double / equity.double, inputs: [debt, equity])
        },
        Metric(
            "debt_to_owner_earnings", "Years of owner earnings to repay all debt", .years,
            needs: [.totalDebt, .netIncome, .depreciationAndAmortization, .capitalExpenditure],
            formula: "total debt over owner earnings, latest fiscal year"
        ) { history throws(Abstention) in
            let year = try history.latest()
            let debt = try year.figure(.totalDebt)
            let earnings = try year.ownerEarnings()
            if debt.double == 0 { return Calculation(value: 0, inputs: [debt] + earnings.inputs) }
            guard earnings.value > 0 else {
                throw .shortfall("owner earnings were not positive in \(year.label)", [debt] + earnings.inputs)
            }
            return Calculation(value: debt.double / earnings.value, inputs: [debt] + earnings.inputs)
        },
        Metric(
            "interest_cover", "Operating income for each unit of interest", .times,
            needs: [.operatingIncome, .interestExpense],
            formula: "operating income over interest expense, latest of three fiscal years in which both are reported"
        ) { history throws(Abstention) in
            for year in history.last(3)
            where year.figures[.operatingIncome] != nil && year.figures[.interestExpense] != nil {
                return try year.ratio(.operatingIncome, to: .interestExpense)
            }
            throw Abstention("the filings of the last three years give no interest expense beside operating income")
        },
        Metric(
            "current_ratio", "Current assets for each unit of current liabilities", .times,
            needs: [.currentAssets, .currentLiabilities],
            formula: "current assets over current liabilities at the latest fiscal year's end"
        ) { history throws(Abstention) in try history.latest().ratio(.currentAssets, to: .currentLiabilities) },
        Metric(
            "long_term_debt_to_net_current_assets", "Long-term debt for each unit of net current assets", .times,
            needs: [.longTermDebt, .currentAssets, .currentLiabilities],
            formula: "long-term debt over current assets less current liabilities at the latest fiscal year's end"
        ) { history throws(Abstention) in
            let year = try history.latest()
            let debt = try year.figure(.longTermDebt)
            let assets = try year.figure(.currentAssets)
            let liabilities = try year.figure(.currentLiabilities)
            let net = assets.double - liabilities.double
            guard net > 0 else {
                throw .shortfall(
                    "current assets did not exceed current liabilities in \(year.label)", [debt, assets, liabilities])
            }
            return Calculation(value: debt.double / net, inputs: [debt, assets, liabilities])
        },
        Metric(
            "net_cash_share", "Net cash as a share of assets", .ratio,
            needs: [.cashAndShortTermInvestments, .totalDebt, .totalAssets],
            formula:
                "cash and short-term investments (cash alone where no more is reported) less total debt, over total assets, latest fiscal year's end"
        ) { history throws(Abstention) in
            let year = try history.latest()
            let cash = try year.cashAndInvestments()
            let debt = try year.figure(.totalDebt)
            let assets = try year.figure(.totalAssets)
            guard assets.double > 0 else { throw Abstention("total assets were not positive in \(year.label)") }
            return Calculation(value: (cash.double - debt.double) / assets.double, inputs: [cash, debt, assets])
        },
    ]
}

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
