internal import Articles
internal import Basics
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import News
internal import Observability
internal import Prompts

/// Decides whether an investor should know of a text or of the page at an address, and if so, explains it.
struct InterpretAgent: Agent {
    private let content: ContentStep
    private let holdings: @Sendable (UserID) async throws(StoreError) -> [String]
    private let models: ModelCalls

    /// - Parameters:
    ///   - reader: Reads the pages at addresses.
    ///   - holdings: The tickers that a user holds.
    ///   - models: The models that rate and explain the text.
    init(
        reader: any ContentReader, holdings: @escaping @Sendable (UserID) async throws(StoreError) -> [String],
        models: ModelCalls
    ) {
        content = ContentStep(reader: reader)
        self.holdings = holdings
        self.models = models
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let subject = try context.input(InterpretSubject.init)
        let (ratingPrompt, explainPrompt) = (try context.prompt("interpret"), try context.prompt("explain"))
        context.progress("read")
        let text = try await read(subject, in: context)
        let rated = try await models.ask(rating(of: text, ratingPrompt), in: context)
        let held = HeldSubjects(title: text.title, holdings: try await holdings(of: context))
        let rating = InvestorRating(
            rated.content, held: held.reason(in: context.language ?? .english), reportsEvent: held.reportsEvent)
        var answers = [rated]
        var explanation = JSON.null
        if rating.isWorthKnowing {
            if let (written, answer) = try await explain(text, for: held.tickers, explainPrompt, in: context) {
                explanation = written
                answers.append(answer)
            }
        }
        context.progress("store")
        var result: JSONObject = [
            "id": JSON(text.id), "url": JSON(text.id), "title": JSON(text.title), "source": JSON(text.source),
            "published_at": JSON(text.publishedAt),
        ]
        for (key, value) in rating.json { result[key] = value }
        result["explanation"] = explanation
        result["provenance"] = context.provenance(of: answers)
        return AgentResult(.object(result), records: record(of: rating, subject, for: context.job))
    }

    /// The user's tickers, in a step: a run after an interruption judges by the same ones.
    private func holdings(of context: JobContext) async throws(AgentError) -> [String] {
        let user = context.job.user
        let entry = try await context.journal.step("holdings", input: ["user": JSON(user.rawValue)]) {
            (JSON(try await holdings(user)), [])
        }
        return entry.output.array?.compactMap(\.string) ?? []
    }

    private func read(
        _ subject: InterpretSubject, in context: JobContext
    ) async throws(AgentError) -> InterpretedText {
        switch subject {
        case .text(let text): InterpretedText(pasted: text, at: context.job.createdAt)
        case .url(let url): InterpretedText(try await content.read(url, in: context), at: context.job.createdAt)
        }
    }

    /// The rating that the user's feed shows with an article. It is stored under the address that was asked for: by the
    /// address that a page states it could rate the article of another site.
    private func record(of rating: InvestorRating, _ subject: InterpretSubject, for job: ClaimedJob) -> [RecordChange] {
        guard case .url(let given) = subject, let url = CanonicalURL.normalized(given),
            url.utf8.count <= ArticleSignal.longestURL
        else { return [] }
        return [
            .articleSignal(
                ArticleSignal(
                    user: job.user, url: url, signal: JSON.object(rating.json).compact, madeAt: job.createdAt))
        ]
    }

    private func rating(of text: InterpretedText, _ prompt: LoadedPrompt) -> PromptQuestion {
        let excerpt = Excerpt(of: text.text)
        var input: JSON = ["title": JSON(text.title), "source": JSON(text.source), "text": JSON(excerpt.text)]
        input["cut"] = excerpt.remark.map { JSON($0) }
        return PromptQuestion(
            step: "interpret", stage: "interpret", prompt: prompt, input: input, expectedCharacters: 800,
            userMessage: "We could not make sense of this text. Nothing was charged.")
    }

    /// `nil` when no explanation passed its checks: the rating is useful without one.
    private func explain(
        _ text: InterpretedText, for holdings: [String], _ prompt: LoadedPrompt, in context: JobContext
    ) async throws(AgentError) -> (JSON, CheckedAnswer)? {
        let article = ExplanationInput.Article(
            id: "a1", title: text.title, publisher: text.source, publishedAt: text.publishedAt, url: text.id,
            text: text.text)
        do throws(AgentError) {
            return try await Explainer(models: models).explain(
                ExplanationInput(title: nil, articles: [article], holdings: holdings), with: prompt, stage: "explain",
                in: context)
        } catch {
            guard case .failed(let failure) = error, failure.error.code == .generationFailed else { throw error }
            // The step records the calls that were paid for, and keeps a run after an interruption from asking again.
            let reason: JSON = ["reason": JSON(failure.error.message)]
            _ = try await context.journal.step("unexplained", input: ["url": JSON(text.id)]) {
                (reason, failure.effects)
            }
            return nil
        }
    }
}

/// The input of an `interpret` job.
enum InterpretSubject: Sendable, Hashable {
    case text(String)
    case url(String)

    init(_ input: JSONField) throws(JSONFieldError) { self.init(try input["textOrUrl"].string()) }

    /// One address and nothing else is an address; everything else is a text.
    init(_ given: String) {
        let words = given.split(whereSeparator: \.isWhitespace)
        if words.count == 1, let word = words.first {
            let lower = word.lowercased()
            if lower.hasPrefix("https://") || lower.hasPrefix("http://") {
                self = .url(String(word))
                return
            }
        }
        self = .text(given)
    }
}

/// A text to interpret, with its origin as far as it is known.
struct InterpretedText: Sendable, Hashable {
    private static let longestTitle = 140

    var id: String
    var title: String
    var source: String
    var publishedAt: String
    var text: String

    init(_ content: Content, at timestamp: Timestamp) {
        id = content.url
        title = Self.title(content.title ?? content.text)
        source = content.site ?? Self.host(of: content.url)
        publishedAt = content.publishedAt ?? timestamp.iso8601
        text = content.text
    }

    /// A text that a user typed or pasted; the same text has the same id.
    init(pasted text: String, at timestamp: Timestamp) {
        let number = UInt64(SHA256.hex(text).prefix(12), radix: 16) ?? 0
        id = "text://\(number % 10_000_000_000)"
        title = Self.title(text)
        source = "User Input"
        publishedAt = timestamp.iso8601
        self.text = text
    }

    /// The first line, cut between words.
    private static func title(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let line = lines.first { $0.contains { !$0.isWhitespace } } ?? ""
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let head = words.prefix(scalars: longestTitle)
        guard head.endIndex < words.endIndex else { return words }
        return String(head.lastIndex(of: " ").map { head[..<$0] } ?? head) + "…"
    }

    private static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        let name = host.split(separator: ":").first ?? host
        return String(name.hasPrefix("www.") ? name.dropFirst(4) : name)
    }
}

/// Whether a text deserves the attention of investors, in the form of the API's news documents.
///
/// The model rates the text; the verdict and the fields that depend on it are computed here, and suggested actions come
/// from a closed list.
struct InvestorRating: Sendable {
    /// A text that concerns investors is worth knowing from this importance on.
    static let threshold = Int64(SignalScore.threshold)

    /// Whether the verdict is `aware`, not `ignore`.
    let isWorthKnowing: Bool
    private let answer: JSON
    private let held: String?

    /// - Parameters:
    ///   - answer: The rating of the model, which knows of no reader.
    ///   - held: The reason to care that follows from the reader's holdings; `nil` when the text is about none of them.
    ///   - reportsEvent: Whether its title reports an event of a company or an economy, whatever the model says.
    init(_ answer: JSON, held: String? = nil, reportsEvent: Bool = false) {
        self.answer = answer
        self.held = held
        let isFinancial = answer["is_financial"] == true
        isWorthKnowing =
            held != nil && (isFinancial || reportsEvent)
            || isFinancial && (answer["importance_score"]?.integer ?? 0) >= Self.threshold
    }

    private var reasons: JSON {
        let written = answer["why"]?.array ?? []
        guard let held, isWorthKnowing else { return .array(written) }
        return .array([JSON(held)] + written.prefix(2))
    }

    var json: JSONObject {
        let type = isWorthKnowing ? answer["opportunity_type"]?.string ?? "none" : "none"
        let chosen = answer["action"]?.string.flatMap(SignalAction.init(rawValue:)) ?? .understand
        // A text worth knowing suggests at least a small action, any other text none.
        let action = isWorthKnowing ? (chosen == .nothing ? .keepInMind : chosen) : .nothing
        let importance = answer["importance_score"]?.integer ?? 0
        return [
            "verdict": isWorthKnowing ? "aware" : "ignore",
            "why": reasons,
            "action": JSON(action.rawValue),
            "horizon": isWorthKnowing ? JSON(answer["horizon"]?.string) : .null,
            "opportunity_type": JSON(type),
            "opportunity_note": JSON(type == "none" ? "" : answer["opportunity_note"]?.string ?? ""),
            "confidence": JSON(answer["confidence"]?.integer ?? 0),
            // A text that does not concern investors stays below the threshold, even if it is important otherwise.
            "importance_score": JSON(answer["is_financial"] == true ? importance : min(importance, Self.threshold - 1)),
        ]
    }
}
