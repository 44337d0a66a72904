internal import JSON

/// An answer to one of the questions that Dossier's agents ask, made from the material of the prompt: these have rules
/// that a schema cannot say, such as that a quotation stands in the text.
struct KnownAnswer: Sendable {
    let sections: FencedSections
    var random: SeededRandom
    /// A sentence to put into the prose: a fault.
    let intrusion: String?
    /// Bytes that the answer may have, about.
    let room: Int

    /// The answer that a schema asks for; `nil` when it is none of those known.
    mutating func value(for schema: JSON) -> JSON? {
        let names = Set(schema["properties"]?.object?.keys ?? [])
        if names.isSuperset(of: ["concepts", "relevance_score"]) { return analysis }
        if names == ["questions"], schema["properties"]?["questions"]?["items"]?["properties"]?["quote"] != nil {
            return questions
        }
        if names.isSuperset(of: ["what_happened", "misunderstandings"]) { return explanation }
        if names.isSuperset(of: ["is_financial", "opportunity_type"]) { return signal }
        if names == ["paragraphs", "sentiment"] { return summary }
        if names.isSuperset(of: ["answer", "in_article"]) { return articleAnswer(quoting: names.contains("quotes")) }
        if names == ["known", "answer", "citations"] { return lesson }
        return nil
    }

    /// Sentences of ours, with the fault where there is one.
    func prose(_ sentences: String...) -> String { (sentences + [intrusion].compactMap(\.self)).joined(separator: " ") }
}
