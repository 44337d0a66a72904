internal import Articles
internal import JSON
internal import JobQueue
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
