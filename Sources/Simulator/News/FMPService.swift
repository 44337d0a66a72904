internal import Articles
internal import HTTP
internal import HTTPServer
internal import JSON

/// Financial Modeling Prep's news, prices, profiles and ratios of stocks. Every other endpoint has no records.
struct FMPService: Sendable {
    /// - Throws: the source's error, as an answer.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        guard request.request.query("apikey")?.isEmpty == false || request.request.headers["apikey"] != nil else {
            throw Refusal(answer: Answer(status: 401, json: ["Error Message": "Invalid API KEY."]))
        }
        guard request.path == "/stable/news/stock" else {
            let symbol = (request.request.query("symbol") ?? "").uppercased()
            let endpoint = String(request.path.dropFirst("/stable/".count))
            return Answer(
                json: .array(FMPMarket.records(endpoint, symbol: symbol, now: request.context.now) ?? []))
        }
        let symbols = (request.request.query("symbols") ?? "").uppercased().split(separator: ",").map(String.init)
        let page = max(request.request.query("page").flatMap { Int($0) } ?? 0, 0)
        let limit = min(max(request.request.query("limit").flatMap { Int($0) } ?? 20, 1), 250)
        let base = NewsSite.base(of: request)
        let found = NewsDay.stories.sorted { $0.minutesAgo < $1.minutesAgo }.flatMap { story in
            story.tickers.filter { symbols.contains($0) }.map { (story, $0) }
        }
        let now = request.context.now
        // Beyond the last page there is nothing, however large the number is.
        let start = page.multipliedReportingOverflow(by: limit)
        let records = start.overflow ? [] : Array(found.dropFirst(start.partialValue).prefix(limit))
        return Answer(json: .array(records.map { Self.json($0.0, ticker: $0.1, base, now) }))
    }

    func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status):
            Answer(status: status == 529 ? 503 : status, json: ["Error Message": "Simulated failure."])
        case .rateLimit: Answer(status: 429, json: ["Error Message": "Limit Reach . Please upgrade your plan."])
        }
    }

    private static func json(_ story: NewsStory, ticker: String, _ base: String, _ now: Int64) -> JSON {
        let date = PublishedDate(secondsSinceEpoch: story.published(now: now)).description
        return [
            "symbol": JSON(ticker),
            // Without a zone, as the source writes it.
            "publishedDate": JSON(String(date.dropLast()).replacing("T", with: " ")),
            "publisher": JSON(story.publication), "title": JSON(story.title), "image": .null,
            "site": "simulated.example", "text": JSON(story.summary), "url": JSON(story.url(at: base)),
        ]
    }
}
