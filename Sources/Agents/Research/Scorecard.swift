internal import JSON
package import Prompts

/// A persona's checklist applied to a company: calculated from named figures; the model only explains it.
package struct Scorecard: Sendable {
    /// One line of the checklist.
    package struct Line: Sendable {
        package var item: ChecklistItem
        package var outcome: MetricOutcome
        /// 0 to 10; `nil` when the metric abstained, 0 when the figures exclude the answer that the question asks for.
        package var score: Double?
    }

    /// A finding that makes the persona walk away, or that could not be tested.
    package struct Finding: Sendable {
        package var walkAway: WalkAway
        package var outcome: MetricOutcome
        package var holds: Bool
    }

    package enum Verdict: String, Sendable {
        /// The company fits the investor's approach.
        case fits
        case mixed
        case doesNotFit = "does_not_fit"
        /// A finding that the investor does not accept outweighs the score.
        case walksAway = "walks_away"
        /// There are too few figures for a score.
        case abstains
    }

    package var lines: [Line]
    package var findings: [Finding]
    package var verdict: Verdict
    /// 0 to 100, whole; `nil` when the persona abstains.
    package var score: Double?
    /// The lowest score of each verdict of the persona.
    package var thresholds: Persona.Verdicts
    /// 0 to 100; the degree to which the evidence supports the score.
    package var confidence: Double
    /// The reasons for the confidence, and for an abstention.
    package var remarks: [String]
}

extension Scorecard {
    /// A score of fewer fiscal years would depend on chance.
    static let fewestYears = 4
    /// The least share of the checklist's weight that must be scored.
    static let leastCoverage = 0.5

    /// Scores a company by a persona's checklist.
    ///
    /// - Parameters:
    ///   - persona: The owner of the checklist.
    ///   - history: The company's figures.
    ///   - monthsOld: Since the end of the latest fiscal year.
    init(of persona: Persona, history: CompanyHistory, monthsOld: Int) {
        thresholds = persona.verdicts
        func outcome(_ metric: String) -> MetricOutcome? { Metric.all[metric].map { MetricOutcome($0, of: history) } }
        lines = persona.checklist.compactMap { item in
            guard let outcome = outcome(item.rule.metric) else { return nil }
            let score = outcome.shortfall == nil ? outcome.value.flatMap { item.rule.score(of: $0) } : 0
            return Line(item: item, outcome: outcome, score: score)
        }
        findings = persona.walkAways.compactMap { walkAway in
            guard let outcome = outcome(walkAway.metric) else { return nil }
            return Finding(
                walkAway: walkAway, outcome: outcome, holds: outcome.value.map(walkAway.condition.holds) ?? false)
        }
        let scored = lines.filter { $0.score != nil }
        let weight = scored.reduce(0) { $0 + $1.item.weight }
        let whole = lines.reduce(0) { $0 + $1.item.weight }
        let coverage = whole > 0 ? weight / whole : 0
        let years = history.depth
        let confidence = Confidence(coverage: coverage, years: years, monthsOld: monthsOld)
        self.confidence = confidence.value
        remarks = confidence.remarks(scored: scored.count, of: lines.count)
        let total = scored.reduce(0) { $0 + $1.item.weight * ($1.score ?? 0) }
        if years < Self.fewestYears {
            remarks.insert(
                "The filings give \(years) fiscal years; a judgement needs at least \(Self.fewestYears).", at: 0)
            verdict = .abstains
        } else if coverage < Self.leastCoverage {
            remarks.insert("Less than half of the checklist can be answered from the figures at hand.", at: 0)
            verdict = .abstains
        } else {
            // Rounded as readers see it, so that a score shown as 70 is not below 70.
            let score = rounded(total / weight * 10, 0)
            self.score = score
            if findings.contains(where: \.holds) {
                verdict = .walksAway
            } else {
                verdict =
                    score >= persona.verdicts.fits ? .fits : score >= persona.verdicts.mixed ? .mixed : .doesNotFit
            }
        }
    }
}

/// The degree to which the evidence supports a score.
struct Confidence {
    /// The share of the checklist's weight that is scored counts most, then the years of history, then freshness.
    private static let weights = (coverage: 60.0, years: 25.0, freshness: 15.0)
    private static let wholeHistory = 10
    /// Months after the end of a fiscal year within which the next annual report is not due.
    private static let freshMonths = 15
    private static let staleMonths = 27

    let coverage: Double
    let years: Int
    let monthsOld: Int

    var value: Double {
        Self.weights.coverage * coverage
            + Self.weights.years * Double(min(years, Self.wholeHistory)) / Double(Self.wholeHistory)
            + Self.weights.freshness * freshness
    }

    private var freshness: Double {
        let late = Double(monthsOld - Self.freshMonths) / Double(Self.staleMonths - Self.freshMonths)
        return 1 - min(max(late, 0), 1)
    }

    func remarks(scored: Int, of all: Int) -> [String] {
        var remarks = ["\(scored) of \(all) questions could be scored.", "\(years) fiscal years are at hand."]
        if freshness < 1 { remarks.append("The latest fiscal year ended \(monthsOld) months ago.") }
        return remarks
    }
}

// MARK: - What a verdict leaves open

extension Scorecard {
    /// The questions of the checklist that could not be answered.
    var unanswered: [Line] { lines.filter { $0.score == nil } }

    /// The verdict with what it leaves open; `nil` when every question was answered, and without a score.
    var verdictNote: String? {
        guard score != nil, !unanswered.isEmpty else { return nil }
        let open = unanswered.map { line in
            "\(line.item.question) (\(line.outcome.abstention ?? "not answered"))"
        }
        let word =
            switch verdict {
            case .fits: "Fits"
            case .mixed: "Mixed"
            case .doesNotFit: "Does not fit"
            case .walksAway: "Walks away"
            case .abstains: "Abstains"
            }
        return "\(word) by \(lines.count - unanswered.count) of \(lines.count) questions. Left open: "
            + open.joined(separator: " ")
    }
}

// MARK: - JSON of the result

extension Scorecard {
    var json: JSON {
        [
            "verdict": JSON(verdict.rawValue), "score": score.map { JSON($0) } ?? .null,
            "thresholds": ["fits": JSON(thresholds.fits), "mixed": JSON(thresholds.mixed)],
            "confidence": JSON(rounded(confidence, 0)), "verdict_note": JSON(verdictNote), "remarks": JSON(remarks),
            "items": .array(lines.map(\.json)), "walk_aways": .array(findings.map(\.json)),
        ]
    }
}

extension Scorecard.Line {
    var json: JSON {
        [
            "id": JSON(item.id), "question": JSON(item.question), "weight": JSON(item.weight),
            "score": score.map { JSON(rounded($0, 1)) } ?? .null, "evidence": outcome.json,
        ]
    }
}

extension Scorecard.Finding {
    var json: JSON {
        [
            "id": JSON(walkAway.id), "holds": JSON(holds), "because": JSON(walkAway.because),
            "evidence": outcome.json,
        ]
    }
}

extension MetricOutcome {
    var json: JSON {
        [
            "metric": JSON(metric.name), "title": JSON(metric.title), "formula": JSON(metric.formula),
            "unit": JSON(metric.unit.rawValue), "value": value.map { JSON(rounded($0, 6)) } ?? .null,
            "abstained_because": JSON(abstention), "shortfall": JSON(shortfall), "figures": JSON(inputs),
        ]
    }
}

/// Rounds to a number of decimals, so that stored scores do not end in the noise of binary fractions.
func rounded(_ value: Double, _ decimals: Int) -> Double {
    let scale = power(10, Double(decimals))
    return (value * scale).rounded() / scale
}
