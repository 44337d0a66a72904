internal import DataSources
internal import JSON
internal import Prompts

/// What a model found in a text, held against the text and the learner, and the scores that follow from it.
///
/// The model names concepts, quotes them, and judges how deep the text goes and what serves the goal. What these
/// judgements amount to is computed here, so that no sentence in a text can order a score.
struct Analysis: Sendable {
    /// Both scores have to reach it for questions to be asked.
    static let threshold = 0.7

    enum Depth: String, Sendable, CaseIterable { case mentioned, explained, developed }
    enum Bearing: String, Sendable, CaseIterable { case direct, partial, none }

    struct Concept: Sendable {
        var name: String
        /// The passage of the text that shows it, as the text has it.
        var span: String
        var depth: Depth
        var bearing: Bearing
        var standing: Learner.Standing
    }

    let concepts: [Concept]
    /// 0 to 1, two digits.
    let relevance: Double
    let learningValue: Double
    let reasons: [String]

    var isTriggered: Bool { relevance >= Self.threshold && learningValue >= Self.threshold }

    init(_ answer: JSON, text: String, learner: Learner) {
        let source = SourceText(text)
        let concepts = (answer["concepts"]?.array ?? []).compactMap { value -> Concept? in
            guard let name = value["name"]?.string, let span = value["quote"]?.string.flatMap(source.passage) else {
                return nil
            }
            return Concept(
                name: name, span: span, depth: value["depth"]?.string.flatMap(Depth.init) ?? .mentioned,
                bearing: value["bearing"]?.string.flatMap(Bearing.init) ?? .none,
                standing: learner.standing(of: name, same: value["same_as"]?.string))
        }
        self.concepts = concepts
        relevance = Self.relevance(answer["relevance_score"]?.double ?? 0, concepts)
        learningValue = Self.learningValue(of: concepts)
        reasons = answer["relevance_reasons"]?.array?.compactMap(\.string) ?? []
    }

    /// The model's score, up to what the concepts bear out: what serves the goal has to stand in the text.
    static func relevance(_ score: Double, _ concepts: [Concept]) -> Double {
        let direct = concepts.count { $0.bearing == .direct }
        let partial = concepts.count { $0.bearing == .partial }
        let ceiling =
            switch (direct, partial) {
            case (2..., _): 1.0
            case (1, _): 0.9
            case (_, 1...): 0.6
            default: 0.2
            }
        return rounded(min(max(score, 0), ceiling))
    }

    /// One less what is left to learn after each concept: every concept takes away a share of what was missing, a
    /// large one when the text develops what the learner finds hard, hardly any when they know it.
    static func learningValue(of concepts: [Concept]) -> Double {
        rounded(1 - concepts.reduce(1) { $0 * (1 - share(of: $1)) })
    }

    private static func share(of concept: Concept) -> Double {
        // What does not serve the goal at all is not what they came to learn.
        if concept.bearing == .none { return 0 }
        return switch (concept.depth, concept.standing) {
        case (.developed, .weak): 0.75
        case (.developed, .new): 0.6
        case (.explained, .weak): 0.6
        case (.explained, .new): 0.5
        case (.mentioned, .weak): 0.15
        case (.mentioned, .new): 0.1
        case (.developed, .known), (.explained, .known): 0.05
        case (.mentioned, .known): 0
        }
    }

    private static func rounded(_ score: Double) -> Double { (score * 100).rounded() / 100 }
}
