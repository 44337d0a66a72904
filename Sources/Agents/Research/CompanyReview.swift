import Basics
internal import DataSources
internal import JobQueue
internal import JSON
internal import LanguageModels
internal import Observability
internal import Prompts

/// A persona's view of a company: the score, and the values of the prompt, which contain the score and the facts.
///
/// The same facts give the same review, so it is computed again for each answer that is checked against it.
struct CompanyReview: QuestionSubject, Sendable {
    let company: Company
    let currency: String
    /// The time at which the facts were gathered.
    let at: Timestamp
    /// The source of the price; `nil` without one.
    let marketSource: DataSource?
    let persona: Persona
    let scorecard: Scorecard
    let sheet: FactSheet
    /// What is the same for every report on the company.
    let parts: CompanyParts
    /// The missing facts, in sentences for the reader.
    let gaps: [String]
    /// Passages of filings that the model may cite.
    var passages: [GivenPassage] = []
    /// Whether the prompt takes the passages that all personas are given apart from the persona's own.
    var hasCompanyPassages = true

    init(of facts: GatheredFacts, by persona: Persona) {
        company = facts.company.company
        currency = facts.company.fundamentals.currency
        at = facts.at
        marketSource = facts.market?.source
        self.persona = persona
        parts = facts.parts ?? CompanyParts(facts.company)
        let (price, problem) = facts.usablePrice
        let history = CompanyHistory(parts.history, price: price)
        scorecard = Scorecard(
            of: persona, history: history, monthsOld: history.years.first.map { $0.end.months(until: facts.at) } ?? 999)
        // A price that cannot be relied on must not appear in a report either.
        sheet = FactSheet(parts, market: price == nil ? nil : facts.market, scorecard: scorecard)
        var gaps = scorecard.lines.compactMap { line in
            line.outcome.abstention.map { "\(line.item.question) Not answered: \($0)." }
        }
        if price == nil {
            gaps.insert(
                "There is no share price to rely on (\(problem)), so nothing is said of value for the price.", at: 0)
        }
        self.gaps = gaps
    }

    /// The variables of `prompts/research.prompt`.
    var promptInput: JSON {
        var input: JSON = [
            "company": companyJSON,
            "persona": [
                "name": JSON(persona.name), "approach": JSON(persona.approach), "voice": JSON(persona.voice),
            ],
            "scorecard": scorecard.promptJSON(currency: currency),
            "facts": parts.promptFacts,
            "persona_facts": .array(sheet.own.map(\.promptJSON)),
            "missing": JSON(gaps),
        ]
        let shared = hasCompanyPassages ? passages.prefix(while: \.isShared) : []
        let own = passages.dropFirst(shared.count)
        if !shared.isEmpty { input["company_passages"] = .array(shared.map(\.promptJSON)) }
        if !own.isEmpty { input["passages"] = .array(own.map(\.promptJSON)) }
        return input
    }

    private var companyJSON: JSON {
        var body: JSON = [
            "name": JSON(company.name), "ticker": JSON(company.ticker.description),
            "currency": JSON(currency),
            "as_of": JSON(String(at.iso8601.prefix(10))),
        ]
        body["industry"] = company.industry.map { JSON($0) }
        body["fiscal_year_end"] = company.fiscalYearEnd.map { JSON($0) }
        return body
    }

    var material: CheckMaterial {
        CheckMaterial(
            facts: sheet.facts, quotable: persona.checklist.map(\.question) + gaps + scorecard.remarks)
    }
}

extension Scorecard {
    fileprivate func promptJSON(currency: String) -> JSON {
        var body: JSON = [
            "confidence": JSON(rounded(confidence, 0)), "verdict": JSON(verdict.rawValue),
            "items": .array(lines.map { $0.promptJSON(currency: currency) }),
            "walk_aways": JSON(findings.filter(\.holds).map(\.walkAway.because)),
        ]
        body["score"] = score.map { JSON($0) }
        return body
    }
}

extension Scorecard.Line {
    fileprivate func promptJSON(currency: String) -> JSON {
        var body: JSON = [
            "question": JSON(item.question), "weight": JSON(item.weight), "evidence": JSON(outcome.inputs),
        ]
        body["score"] = score.map { JSON(rounded($0, 1)) }
        body["note"] = (outcome.abstention ?? outcome.shortfall).map { JSON($0) }
        body["value"] = outcome.value.map { value in
            let written = NumberStyle.write(value, Fact.Unit(outcome.metric.unit, currency: currency))
            return "\(outcome.metric.title): \(written.number)\(written.unit)"
        }
        return body
    }
}

extension CalendarDate {
    /// Whole months from this day to a timestamp.
    func months(until timestamp: Timestamp) -> Int {
        let days = Int(timestamp.milliseconds / 86_400_000)
        return max(0, Int(Double(days - dayNumber) / 30.44))
    }
}
