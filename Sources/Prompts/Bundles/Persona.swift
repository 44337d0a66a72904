/// An investor whose checklist scores a company and whose voice explains it, as a file in `personas/` defines it.
package struct Persona: Sendable, Hashable {
    /// The name that requests use (`buffett`).
    package var id: String
    /// Grows with every edit of the checklist or the voice; each report names it.
    package var version: Int
    package var name: String
    /// One line for a list of personas.
    package var summary: String
    /// One sentence as the investor would say it, for people who choose a persona.
    package var says: String?
    /// The investor's way to study a company, for the prompt.
    package var approach: String
    /// The investor's style of writing, for the prompt.
    package var voice: String
    package var checklist: [ChecklistItem]
    /// Findings that rule a company out, at any score.
    package var walkAways: [WalkAway]
    /// The lowest score (0–100) of each verdict.
    package var verdicts: Verdicts
    /// What the investor asks of a company's filings; their answers are never scored.
    package var reading: [ReadingQuestion] = []

    package init(
        id: String, version: Int, name: String, summary: String, approach: String, voice: String,
        checklist: [ChecklistItem], walkAways: [WalkAway], verdicts: Verdicts
    ) {
        self.id = id
        self.version = version
        self.name = name
        self.summary = summary
        self.approach = approach
        self.voice = voice
        self.checklist = checklist
        self.walkAways = walkAways
        self.verdicts = verdicts
    }

    package struct Verdicts: Sendable, Hashable {
        /// From this score on the company fits the investor.
        package var fits: Double
        /// From this score on the picture is mixed; below, the company does not fit.
        package var mixed: Double

        package init(fits: Double, mixed: Double) {
            self.fits = fits
            self.mixed = mixed
        }
    }
}

/// A question that the text of filings may answer.
package struct ReadingQuestion: Sendable, Hashable {
    package var id: String
    package var question: String
    /// The items of an annual report that may answer it (`1A`); the passages are looked for in these.
    package var items: [String]
    /// Further words that filings use for it.
    package var terms: [String]

    package init(id: String, question: String, items: [String], terms: [String]) {
        (self.id, self.question, self.items, self.terms) = (id, question, items, terms)
    }
}

/// One question of a checklist: the figures that it needs and the rule that scores it.
package struct ChecklistItem: Sendable, Hashable {
    package var id: String
    package var question: String
    /// The reported figures that the metric is made of, by concept (`net_income`); checked against the metric.
    package var needs: [String]
    package var weight: Double
    package var rule: ScoreRule

    package init(id: String, question: String, needs: [String], weight: Double, rule: ScoreRule) {
        self.id = id
        self.question = question
        self.needs = needs
        self.weight = weight
        self.rule = rule
    }
}

/// Turns the value of a metric into a score from 0 to 10: straight lines between the points, flat beyond the ends.
package struct ScoreRule: Sendable, Hashable {
    package struct Point: Sendable, Hashable {
        package var value: Double
        package var score: Double

        package init(value: Double, score: Double) {
            self.value = value
            self.score = score
        }
    }

    /// The name of the metric (`roic_median`).
    package var metric: String
    /// At least two, by rising value.
    package var points: [Point]

    package init(metric: String, points: [Point]) {
        self.metric = metric
        self.points = points
    }

    package func score(of value: Double) -> Double? {
        guard let first = points.first, let last = points.last else { return nil }
        if value <= first.value { return first.score }
        for (left, right) in zip(points, points.dropFirst()) where value <= right.value {
            let way = (value - left.value) / (right.value - left.value)
            return left.score + way * (right.score - left.score)
        }
        return last.score
    }
}

/// A finding that rules a company out for the persona.
package struct WalkAway: Sendable, Hashable {
    package enum Condition: Sendable, Hashable {
        case below(Double)
        case above(Double)

        package func holds(for value: Double) -> Bool {
            switch self {
            case .below(let limit): value < limit
            case .above(let limit): value > limit
            }
        }
    }

    package var id: String
    package var needs: [String]
    package var metric: String
    package var condition: Condition
    /// The reason, in a sentence.
    package var because: String

    package init(id: String, needs: [String], metric: String, condition: Condition, because: String) {
        self.id = id
        self.needs = needs
        self.metric = metric
        self.condition = condition
        self.because = because
    }
}
