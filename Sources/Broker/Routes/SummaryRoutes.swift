internal import DossierAPI
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `POST /api/v1/news/articles/{id}/summary`: an article in two or three paragraphs, made once for everybody, and the
/// article's own text where there is no model to write them.
struct SummaryRoutes: Sendable {
    static let kind = "summary"

    let waiting: AwaitedJobs
    let articles: KnownArticles
    let documents: any DocumentRepository
    let availability: ModelAvailability

    func summary(_ call: Call) async throws(APIError) -> Reply {
        let form = try form(of: call)
        let article = try await articles.find(try call.articleID())
        if let kept = try await kept(article.id, form) { return reply(article, form, kept, job: kept["job_id"]) }
        let input: JSON = ["article_id": JSON(article.id), "form_factor": JSON(form)]
        var options = Submitter.Options()
        options.uniqueKey = "summary/\(form)/\(article.id)"
        options.sharedKey = options.uniqueKey
        do {
            let (job, result) = try await waiting.result(of: Self.kind, input: input, options: options, call: call)
            availability.note(nil)
            return reply(article, form, result, job: JSON(job.id.description))
        } catch {
            availability.note(error)
            guard let reason = Self.fallbackReason(error) else { throw error }
            return original(article, form, reason, job: error.details?["job_id"])
        }
    }

    /// The body may be left out: then it is a phone.
    private func form(of call: Call) throws(APIError) -> String {
        guard !call.request.body.isEmpty else { return "phone" }
        let body = try call.body()
        try body.allowOnly(["form_factor"])
        do throws(JSONFieldError) {
            let form = try body["form_factor"].optional?.string() ?? "phone"
            guard ["phone", "watch"].contains(form) else {
                throw body["form_factor"].failure("must be phone or watch")
            }
            return form
        } catch {
            throw .invalid(error)
        }
    }

    private func kept(_ article: String, _ form: String) async throws(APIError) -> JSON? {
        do {
            let document = try await documents.document(CachedDocument.summaryKey(article: article, form: form))
            return document.flatMap { try? JSON(parsing: $0.text) }
        } catch {
            throw APIError(error)
        }
    }

    // MARK: Answers

    private func reply(_ article: ArticleLookup, _ form: String, _ summary: JSON, job: JSON?) -> Reply {
        Reply([
            "article_id": JSON(article.id), "form_factor": JSON(form), "summary": summary["summary"] ?? .null,
            "paragraphs": summary["paragraphs"] ?? [], "sentiment": summary["sentiment"] ?? .null, "source": "model",
            "fallback_reason": .null, "suggested_questions": questions(article), "job_id": job ?? .null,
        ])
    }

    private func original(_ article: ArticleLookup, _ form: String, _ reason: String, job: JSON?) -> Reply {
        let paragraphs = article.text.split(separator: "\n\n").map(String.init)
        return Reply([
            "article_id": JSON(article.id), "form_factor": JSON(form), "summary": JSON(article.text),
            "paragraphs": JSON(paragraphs), "sentiment": .null, "source": "original", "fallback_reason": JSON(reason),
            "suggested_questions": questions(article), "job_id": job ?? .null,
        ])
    }

    private func questions(_ article: ArticleLookup) -> JSON {
        JSON(QuickQuestions(title: article.title, text: article.text, tickers: article.tickers).all)
    }

    /// Why the original text stands in for a summary; `nil` when that would hide what is wrong.
    private static func fallbackReason(_ error: APIError) -> String? {
        switch error.code {
        case .claude, .gemini: "model_unavailable"
        case .deadlinePassed: "deadline"
        case .generationFailed: "no_usable_summary"
        case .spendLimitReached: "daily_limit"
        // What went wrong inside the job is in the logs; the reader has the article all the same.
        case .internal where error.details?["job_id"] != nil: "model_unavailable"
        default: nil
        }
    }
}
