internal import DataSources

extension CompanyHistory.Year {
    /// What the owners could take out of a year: net income + depreciation and amortisation − capital expenditure.
    ///
    /// All capital expenditure counts as needed to stay in place, since filings do not tell growth from upkeep; and
    /// stock-based pay is not added back, since owners pay for it. Both err on the careful side.
    func ownerEarnings() throws(Abstention) -> Calculation {
        let income = try figure(.netIncome)
        let depreciation = try figure(.depreciationAndAmortization)
        let investment = try payment(.capitalExpenditure)
        return Calculation(
            value: income.double + depreciation.double - investment.double, inputs: [income, depreciation, investment])
    }

    /// Operating income after tax over the capital at work (debt + equity − cash and short-term investments).
    func returnOnInvestedCapital() throws(Abstention) -> Calculation {
        let operating = try figure(.operatingIncome)
        let tax = try taxRate()
        let equity = try figure(.equity)
        let debt = try figure(.totalDebt)
        let cash = try cashAndInvestments()
        let capital = equity.double + debt.double - cash.double
        guard capital > 0 else {
            throw Abstention(
                "debt and equity less cash were not positive in \(label), so a return on them means nothing")
        }
        return Calculation(
            value: operating.double * (1 - tax.value) / capital, inputs: [operating, equity, debt, cash] + tax.inputs)
    }

    /// Income tax over pre-tax income, held between 0 and 50 % so that one-off items do not distort what follows.
    func taxRate() throws(Abstention) -> Calculation {
        let tax = try figure(.incomeTax)
        let pretax = try figure(.pretaxIncome)
        let rate = pretax.double > 0 ? tax.double / pretax.double : 0
        return Calculation(value: min(max(rate, 0), 0.5), inputs: [tax, pretax])
    }

    /// Cash with short-term investments, or cash alone where filings show no more.
    func cashAndInvestments() throws(Abstention) -> Figure {
        if let both = figures[.cashAndShortTermInvestments] { return both }
        return try figure(.cash)
    }
}
