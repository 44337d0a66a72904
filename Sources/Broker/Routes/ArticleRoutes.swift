internal import Basics
internal import DataSources
internal import DossierAPI
internal import HTTPServer
internal import JobQueue
internal import JSON
internal import Prompts

/// `/api/v1/news`: headlines, single articles and the search in them.
struct ArticleRoutes: Sendable {
    private static let maxWords = 10

    let headlines: HeadlineReader
    let articles: ArticleLookup
    let index: any ArticleSearchRepository
    let availability: ModelAvailability
    let workers: WorkerMonitor
    let readers: Readers
    let now: @Sendable () -> Timestamp

    /// `GET /top-headlines?category=&country=&page=&page_size=`
    func topHeadlines(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard context.query("country")?.lowercased() ?? "us" == "us" else {
            throw .invalid("country", "must be us: the source has headlines of no other country")
        }
        let page = try Page(context, sizeName: "page_size")
        let found = try await headlines.page(of: try category(context), offset: page.offset, count: page.size)
        return APIResponse(
            .array(found.articles.map { .object($0.json) }), pagination: page.json(total: found.total),
            cacheHit: found.isHit)
    }

    /// `GET /articles/{id}`
    func article(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let language = try await readers.language(context)
        return APIResponse(try await articles.find(try context.articleID()).detail(for: language))
    }

    /// `GET /search?q=&category=&page=&page_size=`
    func search(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let page = try Page(context, sizeName: "page_size")
        let category = try category(context)
        let words = (context.query("q") ?? "").lowercased().split { !($0.isLetter || $0.isNumber) }.map(
            String.init)
        guard !words.isEmpty else { throw .invalid("q", "must hold at least one word") }
        guard words.count <= Self.maxWords else {
            throw .invalid("q", "must hold at most \(Self.maxWords) words")
        }
        do {
            // Headlines of today's lists come first, unless the store has them already.
            let listed = headlines.cached.filter { headline in
                (category == nil || headline.category == category?.rawValue) && headline.contains(words)
            }
            let known = Set(try await articles.records.articles(ids: listed.map(\.id)).map(\.id))
            let fresh = listed.filter { !known.contains($0.id) }
            let shown = fresh.dropFirst(page.offset).prefix(page.size).map { ArticleResource($0) }
            let stored = try await index.articles(
                holding: words, category: category?.rawValue, offset: max(0, page.offset - fresh.count),
                limit: page.size - shown.count)
            let total = try await index.articleCount(holding: words, category: category?.rawValue)
            return APIResponse(
                .array((shown + stored.map { ArticleResource($0) }).map { .object($0.json) }),
                pagination: page.json(total: total + fresh.count))
        } catch {
            throw APIError(error)
        }
    }

    /// `GET /availability`: whether summaries and chat are likely to work now.
    func availability(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let isWorkerAlive = ((try? await workers.alive()) ?? 0) > 0
        let problem = isWorkerAlive ? availability.problem : "no_worker"
        let isAvailable = problem == nil
        return APIResponse([
            "available": .bool(isAvailable), "summary": .bool(isAvailable), "chat": .bool(isAvailable),
            "reason": JSON(problem), "checked_at": JSON(now().iso8601),
        ])
    }

    private func category(_ context: RequestContext) throws(APIError) -> NewsAPIClient.Category? {
        guard let word = context.query("category") else { return nil }
        guard let category = NewsAPIClient.Category(rawValue: word.lowercased()) else {
            let all = NewsAPIClient.Category.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("category", "must be one of \(all)")
        }
        return category
    }
}

extension Headline {
    /// Whether each of the words begins a word of the headline.
    fileprivate func contains(_ words: [String]) -> Bool {
        let own = [title, description ?? "", excerpt ?? ""].joined(separator: " ").lowercased()
            .split { !($0.isLetter || $0.isNumber) }
        return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
    }
}

/// `POST /api/v1/news/articles/{id}/summary`: an article in two or three paragraphs, made once for all users; the
/// article's own text when no model can write them. A summary that failed is not tried again for ten minutes.
struct SummaryRoutes: Sendable {
    static let kind = "summary"
    private static let pauseAfterFailure: Duration = .seconds(600)

    let jobs: JobService
    let articles: ArticleLookup
    let documents: any DocumentRepository
    let availability: ModelAvailability
    let allowance: SharedWorkAllowance
    let readers: Readers
    let now: @Sendable () -> Timestamp

    func summary(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let (form, asked) = try form(of: context)
        var language = asked
        if language == nil { language = try await readers.language(context) }
        let article = try await articles.find(try context.articleID())
        switch try await earlier(article.id, form, language) {
        case .summary(let stored): return response(article, form, stored, language, job: stored["job_id"])
        case .failure(let reason): return original(article, form, reason, language, job: nil)
        case nil: break
        }
        var input: JSON = ["article_id": JSON(article.id), "form_factor": JSON(form)]
        let key = "summary/\(form)/\(article.id)"
        if let language { input["language"] = JSON(language.rawValue) }
        guard try await isAllowed(key + (language.map { "/\($0.rawValue)" } ?? ""), of: context.user) else {
            return original(article, form, "daily_limit", language, job: nil)
        }
        // The submit adds the language.
        var options = Submitter.Options()
        options.uniqueKey = key
        options.sharedKey = key
        options.titles = [.articleTitle: article.title]
        do {
            let done = try await jobs.result(of: Self.kind, input: input, options: options, context: context)
            availability.record(nil)
            return response(article, form, done.result, language, job: JSON(done.job.id.description))
        } catch {
            availability.record(error)
            guard let reason = Self.fallbackReason(error) else { throw error }
            if reason != "daily_limit" { await keepFailure(article.id, form, language, reason) }
            return original(article, form, reason, language, job: error.details?["job_id"])
        }
    }

    /// Without a body the form is `phone`, and the language the reader's.
    private func form(of context: RequestContext) throws(APIError) -> (String, Language?) {
        guard !context.request.body.isEmpty else { return ("phone", nil) }
        let body = try context.body()
        try body.allowOnly(["form_factor", "language"])
        let language = try PreferencesRequest.language(body).flatMap { Language(rawValue: $0) }
        do throws(JSONFieldError) {
            let form = try body["form_factor"].optional?.string() ?? "phone"
            guard ["phone", "watch"].contains(form) else {
                throw body["form_factor"].failure("must be phone or watch")
            }
            return (form, language)
        } catch {
            throw .invalid(error)
        }
    }

    /// The outcome of an earlier request.
    private enum Earlier {
        case summary(JSON)
        /// The reason of a failure that happened a short time ago.
        case failure(String)
    }

    private func earlier(_ article: String, _ form: String, _ language: Language?) async throws(APIError) -> Earlier? {
        let (key, failureKey) = (
            CachedDocument.summaryKey(article: article, form: form, language: language),
            Self.failureKey(article, form, language)
        )
        let found: [CachedDocument]
        do {
            found = try await documents.documents([key, failureKey])
        } catch {
            throw APIError(error)
        }
        if let kept = found.first(where: { $0.key == key }), let summary = try? JSON(parsing: kept.text) {
            return .summary(summary)
        }
        let failure = found.first { $0.key == failureKey && $0.keptUntil > now() }
        return failure.map { .failure($0.text) }
    }

    // MARK: Failures

    private static func failureKey(_ article: String, _ form: String, _ language: Language?) -> String {
        "summary-failed:\(form):\(article)" + (language.map { ":\($0.rawValue)" } ?? "")
    }

    /// Remembers a failure for all brokers. Without it the next request tries again, which is no harm.
    private func keepFailure(
        _ article: String, _ form: String, _ language: Language?, _ reason: String
    ) async {
        let timestamp = now()
        try? await documents.store(
            CachedDocument(
                key: Self.failureKey(article, form, language), text: reason, storedAt: timestamp,
                keptUntil: timestamp + Self.pauseAfterFailure))
    }

    private func isAllowed(_ key: String, of user: UserID) async throws(APIError) -> Bool {
        do {
            return try await allowance.counted([key], of: user).contains(key)
        } catch {
            throw APIError(error)
        }
    }

    // MARK: Responses

    private func response(
        _ article: ArticleResource, _ form: String, _ summary: JSON, _ reader: Language?, job: JSON?
    ) -> APIResponse {
        APIResponse([
            "article_id": JSON(article.id), "form_factor": JSON(form), "summary": summary["summary"] ?? .null,
            "paragraphs": summary["paragraphs"] ?? [], "sentiment": summary["sentiment"] ?? .null, "source": "model",
            "fallback_reason": .null, "language": summary["language"] ?? .null,
            "for_subscribers": summary["for_subscribers"] ?? false,
            "suggested_questions": article.suggestedQuestions(for: reader), "job_id": job ?? .null,
        ])
    }

    private func original(
        _ article: ArticleResource, _ form: String, _ reason: String, _ reader: Language?, job: JSON?
    ) -> APIResponse {
        let paragraphs = article.text.split(separator: "\n\n").map(String.init)
        return APIResponse([
            "article_id": JSON(article.id), "form_factor": JSON(form), "summary": JSON(article.text),
            "paragraphs": JSON(paragraphs), "sentiment": .null, "source": "original", "fallback_reason": JSON(reason),
            "language": .null, "for_subscribers": false,
            "suggested_questions": article.suggestedQuestions(for: reader), "job_id": job ?? .null,
        ])
    }

    /// The reason that the original text replaces a summary; `nil` when that would hide an error.
    private static func fallbackReason(_ error: APIError) -> String? {
        switch error.code {
        case .claude, .gemini: "model_unavailable"
        case .deadlinePassed: "deadline"
        case .generationFailed: "no_usable_summary"
        case .spendLimitReached, .serviceSpendLimitReached: "daily_limit"
        // The logs have the cause; the reader still gets the article.
        case .internal where error.details?["job_id"] != nil: "model_unavailable"
        default: nil
        }
    }
}
