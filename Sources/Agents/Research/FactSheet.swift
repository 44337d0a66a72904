internal import DataSources
internal import JSON
internal import Prompts

/// All figures that a report may state: those of the filings, those computed from them, and the score.
///
/// The same sheet goes into the prompt, line by line, and into the check that the answer contains no other figure.
struct FactSheet: Sendable {
    /// One line of the sheet, in the prompt `[revenue.FY2025] Revenue: 416,161 million USD (FY2025, 10-K)`.
    struct Line: Sendable {
        var id: String
        var label: String
        /// The number as text, with its unit.
        var written: NumberStyle.Written
        /// The fiscal period; `nil` where there is no single one.
        var period: String?
        /// The source: a form of the SEC, a market, or `computed`.
        var form: String?
        var fact: Fact
        /// The ids of the figures that it was computed from; empty for a figure of a filing or a market.
        var inputs: [String]
        /// Whether the line is the same for every persona and at every price.
        var isShared: Bool
    }

    private(set) var lines: [Line] = []
    /// The reported figures among the lines, for the result.
    private(set) var figures: [Figure] = []

    var facts: [Fact] { lines.map(\.fact) }

    /// The lines that are the same for every persona, by id: the beginning of every prompt about the company.
    var shared: [Line] { lines.filter(\.isShared).sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) } }

    /// The lines of one persona's checklist, and those of a market.
    var own: [Line] { lines.filter { !$0.isShared } }

    /// The lines that no filing states: computed figures and those of a market. `filed` are the ids of the figures.
    func unfiled(filed: Set<String>) -> [Line] { lines.filter { !filed.contains($0.id) } }

    /// The sheet with the lines that every report on a company has: the figures of ten years, of the latest quarters
    /// and the trailing twelve months, and ratios of each year.
    init(_ fundamentals: Fundamentals, history: CompanyHistory) {
        for concept in Concept.reported {
            let shown =
                fundamentals.annual(concept) + Array(fundamentals.quarterly(concept).prefix(concept.quartersShown))
                + [fundamentals.trailingTwelveMonths(concept)].compactMap(\.self)
            for figure in shown { add(figure) }
        }
        addRatios(history)
    }

    /// Adds the metrics of the checklist, the score and, where there is one, the price.
    init(_ parts: CompanyParts, market: MarketData?, scorecard: Scorecard) {
        self = parts.sheet
        addMetrics(scorecard, currency: parts.company.fundamentals.currency)
        addScores(scorecard)
        addMarket(market)
    }

    private mutating func add(_ figure: Figure) {
        var form = figure.filing.form
        if figure.isDerived { form += ", computed" }
        if figure.adjustment != nil { form += ", on today's shares" }
        figures.append(figure)
        add(
            figure.id, figure.concept.title, figure.double, Fact.Unit(figure), period: figure.period.label, form: form,
            isShared: true)
    }

    /// Margins and growth of each year, so that the model does not have to compute them.
    private mutating func addRatios(_ history: CompanyHistory) {
        let margins: [(String, String, Concept)] = [
            ("gross_margin", "Gross margin", .grossProfit), ("operating_margin", "Operating margin", .operatingIncome),
            ("net_margin", "Net margin", .netIncome),
        ]
        let growths: [(String, String, Concept)] = [
            ("revenue_growth", "Revenue growth on the year before", .revenue),
            ("net_income_growth", "Net income growth on the year before", .netIncome),
            ("diluted_eps_growth", "Growth of diluted earnings per share on the year before", .dilutedEPS),
        ]
        for year in history.years {
            for (id, label, profit) in margins {
                guard let margin = try? year.ratio(profit, to: .revenue) else { continue }
                add(
                    "\(id).\(year.label)", label, margin.value, .ratio, period: year.label, form: "computed",
                    from: margin.inputs.map(\.id), isShared: true)
            }
            guard let before = history.year(1, before: year) else { continue }
            for (id, label, concept) in growths {
                // There is no rate of growth to or from a loss.
                guard let now = year.figures[concept], let then = before.figures[concept], now.double > 0,
                    then.double > 0
                else { continue }
                add(
                    "\(id).\(year.label)", label, now.double / then.double - 1, .ratio, period: year.label,
                    form: "computed", from: [now.id, then.id], isShared: true)
            }
        }
    }

    private mutating func addMetrics(_ scorecard: Scorecard, currency: String) {
        var seen: Set<String> = []
        for outcome in scorecard.lines.map(\.outcome) + scorecard.findings.map(\.outcome) {
            guard let value = outcome.value, seen.insert(outcome.metric.name).inserted else { continue }
            add(
                "metric.\(outcome.metric.name)", outcome.metric.title, value,
                Fact.Unit(outcome.metric.unit, currency: currency), period: outcome.span, form: "computed",
                from: outcome.inputs)
        }
    }

    private mutating func addScores(_ scorecard: Scorecard) {
        if let score = scorecard.score {
            add("score", "Score by the checklist of 100", score, .number, form: "computed")
        }
        add("confidence", "Confidence in the score of 100", rounded(scorecard.confidence, 0), .number, form: "computed")
        for line in scorecard.lines {
            guard let score = line.score else { continue }
            let label = "Score of 10 for the question \(line.item.question)"
            // A sentence tells the points of what it has measured more often than of the question.
            add(
                "score.\(line.item.id)", label, rounded(score, 1), .number, form: "computed",
                from: line.outcome.inputs, alsoNamed: line.outcome.metric.title)
        }
    }

    private mutating func addMarket(_ market: MarketData?) {
        guard let market, let currency = market.currency else { return }
        let source = market.source.rawValue
        let mark = market.isSimulated ? " (simulated)" : ""
        if let price = market.price {
            add("price", "Share price" + mark, price.asDouble, .currency(currency), form: source)
        }
        if let cap = market.marketCap {
            add("market_cap", "Market capitalisation" + mark, cap.asDouble, .currency(currency), form: source)
        }
    }

    private mutating func add(
        _ id: String, _ label: String, _ value: Double, _ unit: Fact.Unit, period: String? = nil, form: String,
        from inputs: [String] = [], isShared: Bool = false, alsoNamed other: String? = nil
    ) {
        let name = label + (other.map { " (\($0))" } ?? "") + (period.map { ", \($0)" } ?? "")
        lines.append(
            Line(
                id: id, label: label, written: NumberStyle.write(value, unit), period: period, form: form,
                fact: Fact(value, unit, label: name), inputs: inputs, isShared: isShared))
    }
}

extension FactSheet.Line {
    /// The line as prompts take it.
    var promptJSON: JSON {
        var body: JSON = ["id": JSON(id), "label": JSON(label), "value": JSON(written.number)]
        if !written.unit.isEmpty { body["unit"] = JSON(String(written.unit.drop { $0 == " " })) }
        body["period"] = period.map { JSON($0) }
        body["form"] = form.map { JSON($0) }
        return body
    }
}

extension Fact.Unit {
    init(_ figure: Figure) {
        switch figure.concept.measure {
        case .averageShares, .shares: self = .shares
        default: self = .currency(figure.unit.prefixBeforeSlash)
        }
    }

    init(_ unit: Metric.Unit, currency: String) {
        switch unit {
        case .ratio: self = .ratio
        case .times: self = .times
        case .years: self = .years
        case .money: self = .currency(currency)
        }
    }
}

extension MetricOutcome {
    /// The fiscal years of the figures that were used: `FY2025` or `FY2016 to FY2025`.
    fileprivate var span: String? {
        let labels = inputs.compactMap { $0.split(separator: ".").last.map(String.init) }.sorted()
        guard let first = labels.first, let last = labels.last else { return nil }
        return first == last ? first : "\(first) to \(last)"
    }
}

extension String {
    /// `USD` of `USD/shares`.
    fileprivate var prefixBeforeSlash: String { String(prefix { $0 != "/" }) }
}

extension Concept {
    /// The figures of the sheet, in its order.
    fileprivate static let reported: [Concept] = [
        .revenue, .grossProfit, .operatingIncome, .netIncome, .dilutedEPS, .operatingCashFlow, .capitalExpenditure,
        .freeCashFlow, .depreciationAndAmortization, .researchAndDevelopment, .stockBasedCompensation,
        .interestExpense, .pretaxIncome, .incomeTax, .cashAndShortTermInvestments, .cash, .totalDebt, .longTermDebt,
        .equity, .totalAssets,
        .currentAssets, .currentLiabilities, .totalLiabilities, .dilutedShares, .dividendsPaid, .dividendsPerShare,
        .buybacks,
    ]

    /// Recent quarters are shown for the figures that readers follow by the quarter.
    fileprivate var quartersShown: Int {
        switch self {
        case .revenue, .operatingIncome, .netIncome, .dilutedEPS, .operatingCashFlow, .cashAndShortTermInvestments,
            .totalDebt:
            4
        default: 0
        }
    }
}

/// The form of numbers in prompts: few digits, so that a sentence can quote them unchanged.
enum NumberStyle {
    /// A number and its unit, which begins with a space where there is one between them.
    struct Written: Sendable {
        var number: String
        var unit: String
    }

    static func write(_ value: Double, _ unit: Fact.Unit) -> Written {
        switch unit {
        case .ratio: Written(number: decimal(value * 100, 1) + "%", unit: "")
        case .percent: Written(number: decimal(value, 1) + "%", unit: "")
        case .times: Written(number: decimal(value, 2), unit: " times")
        case .years: Written(number: decimal(value, 1), unit: " years")
        case .shares: Written(number: large(value), unit: " shares")
        case .currency(let code): Written(number: large(value), unit: " " + code)
        case .number: Written(number: decimal(value, value == value.rounded() ? 0 : 1), unit: "")
        }
    }

    /// Millions from a million on, else two decimals.
    private static func large(_ value: Double) -> String {
        abs(value) >= 1_000_000
            ? decimal(value / 1_000_000, abs(value) < 10_000_000 ? 2 : 0) + " million" : decimal(value, 2)
    }

    /// With commas between thousands and a number of decimals.
    static func decimal(_ value: Double, _ decimals: Int) -> String {
        let scaled = rounded(abs(value), decimals)
        // No company reports such an amount, but a filing may contain it by mistake.
        guard scaled < 1e15 else { return "\(value)" }
        let whole = scaled.rounded(.down)
        var digits = String(Int64(whole))
        var grouped = ""
        while digits.count > 3 {
            grouped = "," + digits.suffix(3) + grouped
            digits.removeLast(3)
        }
        grouped = digits + grouped
        if decimals > 0 {
            let fraction = String(Int64(((scaled - whole) * power(10, Double(decimals))).rounded()))
            grouped += "." + String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
        }
        return (value < 0 && scaled > 0 ? "-" : "") + grouped
    }
}
