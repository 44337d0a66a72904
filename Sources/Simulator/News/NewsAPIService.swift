internal import Articles
internal import HTTP
internal import HTTPServer
internal import JSON

/// NewsAPI with the articles of the news day.
struct NewsAPIService: Sendable {
    /// - Throws: NewsAPI's error, as an answer.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let key =
            request.request.headers["x-api-key"] ?? request.request.headers["authorization"]
            ?? request.request.query("apiKey")
        guard let key, !key.isEmpty else {
            throw Refusal(answer: Self.error(401, "apiKeyMissing", "Your API key is missing."))
        }
        let found: [SimulatedStory]
        switch request.path {
        case "/v2/top-headlines": found = try topHeadlines(request)
        case "/v2/everything": found = try everything(request)
        default: throw Refusal(answer: Self.error(404, "notFound", "There is no such endpoint."))
        }
        let size = try number(
            "pageSize", of: request, in: 1...100, default: request.path.hasSuffix("everything") ? 100 : 20)
        let page = try number("page", of: request, in: 1...1000, default: 1)
        let shown = found.dropFirst((page - 1) * size).prefix(size)
        let base = NewsSite.base(of: request)
        return Answer(json: [
            "status": "ok", "totalResults": JSON(found.count),
            "articles": .array(shown.map { Self.json($0, base, request.context.now) }),
        ])
    }

    func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status): Self.error(status == 529 ? 500 : status, "unexpectedError", "Simulated failure.")
        case .rateLimit: Self.error(429, "rateLimited", "You have made too many requests recently.")
        }
    }

    private func topHeadlines(_ request: ServiceRequest) throws(Refusal) -> [SimulatedStory] {
        let category = request.request.query("category")
        let query = request.request.query("q")
        guard
            category != nil || query != nil || request.request.query("country") != nil
                || request.request.query("sources") != nil
        else {
            throw Refusal(answer: Self.error(400, "parametersMissing", "Required parameters are missing."))
        }
        return SimulatedStory.all.filter { story in
            (category == nil || story.category == category) && query.map(story.concerns) != false
        }
    }

    private func everything(_ request: ServiceRequest) throws(Refusal) -> [SimulatedStory] {
        let query = request.request.query("q")
        guard query != nil || request.request.query("sources") != nil || request.request.query("domains") != nil else {
            throw Refusal(answer: Self.error(400, "parametersMissing", "Required parameters are missing."))
        }
        return SimulatedStory.all.filter { query.map($0.concerns) != false }.sorted { $0.minutesAgo < $1.minutesAgo }
    }

    private func number(
        _ name: String, of request: ServiceRequest, in range: ClosedRange<Int>, default fallback: Int
    ) throws(Refusal) -> Int {
        guard let text = request.request.query(name) else { return fallback }
        guard let value = Int(text), range.contains(value) else {
            throw Refusal(answer: Self.error(400, "parameterInvalid", "The parameter \(name) is not valid."))
        }
        return value
    }

    private static func json(_ story: SimulatedStory, _ base: String, _ now: Int64) -> JSON {
        let text = story.paragraphs.joined(separator: " ")
        let rest = max(text.count - 200, 0)
        return [
            "source": ["id": .null, "name": JSON(story.publication)], "author": JSON(story.author),
            "title": JSON(story.title), "description": JSON(story.summary), "url": JSON(story.url(at: base)),
            "urlToImage": .null,
            "publishedAt": JSON(PublishedDate(secondsSinceEpoch: story.published(now: now)).description),
            "content": JSON(rest > 0 ? text.prefix(200) + "… [+\(rest) chars]" : text),
        ]
    }

    private static func error(_ status: Int, _ code: String, _ message: String) -> Answer {
        Answer(status: status, json: ["status": "error", "code": JSON(code), "message": JSON(message)])
    }
}
