import Basics
internal import DataSources

/// The input of metrics: a company's fiscal years, newest first, with a price where there is one.
struct CompanyHistory: Sendable {
    struct Year: Sendable {
        let label: String
        /// Its last day.
        let end: CalendarDate
        let figures: [Concept: Figure]

        func figure(_ concept: Concept) throws(Abstention) -> Figure {
            guard let figure = figures[concept] else {
                throw Abstention("the filings give no \(concept.words) for \(label)")
            }
            return figure
        }
    }

    /// A price in a currency.
    struct Price: Sendable {
        let value: Double
        let currency: String
    }

    /// Up to ten, newest first. A year that no filing reports is missing, so neighbours may not be consecutive;
    /// `year(_:before:)` goes by the calendar.
    let years: [Year]
    let price: Price?
    /// The currency of the filings (`USD`).
    let currency: String

    init(_ fundamentals: Fundamentals, price: Price?) {
        let byYear = Dictionary(grouping: fundamentals.figures.filter { $0.period.kind == .annual }, by: \.period.label)
        // Figures of a period make a year; balance sheets alone (older comparatives) make none.
        years = fundamentals.fiscalYears.compactMap { label in
            let figures = byYear[label] ?? []
            return figures.filter { !$0.period.isInstant }.map(\.period.end).max().map { end in
                Year(
                    label: label, end: end, figures: Dictionary(figures.map { ($0.concept, $0) }) { first, _ in first })
            }
        }
        self.price = price
        currency = fundamentals.currency
    }

    /// The same years with a price.
    init(_ history: CompanyHistory, price: Price?) {
        (years, currency) = (history.years, history.currency)
        self.price = price
    }

    /// The number of years that count for a score: those with a net income.
    var depth: Int { years.count { $0.figures[.netIncome] != nil } }

    func latest() throws(Abstention) -> Year {
        guard let year = years.first else { throw Abstention("the filings give no fiscal year") }
        return year
    }

    // MARK: Years by the calendar

    private static let daysPerYear = 365.25
    /// Years of 52 and 53 weeks end some days apart; a fiscal year that was moved ends a month away at least.
    private static let tolerance = 20.0

    /// The year that ended a number of years before another; `nil` where the filings leave it out or the company moved
    /// the end of its fiscal year in between.
    func year(_ count: Int, before year: Year) -> Year? {
        years.first { abs(Double(year.end - $0.end) - Self.daysPerYear * Double(count)) <= Self.tolerance }
    }

    /// The years among the latest `count` fiscal years, counting missing ones.
    func last(_ count: Int) -> [Year] {
        guard let latest = years.first else { return [] }
        return years.filter { Double(latest.end - $0.end) <= Self.daysPerYear * Double(count - 1) + Self.tolerance }
    }

    /// The values of a calculation for the years that allow it: the latest one, and at least `minimum` in all.
    func recent(
        _ count: Int, atLeast minimum: Int, _ read: (Year) throws(Abstention) -> Calculation
    ) throws(Abstention) -> [Calculation] {
        // Without the latest year the value would describe the past.
        var values = [try read(latest())]
        var lastReason: String?
        for year in last(count).dropFirst() {
            do {
                values.append(try read(year))
            } catch {
                lastReason = error.reason
            }
        }
        guard values.count >= minimum else {
            let why = lastReason.map { " (\($0))" } ?? ""
            throw Abstention("only \(values.count) of the \(minimum) years that it takes are there\(why)")
        }
        return values
    }

    /// The latest year and the one that ended a number of years before it.
    func ends(ofSpan count: Int) throws(Abstention) -> (last: Year, first: Year) {
        let last = try latest()
        guard let first = year(count, before: last) else {
            throw Abstention("the filings give no fiscal year that ended \(count) years before \(last.label)")
        }
        return (last, first)
    }

    /// The compound yearly growth of a figure over a number of years up to the latest; both ends must be positive.
    func growth(
        of name: String, years span: Int, _ read: (Year) throws(Abstention) -> Calculation
    ) throws(Abstention) -> Calculation {
        let years = try ends(ofSpan: span)
        let (last, first) = (try read(years.last), try read(years.first))
        guard last.value > 0 else {
            throw .shortfall("no positive \(name) in \(years.last.label)", last.inputs + first.inputs)
        }
        guard first.value > 0 else {
            throw Abstention("no positive \(name) in \(years.first.label) to grow from")
        }
        return Calculation(
            value: power(last.value / first.value, 1 / Double(span)) - 1, inputs: last.inputs + first.inputs)
    }

    /// The price, if it is in the currency of the filings.
    func priceInReportingCurrency() throws(Abstention) -> Double {
        guard let price else { throw Abstention("no price is at hand") }
        guard price.currency == currency else {
            throw Abstention("the price is in \(price.currency), the filings are in \(currency)")
        }
        return price.value
    }
}

extension CompanyHistory.Year {
    func value(_ concept: Concept) throws(Abstention) -> Calculation {
        let figure = try figure(concept)
        return Calculation(value: figure.double, inputs: [figure])
    }

    /// A payment, which filings report as positive. A negative one is mostly a wrong sign, at times a refund, and is
    /// not used.
    func payment(_ concept: Concept) throws(Abstention) -> Figure {
        let figure = try figure(concept)
        guard figure.double >= 0 else { throw Abstention("\(concept.words) was negative in \(label)") }
        return figure
    }

    /// One figure over another, which must be positive.
    func ratio(_ above: Concept, to below: Concept) throws(Abstention) -> Calculation {
        let numerator = try figure(above)
        let denominator = try figure(below)
        guard denominator.double > 0 else { throw Abstention("\(below.words) was not positive in \(label)") }
        return Calculation(value: numerator.double / denominator.double, inputs: [numerator, denominator])
    }
}

extension [Calculation] {
    var inputs: [Figure] { flatMap(\.inputs) }

    var median: Calculation {
        let sorted = map(\.value).sorted()
        let middle = sorted.count / 2
        let value = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        return Calculation(value: value, inputs: inputs)
    }

    /// The highest less the lowest value.
    var spread: Calculation {
        let values = map(\.value)
        return Calculation(value: (values.max() ?? 0) - (values.min() ?? 0), inputs: inputs)
    }

    var mean: Calculation {
        Calculation(value: map(\.value).reduce(0, +) / Double(Swift.max(count, 1)), inputs: inputs)
    }

    /// The share of years in which a condition holds.
    func share(_ condition: (Double) -> Bool) -> Calculation {
        Calculation(value: Double(count { condition($0.value) }) / Double(Swift.max(count, 1)), inputs: inputs)
    }
}

extension CompanyHistory.Year {
    /// Cash that owners could take out: net income + depreciation and amortisation − capital expenditure.
    ///
    /// All capital expenditure counts as maintenance, since filings do not separate it from growth; and stock-based pay
    /// is not added back, since owners pay for it. Both choices are conservative.
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

    /// Income tax over pre-tax income, limited to 0 to 50 % so that one-off items do not distort the metrics.
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
