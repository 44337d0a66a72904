internal import Basics
internal import JobQueue
internal import JSON
internal import News
internal import Prompts

/// A story to explain: its articles and, when the explanation is for one user, that user's holdings.
struct ExplanationInput: Sendable {
    struct Article: Sendable, Hashable {
        /// The name that the explanation uses: `a1`, `a2`, …
        var id: String
        var title: String
        var publisher: String
        /// ISO 8601; empty when it is not known.
        var publishedAt: String
        var url: String
        var text: String
        /// The id of the stored article; `nil` for one that a user sent.
        var record: String?
        /// Whether `text` is the main text.
        var isWhole = false
    }

    var title: String?
    var articles: [Article]
    /// Tickers of the reader's holdings that the story is about; empty when the explanation is for all users.
    var holdings: [String]
    /// The tickers that a stored story is about: an explanation for all users speaks to their holders, and to those of
    /// groups of holdings. `nil` for articles that a user sent, whose readers nobody knows.
    var subjects: [String]?

    /// Reads the input of an `explanation` job.
    init(_ input: JSONField) throws(JSONFieldError) {
        title = try input["title"].optional?.string()
        holdings = try input["holdings"].optional?.strings().map { $0.uppercased() } ?? []
        articles = []
        for field in try input["articles"].array() {
            articles.append(try Article(field, number: articles.count + 1))
        }
    }

    init(title: String?, articles: [Article], holdings: [String] = [], subjects: [String]? = nil) {
        self.title = title
        self.articles = articles
        self.holdings = holdings
        self.subjects = subjects
    }

    /// The most tickers whose holders an explanation speaks to.
    private static let mostSubjects = 4

    /// The holders that the explanation may speak to, those it has to speak to first. They depend on the story alone, so
    /// that an explanation tells nothing of what anybody holds.
    private func holders(in language: Language) -> [JSON] {
        guard holdings.isEmpty, let subjects else { return [] }
        let tickers: [JSON] = subjects.prefix(Self.mostSubjects).map { ticker in
            ["id": JSON(ticker), "name": JSON(ticker), "required": true]
        }
        let groups: [JSON] = HoldingGroup.allCases.map { group in
            ["id": JSON(group.rawValue), "name": JSON(group.name(in: language)), "required": JSON(group == .stocks)]
        }
        return tickers + groups
    }

    /// The values of the prompt. The articles share the limit on the text that a model reads; groups of holders have
    /// the names that the answer's language has for them.
    func promptInput(in language: Language = .english) -> JSON {
        let share = Excerpt.limit / max(1, articles.count)
        let articles = articles.map { article -> JSON in
            let excerpt = Excerpt(of: article.text, limit: share)
            var body: JSON = [
                "id": JSON(article.id), "title": JSON(article.title), "source": JSON(article.publisher),
                "text": JSON(excerpt.text),
            ]
            if !article.publishedAt.isEmpty { body["published_at"] = JSON(article.publishedAt) }
            body["cut"] = excerpt.remark.map { JSON($0) }
            return body
        }
        var input: JSON = ["articles": .array(articles), "holdings": JSON(holdings)]
        let holders = holders(in: language)
        if !holders.isEmpty { input["holders"] = .array(holders) }
        input["title"] = title.map { JSON($0) }
        return input
    }
}

extension ExplanationInput.Article {
    /// Reads an article of a job's input; the first one has the number 1.
    init(_ field: JSONField, number: Int) throws(JSONFieldError) {
        self.init(
            id: "a\(number)", title: try field["title"].string(), publisher: try field["source"].string(),
            publishedAt: try field["published_at"].optional?.string() ?? "", url: try field["url"].string(),
            text: try field["text"].string())
        record = try field["record"].optional?.string()
        isWhole = try field["is_whole"].optional?.bool() ?? false
    }
}

/// Explains a story in five parts and names its sources. A model writes the parts; their form, the sources and the
/// confidence follow from rules.
struct Explainer: Sendable {
    let models: ModelCalls

    func explain(
        _ story: ExplanationInput, with prompt: LoadedPrompt, stage: String, in context: JobContext
    ) async throws(AgentError) -> (explanation: JSON, answer: CheckedAnswer) {
        let question = PromptQuestion(
            step: "explain", stage: stage, prompt: prompt, input: story.promptInput(in: context.language ?? .english),
            expectedCharacters: 4200,
            userMessage: "We could not write an explanation that is calm and true to its sources. Nothing was charged.")
        let answer = try await models.ask(question, in: context)
        return (Explanation(answer.content, of: story, in: context.language ?? .english).json, answer)
    }
}

/// The five parts and the sources in the form of the API's news documents.
struct Explanation: Sendable {
    private let parts: JSON
    private let cited: [ExplanationInput.Article]
    private let words: ExplanationWords

    init(_ parts: JSON, of story: ExplanationInput, in language: Language = .english) {
        self.parts = parts
        words = ExplanationWords(language)
        let ids = Set((parts["sources"]?.array ?? []).compactMap(\.string))
        cited = story.articles.filter { ids.contains($0.id) }
    }

    var json: JSON {
        let (confidence, reason) = causeConfidence
        var body: JSON = [
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
            "not_known_yet": JSON(texts("not_known")), "what_to_keep_in_mind": JSON(texts("keep_in_mind")),
            "scenarios": .array(scenarios),
        ]
        let holders = parts["for_holders"]?.array ?? []
        if !holders.isEmpty { body["for_holders"] = .array(holders) }
        return body
    }

    private var scenarios: [JSON] {
        (parts["scenarios"]?.array ?? []).map { scenario in
            func part(_ name: String) -> JSON { JSON(scenario[name]?.string?.trimmed ?? "") }
            return [
                "title": part("title"), "likelihood": part("likelihood"), "description": part("description"),
                "what_confirms_it": part("watch_for"), "what_makes_it_unlikely": part("unlikely_if"),
            ]
        }
    }

    private func text(_ name: String) -> JSON { JSON(parts[name]?.string?.trimmed) }

    private func texts(_ name: String) -> [String] {
        (parts[name]?.array ?? []).compactMap { $0.string?.trimmed }
    }

    /// `1) Title (Medium likelihood): What it would look like. Worth watching: a sign.`
    private var whatToWatch: String {
        (parts["scenarios"]?.array ?? []).enumerated().map { index, scenario in
            func part(_ name: String) -> String { scenario[name]?.string?.trimmed ?? "" }
            return "\(index + 1)) \(part("title")) (\(words.likelihood(part("likelihood")))): \(part("description")) "
                + "\(part("watch_for"))"
        }.joined(separator: "\n\n")
    }

    private var misunderstandings: String {
        let pairs = (parts["misunderstandings"]?.array ?? []).map { pair in
            "\(pair["belief"]?.string?.trimmed ?? "") \(pair["reframe"]?.string?.trimmed ?? "")"
        }
        return (pairs + [parts["closing"]?.string?.trimmed ?? ""]).joined(separator: " ")
    }

    /// The reliability of the causes: by what the articles report of them, and by the number of publishers.
    private var causeConfidence: (level: String, reason: String) {
        let publishers = Set(cited.map { $0.publisher.lowercased() }).count
        let level = publishers >= 3 ? "High" : publishers == 2 ? "Medium" : "Low"
        let cited = self.cited.count
        switch parts["cause"]?.string {
        case "not known yet": return ("Low", words.basis(.open, articles: cited, publishers: publishers))
        case "partly reported":
            let basis = words.basis(.partly, articles: cited, publishers: publishers)
            return (level == "High" ? "Medium" : level, basis)
        default: return (level, words.basis(articles: cited, publishers: publishers))
        }
    }
}
