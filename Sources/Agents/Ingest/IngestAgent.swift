internal import DataSources
internal import JobQueue
internal import JSON
package import LanguageModels
internal import Prompts

/// A source of news that could not be read.
package struct SourceFailure: Sendable, Equatable {
    package var source: String
    package var problem: String
    /// The failures of the source until now, this one included.
    package var inARow: Int
}

/// Fetches the articles that news sources list, and groups the day's articles into stories.
///
/// Each source is a step: its articles and the state of its list are stored together. A source that fails is noted and
/// delays no other. Stories are made of the stored articles alone, so the next run makes up for an interrupted one.
struct IngestAgent: Agent {
    /// The largest number of records that one step stores.
    private static let recordsAtOnce = 200
    /// The largest number of old articles and stories that one run deletes.
    private static let deletedAtOnce = 5000

    private let fetcher: NewsFetcher
    private let store: any NewsRepository & PreferencesRepository & DocumentRepository
    private let embedder: ArticleEmbedder?
    private let onFailure: @Sendable (SourceFailure) -> Void
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - fetcher: Asks the sources.
    ///   - store: The articles and stories, and the holdings of users.
    ///   - embedder: Makes vectors of articles; without it, or when it fails, words alone decide.
    ///   - onFailure: Is told of each source that could not be read: the job goes on without it.
    ///   - now: The time.
    init(
        fetcher: NewsFetcher, store: any NewsRepository & PreferencesRepository & DocumentRepository,
        embedder: ArticleEmbedder?, onFailure: @escaping @Sendable (SourceFailure) -> Void = { _ in },
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.fetcher = fetcher
        self.store = store
        self.embedder = embedder
        self.onFailure = onFailure
        self.now = now
    }

    func run(_ context: JobContext) async throws(AgentError) -> AgentResult {
        let settings = IngestSettings(context.kind.settings, input: context.job.input)
        let (day, asOf) = settings.calendar(at: now())
        context.progress("read")
        let held = try await AgentError.mapping {
            settings.heldTickers > 0 ? try await store.heldTickers(limit: settings.heldTickers) : []
        }
        let sources = NewsSource.all(settings, held: held)
        let reports = try await take(sources, settings, day: day, asOf: asOf, in: context)
        let grouped = try await group(day, in: context)
        let old = NewsRetention(
            arrivedBefore: asOf - settings.kept, storiesBefore: String.day(of: asOf - settings.kept),
            limit: Self.deletedAtOnce)
        return AgentResult(
            report(day, reports, grouped), records: settings.day == nil ? [.newsRetention(old)] : [])
    }

    // MARK: Articles

    private func take(
        _ sources: [NewsSource], _ settings: IngestSettings, day: String, asOf: Timestamp, in context: JobContext
    ) async throws(AgentError) -> [JSON] {
        let (states, start) = try await AgentError.mapping {
            let states = Dictionary(
                try await store.newsSources(sources.map(\.name)).map { ($0.source, $0) }
            ) { first, _ in first }
            let arrivals = try await store.arrivals(on: day)
            let marks = try await store.fingerprints(since: asOf - settings.storyAge)
            let intake = ArticleIntake(
                settings, day: day, asOf: asOf, marks: marks, arrivals: arrivals,
                lastArrival: arrivals.last?.fetchedAt)
            return (states, intake)
        }
        let answers = await fetcher.ask(sources, states: states)
        if Task.isCancelled { throw .interrupted }
        var intake = start
        var reports: [JSON] = []
        for (place, source) in sources.enumerated() {
            context.progress("take", fraction: Double(place) / Double(sources.count))
            let input: JSON = ["source": JSON(source.name), "day": JSON(day)]
            let answer = answers[source] ?? .failed("not asked")
            // Before the step, since later sources need the changed intake. The output of an earlier run's step wins.
            let (report, effects, next) = try await taken(answer, of: source, states[source.name], intake)
            intake = next
            // The source's state is stored with the last part, so that its list is read again unless all is stored.
            let parts = max(0, effects.count - 1) / Self.recordsAtOnce
            for part in 0..<parts {
                let records = Array(effects[(part * Self.recordsAtOnce)..<((part + 1) * Self.recordsAtOnce)])
                let ids = records.compactMap { effect -> String? in
                    if case .record(let change) = effect { change.record.naturalKey } else { nil }
                }
                let stored: JSON = ["source": JSON(source.name), "records": JSON(ids)]
                _ = try await context.journal.step("take-part", input: stored) {
                    (["part": JSON(part)], records)
                }
            }
            let last = Array(effects.dropFirst(parts * Self.recordsAtOnce))
            let entry = try await context.journal.step("take", input: input) { (report, last) }
            reports.append(entry.output)
        }
        return reports
    }

    /// Evaluates a source's answer: the report on it, the records to store, and the intake for the next source.
    private func taken(
        _ answer: NewsFetcher.Answer, of source: NewsSource, _ state: NewsSourceState?, _ intake: ArticleIntake
    ) async throws(AgentError) -> (report: JSON, effects: [Effect], intake: ArticleIntake) {
        var intake = intake
        var report: JSON = ["source": JSON(source.name)]
        var next = state ?? NewsSourceState(source: source.name, askedAt: now())
        next.askedAt = now()
        var effects: [Effect] = []
        switch answer {
        case .noKey(let variable):
            report["status"] = "skipped"
            report["problem"] = JSON("\(variable) is not set")
            return (report, [], intake)
        case .failed(let problem):
            report["status"] = "failed"
            report["problem"] = JSON(problem)
            next.failures += 1
            next.problem = problem
            onFailure(SourceFailure(source: source.name, problem: problem, inARow: next.failures))
        case .unchanged:
            report["status"] = "unchanged"
            (next.failures, next.problem) = (0, nil)
        case .listed(let found, let feedState):
            let known = try await AgentError.mapping {
                Dictionary(try await store.articles(ids: found.map(\.id)).map { ($0.id, $0) }) { first, _ in first }
            }
            let read = await withPages(try await withKeptTexts(found, known), known, of: source)
            let (articles, counts) = intake.take(read, known: known, at: now())
            effects = articles.map { .record(.article($0)) }
            (next.etag, next.lastModified) = (feedState.etag, feedState.lastModified)
            (next.failures, next.problem) = (0, nil)
            report["status"] = "read"
            report["found"] = JSON(counts.found)
            report["new"] = JSON(counts.new)
            report["known"] = JSON(counts.known)
            report["duplicates"] = JSON(counts.duplicates)
            report["outside"] = JSON(counts.outside)
        }
        return (report, effects + [.record(.newsSource(next))], intake)
    }

    /// The articles with the texts that were read for them while only a list of headlines had them.
    private func withKeptTexts(
        _ found: [FoundArticle], _ known: [String: NewsArticle]
    ) async throws(AgentError) -> [FoundArticle] {
        let wanted = found.filter { known[$0.id]?.text == nil }.map { Headline.documentKey($0.id) }
        guard !wanted.isEmpty else { return found }
        let documents = try await AgentError.mapping { try await store.documents(wanted) }
        let headlines = documents.compactMap { document in
            (try? JSON(parsing: document.text)).flatMap { try? Headline(JSONField($0)) }
        }
        let kept = Dictionary(headlines.map { ($0.id, $0) }) { first, _ in first }
        return found.map { article in
            var article = article
            if let headline = kept[article.id] { article.take(kept: headline) }
            return article
        }
    }

    private func withPages(
        _ found: [FoundArticle], _ known: [String: NewsArticle], of source: NewsSource
    ) async -> [FoundArticle] {
        guard source.pages > 0 else { return found }
        let new = await fetcher.withPages(found.filter { known[$0.id] == nil }, limit: source.pages)
        return found.filter { known[$0.id] != nil } + new
    }

    // MARK: Stories

    /// Counts of the day's stories and articles.
    private struct Grouped {
        var articles = 0
        var stories = 0
        var touched = 0
        var merged = 0
        var embedded = 0
        var problem: String?
    }

    private func group(_ day: String, in context: JobContext) async throws(AgentError) -> Grouped {
        var grouped = Grouped()
        let (arrivals, stored) = try await AgentError.mapping {
            (try await store.arrivals(on: day), try await store.stories(on: day))
        }
        let members = Set(stored.flatMap { $0.members.map(\.article) })
        let new = arrivals.filter { !members.contains($0.id) }
        grouped.articles = arrivals.count
        grouped.stories = stored.count
        guard !new.isEmpty else { return grouped }
        context.progress("embed")
        (grouped.embedded, grouped.problem) = try await embed(new, in: context)
        context.progress("group")
        let vectors = try await AgentError.mapping { try await store.articleVectors(ids: arrivals.map(\.id)) }
        let grouping = DayGrouping(day: day, arrivals: arrivals, vectors: vectors, stored: stored)
        grouped.stories = grouping.total
        grouped.touched = grouping.changed.count
        grouped.merged = grouping.merged
        for start in stride(from: 0, to: grouping.changed.count, by: Self.recordsAtOnce) {
            let stories = grouping.changed[start..<min(start + Self.recordsAtOnce, grouping.changed.count)]
            let input: JSON = [
                "day": JSON(day),
                "stories": JSON(stories.map { "\($0.key) \($0.members.count) \($0.updatedAt.milliseconds)" }),
            ]
            _ = try await context.journal.step("group", input: input) {
                (["stories": JSON(stories.count)], stories.map { .record(.story($0)) })
            }
        }
        return grouped
    }

    /// Makes vectors of articles that are in no story yet. A failure is reported and stops nothing: words decide then.
    private func embed(
        _ articles: [NewsArticle], in context: JobContext
    ) async throws(AgentError) -> (count: Int, problem: String?) {
        guard let embedder else { return (0, nil) }
        var count = 0
        for start in stride(from: 0, to: articles.count, by: embedder.articlesAtOnce) {
            let part = articles[start..<min(start + embedder.articlesAtOnce, articles.count)]
            let entry = try await context.journal.step("embed", input: ["articles": JSON(part.map(\.id))]) {
                await embedder.vectors(of: Array(part), in: context)
            }
            count += Int(entry.output["vectors"]?.integer ?? 0)
            if let problem = entry.output["problem"]?.string { return (count, problem) }
        }
        return (count, nil)
    }

    // MARK: Result

    private func report(_ day: String, _ sources: [JSON], _ grouped: Grouped) -> JSON {
        func sum(_ name: String) -> JSON { JSON(sources.reduce(0) { $0 + ($1[name]?.integer ?? 0) }) }
        var stories: JSON = [
            "articles": JSON(grouped.articles), "stories": JSON(grouped.stories), "touched": JSON(grouped.touched),
            "merged": JSON(grouped.merged), "embedded": JSON(grouped.embedded),
        ]
        if let problem = grouped.problem { stories["embedding_problem"] = JSON(problem) }
        return [
            "date": JSON(day), "found": sum("found"), "new": sum("new"), "known": sum("known"),
            "duplicates": sum("duplicates"), "outside": sum("outside"),
            "failed": JSON(sources.count { $0["status"]?.string == "failed" }), "day": stories,
            "sources": .array(sources),
        ]
    }
}

/// Makes vectors of articles by a model of a provider.
package struct ArticleEmbedder: Sendable {
    private let model: EmbeddingModel
    private let books: CallBooks

    package init(_ model: EmbeddingModel, books: CallBooks = .none) {
        self.model = model
        self.books = books
    }

    /// The number of articles in one call.
    var articlesAtOnce: Int { EmbeddingModel.textsAtOnce }

    /// The vectors of articles, and the cost of the call. The output of a failed call has the reason.
    func vectors(of articles: [NewsArticle], in context: JobContext) async -> (output: JSON, effects: [Effect]) {
        let calls = books.book(for: "embed", of: context)
        let texts = articles.map {
            EmbeddingText([$0.title, $0.description].compactMap(\.self).joined(separator: "\n"), for: .clustering)
        }
        do throws(ModelError) {
            let answer = try await model.vectors(of: texts, booked: calls)
            let vectors: [Effect] = zip(articles, answer.vectors).map { article, values in
                .record(
                    .articleVector(ArticleVector(article: article.id, model: model.description.id, values: values)))
            }
            return (["vectors": JSON(articles.count)], vectors + calls.takeEffects())
        } catch {
            return (["vectors": 0, "problem": JSON(error.description)], calls.takeEffects())
        }
    }
}
