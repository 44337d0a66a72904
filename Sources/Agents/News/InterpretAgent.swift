internal import Articles
internal import Basics
internal import JobQueue
internal import JSON
internal import News
internal import Observability
package import Prompts

/// Says of a text, or of what stands at an address, whether somebody who invests should know of it, and explains it
/// when they should.
package struct InterpretAgent: Agent {
    package let name = "interpret"

    /// What `jobs/interpret.yaml` must give.
    package static let requirements = BundleRules.Agent(
        prompts: ["interpret", "explain"], stages: ["read", "interpret", "explain", "store"])

    private let reading: ContentStep
    private let models: ModelCalls

    /// `reader` reads what users point at, `models` judges and writes.
    package init(reader: any ContentReader, models: ModelCalls) {
        reading = ContentStep(reader: reader)
        self.models = models
    }

    package func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let order = try InterpretInput(context)
        context.progress("read")
        let text = try await read(order.subject, in: context)
        context.progress("interpret")
        let judged = try await models.ask(judgement(of: text, order.interpret), in: context)
        let signal = Signal(judged.content)
        var answers = [judged]
        var explanation = JSON.null
        if signal.isWorthKnowing {
            context.progress("explain")
            if let (written, answer) = try await explain(text, with: order.explain, in: context) {
                explanation = written
                answers.append(answer)
            }
        }
        context.progress("store")
        var result: JSONObject = [
            "id": JSON(text.id), "url": JSON(text.id), "title": JSON(text.title), "source": JSON(text.source),
            "published_at": JSON(text.publishedAt),
        ]
        for (key, value) in signal.json { result[key] = value }
        let records = record(of: signal, order.subject, at: context.job.createdAt)
        result["explanation"] = explanation
        result["provenance"] = CheckedAnswer.provenance(of: answers, in: context)
        return AgentResult(.object(result), records: records)
    }

    private func read(
        _ subject: InterpretInput.Subject, in context: JobContext
    ) async throws(AgentError) -> InterpretedText {
        switch subject {
        case .text(let text): InterpretedText(pasted: text, at: context.job.createdAt)
        case .url(let url): InterpretedText(try await reading.read(url, in: context), at: context.job.createdAt)
        }
    }

    /// What everybody's feed may show of an article, kept under the address that was asked for: a page's own word for
    /// its address would let it speak of somebody else's article.
    private func record(
        of signal: Signal, _ subject: InterpretInput.Subject, at timestamp: Timestamp
    ) -> [RecordChange] {
        guard case .url(let given) = subject, let url = CanonicalURL.normalized(given),
            url.utf8.count <= ArticleSignal.longestURL
        else { return [] }
        return [
            .articleSignal(
                ArticleSignal(url: url, signal: JSON.object(signal.json).compact, madeAt: timestamp.milliseconds))
        ]
    }

    private func judgement(of text: InterpretedText, _ prompt: LoadedPrompt) -> CheckedQuestion {
        let excerpt = Excerpt(of: text.text)
        var input: JSON = ["title": JSON(text.title), "source": JSON(text.source), "text": JSON(excerpt.text)]
        input["cut"] = excerpt.remark.map { JSON($0) }
        return CheckedQuestion(
            step: "interpret", stage: "interpret", prompt: prompt, input: input, expectedCharacters: 800,
            userMessage: "We could not make sense of this text. Nothing was charged.")
    }

    /// `nil` when no explanation kept the rules: the signal is worth having without one.
    private func explain(
        _ text: InterpretedText, with prompt: LoadedPrompt, in context: JobContext
    ) async throws(AgentError) -> (JSON, CheckedAnswer)? {
        let article = ExplanationInput.Article(
            id: "a1", title: text.title, publisher: text.source, publishedAt: text.publishedAt, url: text.id,
            text: text.text)
        do throws(AgentError) {
            return try await Explainer(models: models).explain(
                ExplanationInput(title: nil, articles: [article]), with: prompt, stage: "explain", in: context)
        } catch {
            guard case .failed(let failure) = error, failure.error.code == "BIZ_2003" else { throw error }
            // What was paid for is on the books, and a run after an interruption does not ask again.
            let reason: JSON = ["reason": JSON(failure.error.message)]
            _ = try await context.journal.step("unexplained", input: ["url": JSON(text.id)]) {
                () async throws(AgentError) in
                (reason, failure.effects)
            }
            return nil
        }
    }
}

/// What an `interpret` job asks for: a text, or the address of one.
struct InterpretInput: Sendable {
    enum Subject: Sendable, Hashable {
        case text(String)
        case url(String)
    }

    let subject: Subject
    let interpret: LoadedPrompt
    let explain: LoadedPrompt

    init(_ context: JobContext) throws(AgentError) {
        let given: String
        do {
            given = try JSONField(context.job.input)["textOrUrl"].string()
        } catch {
            throw .failed(AgentFailure(.internalFailure("the job's input: \(error)"), isTransient: false))
        }
        subject = Self.subject(of: given)
        interpret = try context.prompt("interpret")
        explain = try context.prompt("explain")
    }

    /// One address and nothing else is an address; everything else is a text.
    static func subject(of given: String) -> Subject {
        let words = given.split(whereSeparator: \.isWhitespace)
        if words.count == 1, let word = words.first {
            let lower = word.lowercased()
            if lower.hasPrefix("https://") || lower.hasPrefix("http://") { return .url(String(word)) }
        }
        return .text(given)
    }
}

/// A text to interpret, with what is known of where it comes from.
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
        publishedAt = content.publishedAt ?? ISO8601.text(milliseconds: timestamp.milliseconds)
        text = content.text
    }

    /// A text that a user typed or pasted; the same text has the same id.
    init(pasted text: String, at timestamp: Timestamp) {
        let number = UInt64(SHA256.hex(text).prefix(12), radix: 16) ?? 0
        id = "text://\(number % 10_000_000_000)"
        title = Self.title(text)
        source = "User Input"
        publishedAt = ISO8601.text(milliseconds: timestamp.milliseconds)
        self.text = text
    }

    /// The first line, cut between words.
    private static func title(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let line = lines.first { $0.contains { !$0.isWhitespace } } ?? ""
        let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard words.count > longestTitle else { return words }
        let head = words.prefix(longestTitle)
        return String(head.lastIndex(of: " ").map { head[..<$0] } ?? head) + "…"
    }

    private static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let host = rest.prefix { !"/?#".contains($0) }.split(separator: "@").last ?? ""
        let name = host.split(separator: ":").first ?? host
        return String(name.hasPrefix("www.") ? name.dropFirst(4) : name)
    }
}

/// Whether a text is worth the attention of somebody who invests, as the news documents print it.
///
/// The model judges; the verdict and what goes with it are computed, and what it may suggest is a closed list.
struct Signal: Sendable {
    /// From this importance on, what concerns investors is worth knowing.
    static let threshold = Int64(SignalScore.threshold)

    /// Whether it is worth the reader's attention: `aware`, else `ignore`.
    let isWorthKnowing: Bool
    private let answer: JSON

    init(_ answer: JSON) {
        self.answer = answer
        isWorthKnowing = answer["is_financial"] == true && (answer["importance_score"]?.integer ?? 0) >= Self.threshold
    }

    var json: JSONObject {
        let type = isWorthKnowing ? answer["opportunity_type"]?.string ?? "none" : "none"
        let chosen = answer["action"]?.string.flatMap(SignalAction.init(rawValue:)) ?? .understand
        // What is worth knowing asks for a little, what is not for nothing.
        let action = isWorthKnowing ? (chosen == .nothing ? .understand : chosen) : .nothing
        let importance = answer["importance_score"]?.integer ?? 0
        return [
            "verdict": isWorthKnowing ? "aware" : "ignore",
            "why": answer["why"] ?? [],
            "action": JSON(action.rawValue),
            "horizon": isWorthKnowing ? JSON(answer["horizon"]?.string) : .null,
            "opportunity_type": JSON(type),
            "opportunity_note": JSON(type == "none" ? "" : answer["opportunity_note"]?.string ?? ""),
            "confidence": JSON(answer["confidence"]?.integer ?? 0),
            // What does not concern investors is of no importance here, however much it is elsewhere.
            "importance_score": JSON(answer["is_financial"] == true ? importance : min(importance, Self.threshold - 1)),
        ]
    }
}
