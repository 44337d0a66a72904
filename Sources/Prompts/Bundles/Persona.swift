/// An investor in whose voice and by whose checklist a company is read, as a file in `personas/` defines it.
public struct Persona: Sendable, Hashable {
    /// The name that requests use (`buffett`).
    public var id: String
    /// Grows with every edit of the checklist or the voice; stands in each report.
    public var version: Int
    public var name: String
    /// One line for a list of personas.
    public var summary: String
    /// How they read a company, for the prompt.
    public var approach: String
    /// How they write, for the prompt.
    public var voice: String
    public var checklist: [ChecklistItem]
    /// What makes them walk away, whatever the score.
    public var walkAways: [WalkAway]
    /// The lowest score (0–100) of each verdict.
    public var verdicts: Verdicts

    public init(
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

    public struct Verdicts: Sendable, Hashable {
        /// From here on the company fits how this investor invests.
        public var fits: Double
        /// From here on the picture is mixed; below, it does not fit.
        public var mixed: Double

        public init(fits: Double, mixed: Double) {
            self.fits = fits
            self.mixed = mixed
        }
    }
}

/// One question of a checklist: the figures that it needs and the rule that scores it.
public struct ChecklistItem: Sendable, Hashable {
    public var id: String
    public var question: String
    /// The reported figures that the metric is made of, by concept (`net_income`); checked against the metric.
    public var needs: [String]
    public var weight: Double
    public var rule: ScoreRule

    public init(id: String, question: String, needs: [String], weight: Double, rule: ScoreRule) {
        self.id = id
        self.question = question
        self.needs = needs
        self.weight = weight
        self.rule = rule
    }
}

/// Turns the value of a metric into a score from 0 to 10: straight lines between the points, flat beyond the ends.
public struct ScoreRule: Sendable, Hashable {
    public struct Point: Sendable, Hashable {
        public var value: Double
        public var score: Double

        public init(value: Double, score: Double) {
            self.value = value
            self.score = score
        }
    }

    /// The name of the metric (`roic_median`).
    public var metric: String
    /// At least two, by rising value.
    public var points: [Point]

    public init(metric: String, points: [Point]) {
        self.metric = metric
        self.points = points
    }

    public func score(of value: Double) -> Double? {
        guard let first = points.first, let last = points.last else { return nil }
        if value <= first.value { return first.score }
        for (left, right) in zip(points, points.dropFirst()) where value <= right.value {
            let way = (value - left.value) / (right.value - left.value)
            return left.score + way * (right.score - left.score)
        }
        return last.score
    }
}

/// A finding that ends the reading: the persona would not own the company.
public struct WalkAway: Sendable, Hashable {
    public enum Condition: Sendable, Hashable {
        case below(Double)
        case above(Double)

        public func holds(for value: Double) -> Bool {
            switch self {
            case .below(let limit): value < limit
            case .above(let limit): value > limit
            }
        }
    }

    public var id: String
    public var needs: [String]
    public var metric: String
    public var condition: Condition
    /// Why, in a sentence.
    public var because: String

    public init(id: String, needs: [String], metric: String, condition: Condition, because: String) {
        self.id = id
        self.needs = needs
        self.metric = metric
        self.condition = condition
        self.because = because
    }
}
