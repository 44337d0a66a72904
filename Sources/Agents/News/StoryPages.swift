internal import Basics
internal import DataSources
internal import JobQueue
internal import JSON
internal import News

/// The step that reads the pages of a story's best articles, where their text is not stored yet.
///
/// A text that was read is kept with its article, for all who read it later. A page that cannot be read, or that its site
/// does not want to be read, is left alone for some hours, and costs nothing but itself: the explanation then rests on
/// the other articles and on the beginning that its source shows.
struct StoryPages: Sendable {
    /// Articles whose whole text an explanation rests on, where that many can be read.
    static let wanted = 3
    /// Pages that are tried for one explanation.
    private static let mostTries = 5
    private static let timeout: Duration = .seconds(8)
    /// Scalars of a text that are journalled: more than a model reads of one article.
    private static let longestExcerpt = 48_000 / wanted
    private static let longestText = 100_000

    let reader: any ContentReader
    let keep: ArticleKeeper
    let documents: any DocumentRepository
    let now: @Sendable () -> Timestamp

    /// The articles with the texts of their pages.
    func read(
        _ articles: [ExplanationInput.Article], in context: JobContext
    ) async throws(AgentError) -> [ExplanationInput.Article] {
        let stored = articles.count { $0.isWhole }
        let candidates = Self.ranked(articles)
        guard stored < Self.wanted, !candidates.isEmpty else { return articles }
        let input: JSON = ["articles": JSON(candidates.compactMap(\.record))]
        let entry = try await context.journal.step("pages", input: input) {
            try await read(candidates, wanted: Self.wanted - stored)
        }
        var texts: [String: String] = [:]
        for page in entry.output["read"]?.array ?? [] {
            guard let id = page["article"]?.string, let text = page["text"]?.string else { continue }
            texts[id] = text
        }
        return articles.map { article in
            guard let text = article.record.flatMap({ texts[$0] }), text.utf8.count > article.text.utf8.count else {
                return article
            }
            var article = article
            (article.text, article.isWhole) = (text, true)
            return article
        }
    }

    /// The articles whose pages are worth reading, the best first: the institution's own page, then the first report of
    /// each publisher. Pages of aggregators hold no article.
    static func ranked(_ articles: [ExplanationInput.Article]) -> [ExplanationInput.Article] {
        var publishers: Set<String> = []
        let readable = articles.filter { article in
            !article.isWhole && article.record != nil && !Publishers.isAggregator(article.publisher)
                && publishers.insert(article.publisher.lowercased()).inserted
        }
        return readable.filter { PrimarySources.contain($0.url) } + readable.filter { !PrimarySources.contain($0.url) }
    }

    private func read(
        _ candidates: [ExplanationInput.Article], wanted: Int
    ) async throws(AgentError) -> (output: JSON, effects: [Effect]) {
        let refused = try await AgentError.mapping {
            Set(
                try await documents.documents(candidates.compactMap(Self.key)).filter { $0.keptUntil > now() }.map(
                    \.key))
        }
        var left = candidates.filter { Self.key($0).map { !refused.contains($0) } ?? false }.prefix(Self.mostTries)
        var pages: [JSON] = []
        var failed: [JSON] = []
        var effects: [Effect] = []
        while pages.count < wanted, !left.isEmpty {
            let batch = left.prefix(wanted - pages.count)
            left = left.dropFirst(batch.count)
            for (article, outcome) in await read(Array(batch)) {
                guard let id = article.record else { continue }
                switch outcome {
                case .success(let content):
                    let text = String(content.text.filter { $0 != "\0" }.prefix(scalars: Self.longestText))
                    pages.append([
                        "article": JSON(id), "text": JSON(Excerpt(of: text, limit: Self.longestExcerpt).text),
                    ])
                    // Without the record the next explanation reads the page again, which is no harm.
                    if let record = (try? await keep(id, text)) ?? nil { effects.append(.record(record)) }
                case .failure(let error):
                    failed.append(["article": JSON(id), "problem": JSON(error.description)])
                    effects += refusal(of: article, error).map { [.record(.document($0))] } ?? []
                }
            }
            if Task.isCancelled { throw .interrupted }
        }
        return (["read": .array(pages), "failed": .array(failed)], effects)
    }

    /// The pages, at the same time; one that takes longer than its time has failed.
    private func read(
        _ articles: [ExplanationInput.Article]
    ) async -> [(article: ExplanationInput.Article, outcome: Result<Content, FetchError>)] {
        await withTaskGroup(of: (Int, Result<Content, FetchError>).self) { group in
            for (place, article) in articles.enumerated() {
                group.addTask { (place, await read(article.url)) }
            }
            var outcomes: [Int: Result<Content, FetchError>] = [:]
            for await (place, outcome) in group { outcomes[place] = outcome }
            return articles.enumerated().map { ($1, outcomes[$0] ?? .failure(.cancelled)) }
        }
    }

    private func read(_ url: String) async -> Result<Content, FetchError> {
        await withTaskGroup(of: Result<Content, FetchError>.self) { group in
            group.addTask {
                do throws(FetchError) {
                    return .success(try await reader.read(url))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(for: Self.timeout)
                return .failure(.timedOut)
            }
            let first = await group.next() ?? .failure(.cancelled)
            group.cancelAll()
            return first
        }
    }

    // MARK: Pages that are left alone

    private static func key(_ article: ExplanationInput.Article) -> String? {
        article.record.map { "unread-page:\($0)" }
    }

    /// Keeps a page from being asked for again: for six hours, or for one where it may soon be there.
    private func refusal(of article: ExplanationInput.Article, _ error: FetchError) -> CachedDocument? {
        guard error != .cancelled, let key = Self.key(article) else { return nil }
        let time = now()
        return CachedDocument(
            key: key, text: JSON(error.description).compact, storedAt: time,
            keptUntil: time + .seconds(error.isTransient ? 3600 : 6 * 3600))
    }
}
