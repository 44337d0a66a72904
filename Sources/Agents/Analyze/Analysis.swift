internal import DataSources
internal import JSON
internal import Prompts

/// The concepts that a model found in a text, compared with the text and the learner, and the scores that follow.
///
/// The model names concepts, quotes them, and rates the depth of the text and its use for the goal. The scores are
/// computed from these ratings, so that no sentence in a text can dictate a score.
struct Analysis: Sendable {
    /// Questions are written when both scores reach it.
    static let threshold = 0.7

    enum Depth: String, Sendable, CaseIterable { case mentioned, explained, developed }
    enum Bearing: String, Sendable, CaseIterable { case direct, partial, none }

    struct Concept: Sendable {
        var name: String
        /// The passage that shows it, in the text's own words.
        var span: String
        var depth: Depth
        var bearing: Bearing
        var familiarity: Learner.Familiarity
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
                familiarity: learner.familiarity(of: name, same: value["same_as"]?.string))
        }
        self.concepts = concepts
        relevance = Self.relevance(answer["relevance_score"]?.double ?? 0, concepts)
        learningValue = Self.learningValue(of: concepts)
        reasons = answer["relevance_reasons"]?.array?.compactMap(\.string) ?? []
    }

    /// The model's score, limited by the number of concepts that serve the goal, since each of them is quoted.
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

    /// One less the part that is still unknown after all concepts: each concept removes a share of the rest, a large
    /// one when the text develops a concept that the learner finds hard, hardly any when the learner knows it.
    static func learningValue(of concepts: [Concept]) -> Double {
        rounded(1 - concepts.reduce(1) { $0 * (1 - share(of: $1)) })
    }

    private static func share(of concept: Concept) -> Double {
        // A concept that does not serve the goal teaches nothing that the learner asked for.
        if concept.bearing == .none { return 0 }
        return switch (concept.depth, concept.familiarity) {
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

/// The concepts that a learner knows, and those that they find hard.
struct Learner: Sendable {
    /// The learner's knowledge of a concept.
    enum Familiarity: String, Sendable {
        /// Among the concepts that the learner finds hard; takes precedence over `known`.
        case weak
        case known
        case new
    }

    /// Two names with this similarity mean one concept: all words agree, or two of three.
    private static let sameName = 0.79

    let known: [String]
    let weak: [String]

    /// The learner's knowledge of a concept, by its own name and by the learner's concept that the model calls the
    /// same.
    ///
    /// The model's match counts only when the learner did name that concept.
    func familiarity(of concept: String, same: String?) -> Familiarity {
        for name in [concept, same].compactMap(\.self) {
            if Self.contains(name, in: weak) { return .weak }
        }
        for name in [concept, same].compactMap(\.self) {
            if Self.contains(name, in: known) { return .known }
        }
        return .new
    }

    private static func contains(_ name: String, in list: [String]) -> Bool {
        let words = ContentWords(name)
        return !words.stems.isEmpty && list.contains { ContentWords($0).similarity(to: words) >= sameName }
    }
}

/// The rules of recall questions that depend on the learner, and the questions in the form of results.
struct RecallQuestions: Sendable {
    let analysis: Analysis

    /// The concepts that questions may be about: those that the text explains, hard ones first, known ones last.
    var subjects: [Analysis.Concept] {
        let useful = analysis.concepts.filter { $0.bearing != .none }
        let explained = useful.filter { $0.depth != .mentioned }
        let worthwhile = explained.isEmpty ? useful : explained
        let order: [Learner.Familiarity] = [.weak, .new, .known]
        return order.flatMap { familiarity in worthwhile.filter { $0.familiarity == familiarity } }
    }

    /// A rule that the prompt's checks cannot express: some question must be about a hard concept that the text
    /// explains.
    func failures(in answer: JSON) -> [CheckFailure] {
        let asked = (answer["questions"]?.array ?? []).compactMap { $0["concept"]?.string }
        let hard = subjects.filter { $0.familiarity == .weak }.map(\.name)
        guard !hard.isEmpty, !asked.contains(where: hard.contains) else { return [] }
        return [
            CheckFailure(
                check: "weak-concepts-first", path: "questions",
                message: "No question is about what the learner finds hard: \(hard.joined(separator: ", ")).")
        ]
    }

    /// The questions of an answer that passed its checks, those about hard concepts first.
    func questions(in answer: JSON, text: String) -> JSON {
        let source = SourceText(text)
        let hard = Set(subjects.filter { $0.familiarity == .weak }.map(\.name))
        let all = (answer["questions"]?.array ?? []).compactMap { question -> (isHard: Bool, body: JSON)? in
            guard let span = question["quote"]?.string.flatMap(source.passage) else { return nil }
            let concept = question["concept"]?.string ?? ""
            var body: JSON = [
                "question": question["question"] ?? .null, "type": question["type"] ?? .null,
                "concept": JSON(concept), "answer": question["answer"] ?? .null, "source_span": JSON(span),
            ]
            if question["type"] == "mcq" { body["options"] = question["options"] }
            return (hard.contains(concept), body)
        }
        return .array(all.filter(\.isHard).map(\.body) + all.filter { !$0.isHard }.map(\.body))
    }
}
