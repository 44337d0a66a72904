internal import Articles
package import Basics
internal import HTTP
internal import Synchronization

/// Reads pages that nobody asked for by their address: those of articles in the news.
///
/// A site's `robots.txt` is respected, pages for subscribers are left alone even where their text is in the page, and a
/// site gets one request at a time with a pause between them. Pages that a user names are read by `ContentFetcher`, as a
/// browser would.
package struct PageCrawler: Sendable {
    /// The name in `User-Agent`, by which `robots.txt` speaks of this program.
    static let name = "dossier"

    private let articles: ArticleFetcher
    private let robots: RobotsCache
    private let pace: SitePace

    /// - Parameters:
    ///   - web: Fetches pages.
    ///   - time: Measures pauses and the age of `robots.txt`.
    package init(web: WebFetcher, time: TimeSource = .system) {
        articles = ArticleFetcher(web: web)
        robots = RobotsCache(web: web, time: time)
        pace = SitePace(time: time)
    }

    /// The article on a page.
    ///
    /// - Throws: `disallowed` or `subscription` when the site does not want it to be read, or `ContentFetcher`'s errors.
    package func read(_ url: String) async throws(FetchError) -> FetchedContent {
        guard let site = Site(url) else { throw .invalidURL }
        let rules = try await robots.rules(of: site)
        guard rules.allows(site.path) else { throw .disallowed }
        let page = try await pace.withTurn(at: site.origin, delay: rules.delay) { () async throws(FetchError) in
            try await articles.page(at: url)
        }
        // A redirect may lead to a site that has rules of its own.
        if let end = Site(page.foundAt), end.origin != site.origin || end.path != site.path {
            guard try await robots.rules(of: end).allows(end.path) else { throw .disallowed }
        }
        switch page.article.access {
        case .open: return FetchedContent(page.article, url: page.url)
        case .subscribers: throw .subscription
        case .noCopies: throw .disallowed
        }
    }
}

/// A site, and the path of one of its pages.
private struct Site: Hashable {
    /// Scheme, host and port.
    var origin: String
    /// With the query.
    var path: String

    init?(_ url: String) {
        let address = WebAddress(url)
        guard address.isWeb, let scheme = address.scheme, let host = address.host, let authority = address.authority
        else { return nil }
        let port = authority.utf8.last.map { (0x30...0x39).contains($0) } == true ? Self.port(authority) : nil
        origin = "\(scheme)://\(host)" + (port.map { ":\($0)" } ?? "")
        path = (address.path.isEmpty ? "/" : address.path) + (address.query.map { "?\($0)" } ?? "")
    }

    /// The digits behind the last colon that is not part of an IPv6 address.
    private static func port(_ authority: String) -> Substring? {
        guard let colon = authority.lastIndex(of: ":") else { return nil }
        let digits = authority[authority.index(after: colon)...]
        return digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? digits : nil
    }
}

/// The `robots.txt` of sites, each fetched once a day.
private final class RobotsCache: Sendable {
    private static let lifetime: Duration = .seconds(86_400)
    private static let capacity = 2000

    private let web: WebFetcher
    private let time: TimeSource
    private let flights = SingleFlight<String, RobotsRules, FetchError>(endsWhenAbandoned: true)
    private let known = Mutex<[String: (rules: RobotsRules, expires: Duration)]>([:])

    init(web: WebFetcher, time: TimeSource) {
        self.web = web
        self.time = time
    }

    /// - Throws: The error of a site that cannot be reached: nothing of it is read then, and the next page asks again.
    func rules(of site: Site) async throws(FetchError) -> RobotsRules {
        let now = time.uptime()
        if let entry = known.withLock({ $0[site.origin] }), entry.expires > now { return entry.rules }
        return try await flights.value(for: site.origin) { _ async throws(FetchError) in
            let rules = try await self.fetch(site.origin)
            self.known.withLock { known in
                if known.count >= Self.capacity { known = known.filter { $0.value.expires > now } }
                if known.count >= Self.capacity { known = [:] }
                known[site.origin] = (rules, now + Self.lifetime)
            }
            return rules
        }
    }

    private func fetch(_ origin: String) async throws(FetchError) -> RobotsRules {
        let response = try await web.get(origin + "/robots.txt", accept: "text/plain,*/*;q=0.1")
        switch response.status {
        case 200..<300: return RobotsRules(response.body, for: PageCrawler.name)
        // A site without the file allows everything, also one that hides it.
        case 400..<500 where response.status != 429: return .everything
        case let status: throw FetchError(status: status) ?? .failed(status: status)
        }
    }
}

extension FetchError: FetchFailure {}

/// Gives each site one request at a time, with a pause after each.
private final class SitePace: Sendable {
    private static let pause: Duration = .milliseconds(500)
    /// A site that asks for longer pauses than this is read as often as this.
    private static let longestPause: Duration = .seconds(10)
    private static let capacity = 2000

    private let time: TimeSource
    private let turns = Mutex<[String: Duration]>([:])

    init(time: TimeSource) { self.time = time }

    func withTurn<Value: Sendable>(
        at origin: String, delay: Double?, _ body: () async throws(FetchError) -> Value
    ) async throws(FetchError) -> Value {
        let now = time.uptime()
        let pause = max(Self.pause, min(.seconds(delay ?? 0), Self.longestPause))
        let turn = turns.withLock { turns in
            if turns.count >= Self.capacity { turns = turns.filter { $0.value > now } }
            let turn = max(now, turns[origin] ?? now)
            turns[origin] = turn + pause
            return turn
        }
        if turn > now, (try? await time.sleep(turn - now)) == nil { throw .cancelled }
        return try await body()
    }
}
