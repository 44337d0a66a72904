internal import JSON
internal import JobQueue
internal import Observability

/// The step that finds out what a story is to be explained from, once in the life of the job.
struct StoryStep: Sendable {
    /// What was found.
    struct Found: Sendable {
        var key: ExplanationKey
        /// The number of the group in which everybody sees the story; `nil` where that is not known.
        var group: Int64?
        var order: ExplanationInput
        /// Milliseconds since 1970.
        var readAt: Int64
        /// What was made before for the same key: nothing is left to do then.
        var made: (explanation: JSON, provenance: JSON)?
    }

    let stories: any StoryReader
    let explanations: any ExplanationRepository
    let now: @Sendable () -> Int64

    func read(group: Int64, holdings: [String], in context: JobContext) async throws(AgentError) -> Found {
        let input: JSON = ["story_id": JSON(group), "holdings": JSON(holdings)]
        let entry = try await context.journal.step("story", input: input) { () async throws(AgentError) in
            do throws(StoreError) {
                return (try await find(group, holdings), [])
            } catch {
                throw AgentError(error)
            }
        }
        guard entry.output != .null else { throw .noStory }
        do {
            return try Self.found(JSONField(entry.output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled story cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }

    private func find(_ group: Int64, _ holdings: [String]) async throws(StoreError) -> JSON {
        guard let material = try await stories.material(ofGroup: group) else { return .null }
        let key = material.key(for: holdings)
        let made = try await explanations.explanation(key)
        let articles = made == nil ? try await stories.articles(of: material) : []
        if made == nil, articles.isEmpty { return .null }
        return [
            "story": JSON(key.story), "group": JSON(material.group), "version": JSON(key.version),
            "holdings": JSON(key.holdings),
            "title": JSON(material.title.withoutNUL), "read_at": JSON(now()),
            "made": made.map { ["explanation": JSON($0.body), "provenance": JSON($0.provenance)] } ?? .null,
            "articles": .array(articles.map(\.json)),
        ]
    }

    private static func found(_ field: JSONField) throws(JSONFieldError) -> Found {
        let key = ExplanationKey(
            story: try field["story"].string(), version: try field["version"].string(),
            holdings: try field["holdings"].strings())
        var articles: [ExplanationInput.Article] = []
        for article in try field["articles"].array() {
            articles.append(try ExplanationInput.Article(article, number: articles.count + 1))
        }
        let order = ExplanationInput(
            title: try field["title"].string(), articles: articles, holdings: key.holdings)
        var found = Found(
            key: key, group: try field["group"].optional?.integer(), order: order,
            readAt: try field["read_at"].integer())
        if let made = field["made"].optional {
            let explanation = try? JSON(parsing: try made["explanation"].string())
            let provenance = try? JSON(parsing: try made["provenance"].string())
            if let explanation { found.made = (explanation, provenance ?? .null) }
        }
        return found
    }
}

extension ArticleMaterial {
    /// In the shape of an article in a job's input.
    fileprivate var json: JSON {
        [
            "title": JSON(title.withoutNUL), "source": JSON(publisher.withoutNUL), "url": JSON(url.withoutNUL),
            "published_at": JSON(ISO8601.text(milliseconds: publishedAt)), "text": JSON(text.withoutNUL),
        ]
    }
}

extension String {
    /// No store keeps a NUL, and pages hold what they like.
    fileprivate var withoutNUL: String { filter { $0 != "\0" } }
}

extension AgentError {
    fileprivate static let noStory = AgentError.failed(
        AgentFailure(
            JobError(
                code: "BIZ_2005", message: "There is no story of this id, or none of its articles is left.",
                userMessage: "This story is not here any more. Nothing was charged."), isTransient: false))
}
