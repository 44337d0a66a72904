internal import Basics
internal import DataSources
internal import JSON
internal import JobQueue
internal import Prompts

/// One company as one persona reads it: a column of a comparison. It keeps what the table shows and lets go of the rest
/// of the company's figures.
struct ComparisonColumn: Sendable {
    /// The figures of the latest fiscal year that are put side by side, by the beginnings of their ids.
    static let figures = [
        "revenue", "revenue_growth", "gross_margin", "operating_margin", "net_margin", "operating_income", "net_income",
        "free_cash_flow", "diluted_eps", "total_debt", "cash_and_short_term_investments", "equity",
    ]
    /// Figures of a market.
    static let marketFigures = ["price", "market_cap"]

    let company: Company
    let persona: Persona
    let currency: String
    /// The time at which the facts were read.
    let at: Timestamp
    /// The latest fiscal year with its last day; `nil` where the filings give none.
    let year: (label: String, end: CalendarDate)?
    let scorecard: Scorecard
    /// What is missing, in sentences for the reader.
    let gaps: [String]
    private let lines: [String: FactSheet.Line]
    private let urls: [String: String]

    init(_ review: CompanyReview) {
        (company, persona, currency, at) = (review.company, review.persona, review.currency, review.at)
        let latest = review.parts.history.years.first
        year = latest.map { ($0.label, $0.end) }
        (scorecard, gaps) = (review.scorecard, review.gaps)
        let wanted = Set(Self.figures.map { "\($0).\(latest?.label ?? "")" } + Self.marketFigures)
        let kept = review.sheet.lines.filter { line in
            wanted.contains(line.id) || line.id == "score" || line.id == "confidence"
                || line.id.hasPrefix("metric.") || line.id.hasPrefix("score.")
        }
        lines = Dictionary(kept.map { ($0.id, $0) }) { first, _ in first }
        urls = Dictionary(
            review.sheet.figures.filter { wanted.contains($0.id) }.map { ($0.id, review.parts.company.url(of: $0)) }
        ) { first, _ in first }
    }

    /// The line of a figure of the latest fiscal year, or of a market.
    func figure(_ name: String) -> FactSheet.Line? {
        lines[name] ?? year.flatMap { lines["\(name).\($0.label)"] }
    }

    func metric(_ name: String) -> FactSheet.Line? { lines["metric.\(name)"] }

    func score(of item: String) -> FactSheet.Line? { lines["score.\(item)"] }

    /// The score of the whole checklist and the confidence in it.
    var wholeScores: [FactSheet.Line] { ["score", "confidence"].compactMap { lines[$0] } }

    /// Where the filing of a figure is.
    func url(of line: FactSheet.Line) -> String? { urls[line.id] }

    /// The question about a metric, and what its answer is; `nil` where the persona does not look at it.
    func outcome(of metric: String) -> (line: Scorecard.Line?, outcome: MetricOutcome)? {
        if let line = scorecard.lines.first(where: { $0.outcome.metric.name == metric }) { return (line, line.outcome) }
        return scorecard.findings.first { $0.outcome.metric.name == metric }.map { (nil, $0.outcome) }
    }

    /// The metrics that the persona looks at, in the order of its checklist.
    var metrics: [Metric] {
        var seen: Set<String> = []
        return (scorecard.lines.map(\.outcome) + scorecard.findings.map(\.outcome)).map(\.metric)
            .filter { seen.insert($0.name).inserted }
    }

    /// What ends the reading, in words.
    var walkAways: [String] { scorecard.findings.filter(\.holds).map(\.walkAway.because) }

    /// The company's name without its legal form: `Apple`.
    var shortName: String { Self.shortName(of: company.name) }

    /// The name without its legal form and without what stands behind a slash: `MICROSOFT CORP /WA/` is `MICROSOFT`.
    static func shortName(of name: String) -> String {
        var words = name.prefix { $0 != "/" }.split { $0 == " " || $0 == "," }.map(String.init)
        while words.count > 1, let last = words.last,
            legalForms.contains(last.lowercased().filter { $0.isLetter || $0 == "&" })
        {
            words.removeLast()
        }
        if words.count > 1, words[0].lowercased() == "the" { words.removeFirst() }
        return words.joined(separator: " ")
    }

    private static let legalForms: Set<String> = [
        "inc", "incorporated", "corp", "corporation", "co", "company", "companies", "ltd", "limited", "plc", "llc",
        "lp",
        "sa", "ag", "se", "nv", "ab", "asa", "&", "the", "new", "de", "holdings", "holding", "group",
    ]

    var json: JSON {
        [
            "company": [
                "name": JSON(company.name), "ticker": JSON(company.ticker.description), "cik": JSON(company.cik.number),
                "industry": JSON(company.industry),
            ],
            "persona": [
                "id": JSON(persona.id), "name": JSON(persona.name), "version": JSON(persona.version),
            ],
            "as_of": JSON(String(at.iso8601.prefix(10))), "currency": JSON(currency), "fiscal_year": JSON(year?.label),
            "fiscal_year_end": JSON(year?.end.description), "verdict": JSON(scorecard.verdict.rawValue),
            "score": scorecard.score.map { JSON($0) } ?? .null, "confidence": JSON(rounded(scorecard.confidence, 0)),
            "verdict_note": JSON(scorecard.verdictNote), "walk_aways": JSON(walkAways), "gaps": JSON(gaps),
        ]
    }

    /// The column in a prompt.
    var promptJSON: JSON {
        var body: JSON = [
            "company": JSON(company.name), "ticker": JSON(company.ticker.description), "persona": JSON(persona.name),
            "verdict": JSON(scorecard.verdict.rawValue), "confidence": JSON(rounded(scorecard.confidence, 0)),
            "walk_aways": JSON(walkAways), "missing": JSON(gaps),
        ]
        body["industry"] = company.industry.map { JSON($0) }
        body["fiscal_year"] = year.map { JSON($0.label) }
        body["score"] = scorecard.score.map { JSON($0) }
        return body
    }
}
