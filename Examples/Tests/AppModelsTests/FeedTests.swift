import DossierClient
import Foundation
import ScriptedServer
import Testing

@testable import AppModels

/// The list with pull to refresh, over a server that answers as each test says.
@MainActor @Suite(.timeLimit(.minutes(1))) struct FeedTests {
    private let server = ScriptedServer()

    private func article(_ id: Int) -> String {
        """
        {"id":"a\(id)","title":"t","url":"u","source":{"name":"s"},"published_at":"2026-01-04T15:16:46Z"}
        """
    }

    private func page(_ ids: [Int], next: Bool = false, page: Int = 1) -> String {
        #"{"success":true,"data":[\#(ids.map(article).joined(separator: ","))],"pagination":{"page":\#(page),"has_next":\#(next)}}"#
    }

    private func answerPages(_ first: [Int], _ second: [Int] = []) {
        let pages = [page(first, next: !second.isEmpty), page(second, page: 2)]
        server.answer("GET /api/v1/news/top-headlines") { request, _ in
            let body = request.url.query?.contains("&page=2") == true || request.url.query?.hasPrefix("page=2") == true
            return TransportResponse(
                status: 200, headers: ["X-API-Version": "1.0"], body: Data(pages[body ? 1 : 0].utf8))
        }
    }

    private func feed(_ now: @escaping @Sendable () -> Date = { Date() }) -> FeedViewModel<Article> {
        FeedViewModel(.scripted(server, now), .headlines(.business, pageSize: 10))
    }

    private func ids(_ feed: FeedViewModel<Article>) -> [String] { feed.items.map(\.id.rawValue) }

    @Test func itemsComePageByPageAndEachOnce() async throws {
        answerPages([1, 2], [2, 3])
        let feed = feed()
        await feed.load()
        #expect(feed.state == .loaded && ids(feed) == ["a1", "a2"] && feed.hasMore)
        await feed.loadMore(after: try #require(feed.items.first))
        #expect(ids(feed) == ["a1", "a2"], "only the last item asks for more")
        await feed.loadMore(after: try #require(feed.items.last))
        #expect(ids(feed) == ["a1", "a2", "a3"] && !feed.hasMore)
    }

    @Test func aPullReadsAgainAndAFailureKeepsTheItems() async {
        answerPages([1])
        let feed = feed()
        await feed.load()
        answerPages([2, 1])
        await feed.refresh()
        #expect(ids(feed) == ["a2", "a1"] && feed.notice == nil)
        server.goOffline()
        await feed.refresh()
        #expect(ids(feed) == ["a2", "a1"] && feed.state == .loaded)
        #expect(feed.notice?.title == "Network Error")
    }

    @Test func withoutItemsAFailureIsTheScreen() async {
        server.goOffline()
        let feed = feed()
        await feed.load()
        guard case .failed(let problem) = feed.state else { Issue.record("\(feed.state)"); return }
        #expect(problem.systemImage == "wifi.slash")
        server.goOffline(false)
        answerPages([])
        await feed.refresh()
        #expect(feed.state == .empty && feed.notice == nil)
    }

    @Test func storedItemsAreShownAtOnceAndRefreshed() async {
        let clock = Clock()
        answerPages([1])
        let dossier = Dossier.scripted(server, { clock.now })
        let first = FeedViewModel(dossier, .headlines())
        await first.load()
        // Ten minutes later they are warm, an hour later old.
        clock.advance(by: 600)
        answerPages([2])
        let second = FeedViewModel(dossier, .headlines())
        await second.load()
        #expect(ids(second) == ["a2"])
        clock.advance(by: 3600)
        server.goOffline()
        let third = FeedViewModel(dossier, .headlines())
        await third.load()
        #expect(ids(third) == ["a2"] && third.isOld)
    }
}

/// A wall clock that a test moves on.
final class Clock: @unchecked Sendable {
    // Unchecked: the time is behind the lock.
    private let lock = NSLock()
    private var time = Date(timeIntervalSince1970: 1_800_000_000)
    var now: Date { lock.withLock { time } }
    func advance(by seconds: Double) { lock.withLock { time += seconds } }
}
