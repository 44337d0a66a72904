internal import JSON
internal import Prompts

/// Explains a story in five parts and names its sources. A model writes the parts; their form, the sources and the
/// confidence are put together here.
struct Explainer: Sendable {
    let models: ModelCalls

    /// Asks for the parts, which have to keep every rule of the prompt.
    func explain(
        _ order: ExplanationInput, with prompt: LoadedPrompt, stage: String, in context: JobContext
    ) async throws(AgentError) -> (explanation: JSON, answer: CheckedAnswer) {
        let question = CheckedQuestion(
            step: "explain", stage: stage, prompt: prompt, input: order.promptInput, expectedCharacters: 2800,
            userMessage: "We could not write an explanation that is calm and true to its sources. Nothing was charged.")
        let answer = try await models.ask(question, in: context)
        return (Explanation(answer.content, of: order).json, answer)
    }
}

/// The five parts and the sources as the news documents print them.
struct Explanation: Sendable {
    private let parts: JSON
    private let cited: [ExplanationInput.Article]

    init(_ parts: JSON, of order: ExplanationInput) {
        self.parts = parts
        let ids = Set((parts["sources"]?.array ?? []).compactMap(\.string))
        cited = order.articles.filter { ids.contains($0.id) }
    }

    var json: JSON {
        let (confidence, reason) = causeConfidence
        return [
            "what_happened": text("what_happened"),
            "why_it_happened": JSON(texts("why_it_happened").joined(separator: "\n\n")),
            "why_it_matters_now": text("why_it_matters"),
            "what_to_watch_next": JSON(whatToWatch),
            "what_this_does_not_mean": JSON(misunderstandings),
            "sources_summary": .array(
                cited.map { article in
                    [
                        "publisher": JSON(article.publisher), "title": JSON(article.title),
                        "published_date": JSON(article.publishedAt), "url": JSON(article.url),
                    ]
                }),
            "cause_confidence": JSON(confidence), "cause_reason": JSON(reason), "decision_reasoning": nil,
        ]
    }

    private func text(_ name: String) -> JSON { JSON(parts[name]?.string?.trimmed) }

    private func texts(_ name: String) -> [String] {
        (parts[name]?.array ?? []).compactMap { $0.string?.trimmed }
    }

    /// `1) Title (Medium likelihood): What it would look like. Worth watching: a sign.`
    private var whatToWatch: String {
        (parts["scenarios"]?.array ?? []).enumerated().map { index, scenario in
            func part(_ name: String) -> String { scenario[name]?.string?.trimmed ?? "" }
            return "\(index + 1)) \(part("title")) (\(part("likelihood")) likelihood): \(part("description")) "
                + "\(part("watch_for"))"
        }.joined(separator: "\n\n")
    }

    private var misunderstandings: String {
        let pairs = (parts["misunderstandings"]?.array ?? []).map { pair in
            "\(pair["belief"]?.string?.trimmed ?? "") \(pair["reframe"]?.string?.trimmed ?? "")"
        }
        return (pairs + [parts["closing"]?.string?.trimmed ?? ""]).joined(separator: " ")
    }

    /// How far the causes can be relied on, by how many publishers bear them out.
    private var causeConfidence: (level: String, reason: String) {
        let publishers = Set(cited.map { $0.publisher.lowercased() }).count
        let articles = "\(cited.count) \(cited.count == 1 ? "article" : "articles")"
        let from = "\(publishers) \(publishers == 1 ? "publisher" : "publishers")"
        let level = publishers >= 3 ? "High" : publishers == 2 ? "Medium" : "Low"
        return (level, "Rests on \(articles) by \(from).")
    }
}
