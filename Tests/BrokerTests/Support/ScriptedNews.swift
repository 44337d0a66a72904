import Broker
import DataSources
import HTTP
import JSON
import Basics
import Synchronization

/// NewsAPI with as many made-up headlines as a test wants; counts how often it is asked.
final class ScriptedNews: HTTPTransport {
    private struct State {
        var asked: [String] = []
        var isAway = false
    }

    private let count: Int
    private let state = Mutex(State())

    init(_ count: Int) { self.count = count }

    /// The addresses that were asked for.
    var asked: [String] { state.withLock(\.asked) }

    func goAway() { state.withLock { $0.isAway = true } }

    var sources: NewsSources {
        NewsSources(newsAPI: NewsAPIClient(key: Secret("k3y"), base: "http://news.test/v2", transport: self))
    }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let isAway = state.withLock { state in
            state.asked.append(request.url)
            return state.isAway
        }
        guard !isAway else { return HTTPResponse(status: 500) }
        let articles = (0..<count).map { number -> JSON in
            [
                "source": ["id": nil, "name": "Harbour Times"], "author": number == 0 ? nil : "Ann Sample",
                "title": JSON("Headline \(number) about tin"),
                "description": number == 0 ? nil : JSON("Part \(number)."),
                "url": JSON("https://harbour.example/\(number)?utm_source=x"),
                "urlToImage": number == 0 ? nil : "https://harbour.example/i.png",
                "publishedAt": "2026-11-20T08:00:00Z", "content": "The beginning of it… [+900 chars]",
            ]
        }
        let body: JSON = ["status": "ok", "totalResults": JSON(count), "articles": .array(articles)]
        return HTTPResponse(status: 200, body: body.utf8)
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        HTTPStreamingResponse(status: 500, headers: [:], body: AsyncThrowingStream { $0.finish() })
    }
}
