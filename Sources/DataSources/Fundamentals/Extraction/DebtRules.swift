/// Debt without counting anything twice: `LongTermDebt` includes the part that is due within a year, `DebtCurrent`
/// includes that part and the short borrowings, `ShortTermBorrowings` includes commercial paper.
struct DebtRules: Sendable {
    let selector: FactSelector

    private func line(_ list: TagList, _ span: Span) -> Amount? { selector.amount(list, .balance, span) }

    /// Due within a year.
    func current(_ span: Span) -> Amount? {
        if let whole = line(Tags.currentDebt, span) { return whole }
        return sum(
            [line(Tags.currentMaturities, span), line(Tags.shortBorrowings, span)], span, "debt due within a year")
    }

    /// Due after a year. Some filings report only long-term debt with its current part, and that part.
    func noncurrent(_ span: Span) -> Amount? {
        if let reported = line(Tags.noncurrentDebt, span) { return reported }
        guard let whole = line(Tags.wholeLongTermDebt, span), let maturities = line(Tags.currentMaturities, span),
            maturities.value <= whole.value
        else { return nil }
        return Amount(
            [.plus(whole), .minus(maturities)], span: span, kind: "long-term debt - maturities",
            method: "long-term debt less its current part")
    }

    /// All borrowings; leases are not among them unless the filing's own line includes them.
    func total(_ span: Span) -> Amount? {
        let whole = line(Tags.wholeLongTermDebt, span)
        if let noncurrent = line(Tags.noncurrentDebt, span) {
            if let current = current(span) { return sum([noncurrent, current], span, "long-term and current debt") }
            // No line for what is due within a year: the total that includes it, where there is one.
            if let whole, whole.value >= noncurrent.value { return whole }
            return line(Tags.wholeDebt, span).flatMap { $0.value >= noncurrent.value ? $0 : nil } ?? noncurrent
        }
        if let whole {
            return sum([whole, line(Tags.shortBorrowings, span)], span, "long-term debt and short-term borrowings")
        }
        return line(Tags.wholeDebt, span) ?? current(span)
    }

    /// The sum of what is reported; one amount alone is itself.
    private func sum(_ amounts: [Amount?], _ span: Span, _ method: String) -> Amount? {
        let known = amounts.compactMap { $0 }
        if known.count < 2 { return known.first }
        return Amount(
            known.map { .plus($0) }, span: span, kind: known.map(\.kind).joined(separator: " + "), method: method)
    }
}
