internal import JSON
internal import Prompts

/// What is answered to a learner's question.
struct EducationAnswer: Sendable {
    let text: String
    let isKnown: Bool
    /// What the answer rests on, what matters most first.
    let citations: [CitedPassage]

    /// When no passage is near enough to the question that a model could answer from it.
    static let unknown = EducationAnswer(
        text: "I do not know: nothing in your reports, in the news or in the library answers this.", isKnown: false,
        citations: [])

    private init(text: String, isKnown: Bool, citations: [CitedPassage]) {
        self.text = text
        self.isKnown = isKnown
        self.citations = citations
    }

    init(_ answer: JSON, from passages: [CitedPassage]) {
        text = answer["answer"]?.string?.trimmed ?? ""
        isKnown = answer["known"] == true
        let ids = (answer["citations"]?.array ?? []).compactMap(\.string).uniqued()
        citations = ids.compactMap { id in passages.first { $0.id == id } }
    }

    /// What an answer breaks beyond the checks of the prompt: what is known has a source, what is not has none.
    static let problems: @Sendable (JSON) -> [CheckFailure] = { answer in
        let hasSource = answer["citations"]?.array?.isEmpty == false
        switch (answer["known"] == true, hasSource) {
        case (true, false):
            return [
                CheckFailure(
                    check: "citations", path: "citations",
                    message: "An answer that is known has to name the passages that it rests on.")
            ]
        case (false, true):
            return [
                CheckFailure(
                    check: "citations", path: "citations",
                    message: "An answer that is not known rests on no passage: leave the list empty.")
            ]
        default: return []
        }
    }
}
