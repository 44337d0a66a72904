import FoundationEssentials

/// The rules that find or calculate each concept for one span. A concept without facts is `nil`, never zero.
struct ConceptRules: Sendable {
    let selector: FactSelector

    func amount(_ concept: Concept, _ span: FactPeriod) -> Amount? {
        switch concept {
        case .revenue: revenue(span)
        case .grossProfit: grossProfit(span)
        case .sellingAndAdministration: sellingAndAdministration(span)
        case .freeCashFlow: freeCashFlow(span)
        case .cashAndShortTermInvestments: cashAndShortTermInvestments(span)
        case .totalLiabilities: totalLiabilities(span)
        case .shortTermDebt: debt.current(span)
        case .longTermDebt: debt.noncurrent(span)
        case .totalDebt: debt.total(span)
        case .dilutedShares: averageShares(Tags.dilutedShares, Tags.dilutedEPS, span)
        case .basicShares: averageShares(Tags.basicShares, Tags.basicEPS, span)
        default: Self.lines[concept].flatMap { selector.amount($0, concept.measure, span) }
        }
    }

    private var debt: DebtRules { DebtRules(selector: selector) }

    /// Concepts that are one line of a statement.
    private static let lines: [Concept: TagList] = [
        .costOfRevenue: Tags.costOfRevenue, .researchAndDevelopment: Tags.research,
        .operatingIncome: Tags.operatingIncome, .interestExpense: Tags.interestExpense,
        .pretaxIncome: Tags.pretaxIncome, .incomeTax: Tags.incomeTax, .netIncome: Tags.netIncome,
        .basicEPS: Tags.basicEPS, .dilutedEPS: Tags.dilutedEPS,
        .depreciationAndAmortization: Tags.depreciationAndAmortization,
        .stockBasedCompensation: Tags.stockBasedCompensation, .operatingCashFlow: Tags.operatingCashFlow,
        .capitalExpenditure: Tags.capitalExpenditure, .dividendsPaid: Tags.dividendsPaid,
        .dividendsPerShare: Tags.dividendsPerShare, .buybacks: Tags.buybacks, .shareIssuance: Tags.shareIssuance,
        .acquisitions: Tags.acquisitions, .cash: Tags.cash, .shortTermInvestments: Tags.shortTermInvestments,
        .receivables: Tags.receivables, .inventory: Tags.inventory, .currentAssets: Tags.currentAssets,
        .goodwill: Tags.goodwill, .totalAssets: Tags.totalAssets, .currentLiabilities: Tags.currentLiabilities,
        .retainedEarnings: Tags.retainedEarnings, .equity: Tags.equity, .sharesOutstanding: Tags.sharesOutstanding,
    ]

    private func line(_ list: TagList, _ span: FactPeriod, _ measure: Concept.Measure = .flow) -> Amount? {
        selector.amount(list, measure, span)
    }

    // MARK: Income

    /// Banks and brokers head their statements with revenue net of interest expense; where they report only its two
    /// parts it is their sum. Such companies tag only their fees as revenue from contracts.
    private func revenue(_ span: FactPeriod) -> Amount? {
        if let net = line(Tags.revenueNetOfInterest, span) { return net }
        let general = generalRevenue(span)
        guard let interest = netInterestIncome(span), let other = line(Tags.noninterestIncome, span) else {
            return general
        }
        let sum = Amount(
            [.plus(interest), .plus(other)], span: span, kind: "interest + other income",
            method: "net interest income and noninterest income")
        if let general, let sum, general.value != 0,
            (general.value - sum.value).magnitude <= general.value.magnitude / 50
        {
            return general
        }
        return sum ?? general
    }

    private func netInterestIncome(_ span: FactPeriod) -> Amount? {
        if let reported = line(Tags.netInterestIncome, span) { return reported }
        guard let income = line(Tags.interestIncome, span), let expense = line(Tags.interestExpense, span) else {
            return nil
        }
        return Amount(
            [.plus(income), .minus(expense)], span: span, kind: "interest income - \(expense.kind)",
            method: "interest income less interest expense")
    }

    /// Of several totals in one filing the one that agrees with its own profit, or else the largest.
    private func generalRevenue(_ span: FactPeriod) -> Amount? {
        let proofs = [(Tags.grossProfit, Tags.costOfRevenue), (Tags.operatingIncome, Tags.costsAndExpenses)]
            .compactMap { profit, cost -> Decimal? in
                guard let profit = line(profit, span), let cost = line(cost, span) else { return nil }
                return profit.value + cost.value
            }
        return selector.amount(Tags.revenue, .flow, span, isPreferred: proofs.contains)
    }

    private func grossProfit(_ span: FactPeriod) -> Amount? {
        if let reported = line(Tags.grossProfit, span) { return reported }
        // Costs of goods beside costs of services would be a part of the costs only.
        guard line(Tags.netInterestIncome, span) == nil, line(Tags.revenueNetOfInterest, span) == nil,
            let revenue = revenue(span), let cost = line(Tags.costOfRevenue, span),
            cost.tags == ["us-gaap:CostOfRevenue"] || line(Tags.costOfServices, span) == nil
        else { return nil }
        return Amount(
            [.plus(revenue), .minus(cost)], span: span, kind: "revenue - \(cost.kind)",
            method: "revenue less cost of revenue")
    }

    private func sellingAndAdministration(_ span: FactPeriod) -> Amount? {
        if let reported = line(Tags.sellingAndAdministration, span) { return reported }
        guard let selling = line(Tags.selling, span), let administration = line(Tags.administration, span) else {
            return nil
        }
        return Amount(
            [.plus(selling), .plus(administration)], span: span, kind: "\(selling.kind) + administration",
            method: "selling and administrative expenses")
    }

    private func freeCashFlow(_ span: FactPeriod) -> Amount? {
        // A negative payment is mostly a wrong sign in the filing, at times a refund: unusable either way.
        guard let cash = line(Tags.operatingCashFlow, span), let spent = line(Tags.capitalExpenditure, span),
            spent.value >= 0
        else { return nil }
        return Amount(
            [.plus(cash), .minus(spent)], span: span, kind: "\(cash.kind) - \(spent.kind)",
            method: "operating cash flow less capital expenditure")
    }

    // MARK: Shares

    /// Some filings give share counts in thousands or millions as if they were shares. Earnings per share and net
    /// income of the same period show this; a count that they contradict by hundreds of times is left out.
    private func averageShares(_ list: TagList, _ perShare: TagList, _ span: FactPeriod) -> Amount? {
        guard let shares = selector.amount(list, .averageShares, span), shares.value > 0 else { return nil }
        guard let earnings = selector.amount(perShare, .flowPerShare, span), let income = line(Tags.netIncome, span),
            earnings.value.magnitude >= Decimal(sign: .plus, exponent: -2, significand: 2), income.value != 0
        else { return shares }
        let quotient = (income.value / earnings.value / shares.value).magnitude
        return (Decimal(1) / 300...300).contains(quotient) ? shares : nil
    }

    // MARK: Balance sheet

    private func cashAndShortTermInvestments(_ span: FactPeriod) -> Amount? {
        if let reported = line(Tags.cashAndShortTermInvestments, span, .balance) { return reported }
        guard let cash = line(Tags.cash, span, .balance),
            let investments = line(Tags.shortTermInvestments, span, .balance)
        else { return nil }
        return Amount(
            [.plus(cash), .plus(investments)], span: span, kind: "cash + investments",
            method: "cash and short-term investments")
    }

    /// Many balance sheets have no line for all liabilities: then it is the part that belongs neither to the owners nor
    /// to holders of redeemable shares.
    private func totalLiabilities(_ span: FactPeriod) -> Amount? {
        if let reported = line(Tags.totalLiabilities, span, .balance) { return reported }
        guard let total = line(Tags.liabilitiesAndEquity, span, .balance) else { return nil }
        var terms: [Amount.Term] = [.plus(total)]
        if let equity = line(Tags.wholeEquity, span, .balance) {
            terms.append(.minus(equity))
        } else if let equity = line(Tags.parentEquity, span, .balance) {
            terms.append(.minus(equity))
            if let minority = line(Tags.minorityInterest, span, .balance) { terms.append(.minus(minority)) }
        } else {
            return nil
        }
        if let temporary = line(Tags.temporaryEquity, span, .balance) { terms.append(.minus(temporary)) }
        return Amount(
            terms, span: span, kind: "total - equity", method: "liabilities and equity less equity")
    }
}

/// Debt without counting anything twice: `LongTermDebt` includes the part that is due within a year, `DebtCurrent`
/// includes that part and the short borrowings, `ShortTermBorrowings` includes commercial paper.
struct DebtRules: Sendable {
    let selector: FactSelector

    private func line(_ list: TagList, _ span: FactPeriod) -> Amount? { selector.amount(list, .balance, span) }

    /// Due within a year.
    func current(_ span: FactPeriod) -> Amount? {
        if let whole = line(Tags.currentDebt, span) { return whole }
        return sum(
            [line(Tags.currentMaturities, span), line(Tags.shortBorrowings, span)], span, "debt due within a year")
    }

    /// Due after a year. Some filings report only long-term debt with its current part, and that part.
    func noncurrent(_ span: FactPeriod) -> Amount? {
        if let reported = line(Tags.noncurrentDebt, span) { return reported }
        guard let whole = line(Tags.wholeLongTermDebt, span), let maturities = line(Tags.currentMaturities, span),
            maturities.value <= whole.value
        else { return nil }
        return Amount(
            [.plus(whole), .minus(maturities)], span: span, kind: "long-term debt - maturities",
            method: "long-term debt less its current part")
    }

    /// All borrowings; leases are not among them unless the filing's own line includes them.
    func total(_ span: FactPeriod) -> Amount? {
        let whole = line(Tags.wholeLongTermDebt, span)
        if let noncurrent = line(Tags.noncurrentDebt, span) {
            if let current = current(span) { return sum([noncurrent, current], span, "long-term and current debt") }
            // Without a line for debt due within a year, the total that includes it is used if there is one.
            if let whole, whole.value >= noncurrent.value { return whole }
            return line(Tags.wholeDebt, span).flatMap { $0.value >= noncurrent.value ? $0 : nil } ?? noncurrent
        }
        if let whole {
            return sum([whole, line(Tags.shortBorrowings, span)], span, "long-term debt and short-term borrowings")
        }
        return line(Tags.wholeDebt, span) ?? current(span)
    }

    /// The sum of the reported amounts.
    private func sum(_ amounts: [Amount?], _ span: FactPeriod, _ method: String) -> Amount? {
        let known = amounts.compactMap { $0 }
        if known.count < 2 { return known.first }
        return Amount(
            known.map { .plus($0) }, span: span, kind: known.map(\.kind).joined(separator: " + "), method: method)
    }
}
