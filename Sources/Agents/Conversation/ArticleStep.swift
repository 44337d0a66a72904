internal import DataSources
internal import JSON
internal import JobQueue
public import Records

/// Finds an article that was taken in; `nil` when there is none of that id.
public typealias ArticleFinder = @Sendable (_ id: String) async throws(RecordsError) -> ReadableArticle?

/// The steps that read an article, once in the life of the job.
struct ArticleStep: Sendable {
    private static let patience: Duration = .seconds(8)

    let find: ArticleFinder
    let reader: any ContentReader

    /// The article with its main text where that can be read; else with what its source shows of it.
    func read(_ id: String, in context: JobContext) async throws(AgentError) -> ReadableArticle {
        let found = try await context.journal.step("article", input: ["id": JSON(id)]) { () async throws(AgentError) in
            do throws(RecordsError) {
                return (try await find(id)?.json ?? .null, [])
            } catch {
                throw AgentError(error)
            }
        }
        guard found.output != .null else { throw .noArticle }
        var article = try article(found)
        guard !article.isWhole, !article.url.isEmpty else { return article }
        let url = article.url
        let page = try await context.journal.step("read", input: ["url": JSON(url)]) { () async throws(AgentError) in
            // Not every page can be read; what the source shows of the article is at hand.
            let content = await readInTime(url)
            if content == nil, Task.isCancelled { throw .interrupted }
            return (content?.json ?? .null, [])
        }
        if let text = page.output["text"]?.string, text.count > article.text.count {
            article.text = text
            article.isWhole = true
        }
        return article
    }

    /// The page, unless that takes so long that nothing could be written about it in time.
    private func readInTime(_ url: String) async -> Content? {
        await withTaskGroup(of: Content?.self) { group in
            group.addTask { try? await reader.read(url) }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private func article(_ entry: Journal.Entry) throws(AgentError) -> ReadableArticle {
        do {
            return try ReadableArticle(JSONField(entry.output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("a journalled article cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }
}

extension AgentError {
    static let noArticle = AgentError.failed(
        AgentFailure(
            JobError(
                code: "BIZ_2005", message: "There is no article of this id.",
                userMessage: "This article is not here any more."), isTransient: false))
}
