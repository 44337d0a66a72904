internal import Basics
internal import DataSources
internal import JobQueue
internal import JSON
internal import Observability
internal import Prompts

/// The result of a research job: the report, the facts that it rests on, the scorecard, and the provenance of all of
/// it, so that two reports can be compared.
struct ResearchReport {
    let review: CompanyReview
    let answer: CheckedAnswer
    /// What the filings say; `nil` where they were not read.
    let briefing: FilingBriefing?
    let context: JobContext

    var result: JSON {
        let (report, mentions) = (report, mentions)
        let views = ReportViews(
            claims: report[ClaimRules.path]?.array ?? [],
            statements: review.gaps + review.scorecard.remarks + [review.scorecard.verdictNote].compactMap(\.self))
        let figures = Dictionary(grouping: mentions) { $0.path }.mapValues { $0.map(\.mention.range) }
        return [
            "report": report, "facts": review.parts.facts, "computed": computed,
            "mentions": .array(mentions.map { $1.json(at: $0, figure: review.sheet.lines[$1.fact].id) }),
            "views": views.places(in: answer.content, mentions: figures),
            "scorecard": review.scorecard.json, "provenance": provenance,
        ]
    }

    private var report: JSON {
        let company = review.company
        var body: JSONObject = [
            "company": [
                "name": JSON(company.name), "ticker": JSON(company.ticker.description),
                "cik": JSON(company.cik.number), "industry": JSON(company.industry),
            ],
            "persona": ["id": JSON(review.persona.id), "name": JSON(review.persona.name)],
            "verdict": JSON(review.scorecard.verdict.rawValue),
            "score": review.scorecard.score.map { JSON($0) } ?? .null,
            "confidence": JSON(rounded(review.scorecard.confidence, 0)),
            "verdict_note": JSON(review.scorecard.verdictNote),
        ]
        // The model's text never replaces a computed value.
        for (key, value) in answer.content.object ?? [:] where body[key] == nil { body[key] = value }
        body["gaps"] = JSON(review.gaps + (briefing?.gaps ?? []) + (isBank ? [Self.gapOfBanks] : []))
        body["sources"] = review.parts.sources
        body[ClaimRules.path] = nil
        if let briefing {
            for name in FilingDigest.members { body[name] = briefing.members[name] ?? .null }
            body[ClaimRules.path] = ReportClaims(passages: briefing.passages).json(of: answer)
        }
        return .object(body)
    }

    private static let gapOfBanks =
        "The company is a bank: its debts are deposits and its sales are interest, so questions about debts, margins and "
        + "cash say less of it than of other companies."

    private var isBank: Bool {
        let industry = review.company.industry?.lowercased() ?? ""
        return industry.contains("bank") || industry.contains("savings institution")
    }

    /// The numbers that the report may state besides the facts: every figure of the text is in one of the two.
    private var computed: JSON {
        .array(
            review.sheet.unfiled(filed: review.parts.filed).map { line in
                [
                    "id": JSON(line.id), "label": JSON(line.label), "value": JSON(rounded(line.fact.value, 6)),
                    "unit": JSON(line.fact.unit.name), "period": JSON(line.period), "source": JSON(line.form),
                    "figures": JSON(line.inputs),
                ]
            })
    }

    /// The places of the prose that state a figure of `facts` or of `computed`. Those of claims rest on passages.
    private var mentions: [(path: String, mention: FigureCheck.Mention)] {
        let check = FigureCheck(facts: review.sheet.lines.map(\.fact), language: context.language ?? .english)
        var prose = answer.content
        prose[ClaimRules.path] = nil
        return check.mentions(in: prose)
    }

    private var provenance: JSON {
        context.provenance(
            of: [answer],
            adding: [
                "persona": ["id": JSON(review.persona.id), "version": JSON(review.persona.version)],
                "gathered_at": JSON(review.at.iso8601),
                "market_data": JSON(review.marketSource?.rawValue),
                "filing_readings": .array(briefing?.readings ?? []),
            ])
    }
}

extension FigureCheck.Mention {
    /// The mention as results show it: the text with the place in it, and the id of the figure.
    func json(at path: String, figure: String) -> JSON {
        [
            "path": JSON(path), "from": JSON(range.lowerBound), "to": JSON(range.upperBound), "figure": JSON(figure),
        ]
    }
}

extension Fact.Unit {
    /// The name in results: `ratio`, `times`, `USD`.
    fileprivate var name: String {
        switch self {
        case .ratio: "ratio"
        case .percent: "percent"
        case .currency(let code): code
        case .shares: "shares"
        case .times: "times"
        case .years: "years"
        case .number: "number"
        }
    }
}

/// The sections of a report as passages, which answers to its owner's later questions can cite.
struct ReportPassages: Sendable {
    let report: JSON
    let job: ClaimedJob

    /// A passage for each section that is not empty.
    var records: [RecordChange] {
        let name = report["company"]?["name"]?.string ?? ""
        let ticker = report["company"]?["ticker"]?.string ?? ""
        let persona = report["persona"]?["name"]?.string ?? ""
        return sections.enumerated().map { place, section in
            let title = "Report on \(name) (\(ticker)) in the voice of \(persona): \(section.heading)"
            return .passage(
                Passage(
                    kind: .report, source: job.lease.job.description, part: Int64(place), owner: job.user,
                    title: title, text: section.text,
                    terms: ContentWords("\(name) \(ticker) \(section.heading)\n\(section.text)").terms,
                    writtenAt: job.createdAt))
        }
    }

    private var sections: [(heading: String, text: String)] {
        let all = [
            ("Summary", text("summary")), ("Thesis", text("thesis")), ("Strengths", list("strengths")),
            ("Risks", list("risks")), ("Valuation", text("valuation")),
            ("What would change the view", list("what_would_change_the_view")),
        ]
        return all.filter { !$0.1.isEmpty }
    }

    private func text(_ name: String) -> String { report[name]?.string?.trimmed ?? "" }

    private func list(_ name: String) -> String {
        (report[name]?.array ?? []).map { item in
            let title = item["title"]?.string.map { "\($0): " } ?? ""
            return title + (item["detail"]?.string ?? item["text"]?.string ?? "")
        }.joined(separator: "\n")
    }
}
