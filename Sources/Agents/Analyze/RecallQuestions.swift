internal import JSON
internal import Prompts

/// The rules of recall questions that need to know the learner, and the questions as results show them.
struct RecallQuestions: Sendable {
    let analysis: Analysis

    /// What questions may be about: what the text explains and the learner does not know, what is hard first.
    var subjects: [Analysis.Concept] {
        let useful = analysis.concepts.filter { $0.bearing != .none }
        let explained = useful.filter { $0.depth != .mentioned }
        let worthwhile = explained.isEmpty ? useful : explained
        let order: [Learner.Standing] = [.weak, .new, .known]
        return order.flatMap { standing in worthwhile.filter { $0.standing == standing } }
    }

    /// What the prompt's checks cannot see: a hard concept that the text explains must be asked about.
    func failures(in answer: JSON) -> [CheckFailure] {
        let asked = (answer["questions"]?.array ?? []).compactMap { $0["concept"]?.string }
        let hard = subjects.filter { $0.standing == .weak }.map(\.name)
        guard !hard.isEmpty, !asked.contains(where: hard.contains) else { return [] }
        return [
            CheckFailure(
                check: "weak-concepts-first", path: "questions",
                message: "No question is about what the learner finds hard: \(hard.joined(separator: ", ")).")
        ]
    }

    /// The questions of an answer that kept the rules, those about what is hard first.
    func questions(in answer: JSON, text: String) -> JSON {
        let source = SourceText(text)
        let hard = Set(subjects.filter { $0.standing == .weak }.map(\.name))
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
