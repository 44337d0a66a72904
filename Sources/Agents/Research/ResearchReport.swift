internal import DataSources
internal import JobQueue
internal import JSON
internal import LanguageModels
internal import Observability
internal import Prompts

/// Puts together the result of a research job: the report, the facts that it rests on, the scorecard, and where all of it
/// came from, so that two reports can be compared.
struct ReportAssembler {
    let reading: CompanyReview
    let order: ResearchInput
    let draft: CheckedAnswer
    let context: JobContext

    var result: JSON {
        [
            "report": report, "facts": facts, "computed": computed, "scorecard": reading.scorecard.json,
            "provenance": provenance,
        ]
    }

    private var report: JSON {
        let company = reading.company
        var body: JSONObject = [
            "company": [
                "name": JSON(company.name), "ticker": JSON(company.ticker.description),
                "cik": JSON(company.cik.number), "industry": JSON(company.industry),
            ],
            "persona": ["id": JSON(reading.persona.id), "name": JSON(reading.persona.name)],
            "verdict": JSON(reading.scorecard.verdict.rawValue),
            "score": reading.scorecard.score.map { JSON($0) } ?? .null,
            "confidence": JSON(rounded(reading.scorecard.confidence, 0)),
        ]
        // What was computed is not the model's to change.
        for (key, value) in draft.content.object ?? [:] where body[key] == nil { body[key] = value }
        body["gaps"] = JSON(reading.gaps)
        body["sources"] = sources
        return .object(body)
    }

    /// The filings, newest first.
    private var sources: JSON {
        let cik = reading.company.cik
        var seen: Set<String> = []
        let filings = reading.sheet.figures.map(\.filing)
            .filter { seen.insert($0.accession).inserted }
            .sorted { $0.filed > $1.filed }
        return .array(
            filings.map { filing in
                [
                    "form": JSON(filing.form), "accession_number": JSON(filing.accession),
                    "filed": JSON("\(filing.filed)"), "url": JSON(filing.url(cik: cik)),
                ]
            })
    }

    private var facts: JSON {
        .array(
            reading.sheet.figures.map { figure in
                var body = figure.json
                body["label"] = JSON(figure.concept.title)
                body["url"] = JSON(figure.filing.url(cik: reading.company.cik))
                return body
            })
    }

    /// The rest of what the report may state: with the facts it holds every figure of the text.
    private var computed: JSON {
        .array(
            reading.sheet.unfiled.map { line in
                [
                    "id": JSON(line.id), "label": JSON(line.label), "value": JSON(rounded(line.fact.value, 6)),
                    "unit": JSON(line.fact.unit.name), "period": JSON(line.period), "source": JSON(line.form),
                    "figures": JSON(line.inputs),
                ]
            })
    }

    private var provenance: JSON {
        let calls = draft.answers.map { step, answer -> JSON in
            let response = answer.response
            return [
                "step": JSON(step), "provider": JSON(response.provider.rawValue), "model": JSON(response.model),
                "response_id": JSON(response.id), "request_id": JSON(response.requestID),
                "usage": response.usage.encoded, "cost_micro_dollars": JSON(response.cost.rawValue),
            ]
        }
        let cost = draft.answers.reduce(0) { $0 + $1.answer.response.cost.rawValue }
        return [
            "job_id": JSON(context.job.lease.job.description), "bundle": JSON(context.bundle.hash),
            "persona": ["id": JSON(reading.persona.id), "version": JSON(reading.persona.version)],
            "prompts": .object(
                JSONObject(context.kind.prompts.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) })),
            "gathered_at": JSON(ISO8601.text(milliseconds: reading.at)),
            "market_data": JSON(reading.marketSource?.rawValue),
            "model_calls": .array(calls), "repaired": JSON(draft.answers.count > 1), "cost_micro_dollars": JSON(cost),
        ]
    }
}

extension Fact.Unit {
    /// As results name it: `ratio`, `times`, `USD`.
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

/// The sections of a report as its owner's later questions may rest on them.
struct ReportPassages: Sendable {
    let report: JSON
    let job: ClaimedJob

    /// A passage for each section that says something.
    var records: [RecordChange] {
        let name = report["company"]?["name"]?.string ?? ""
        let ticker = report["company"]?["ticker"]?.string ?? ""
        let persona = report["persona"]?["name"]?.string ?? ""
        return sections.enumerated().map { place, section in
            let title = "Report on \(name) (\(ticker)) in the voice of \(persona): \(section.heading)"
            return .passage(
                Passage(
                    kind: .report, source: job.lease.job.description, part: Int64(place), owner: job.user.rawValue,
                    title: title, text: section.text,
                    terms: ContentWords("\(name) \(ticker) \(section.heading)\n\(section.text)").terms,
                    writtenAt: job.createdAt.milliseconds))
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
