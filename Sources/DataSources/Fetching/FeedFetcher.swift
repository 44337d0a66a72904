package import Articles
import HTTP

/// What a server said of the feed that it gave last, to be asked only for a newer one.
package struct FeedState: Sendable, Hashable, Codable {
    package var etag: String?
    package var lastModified: String?

    package init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Longer values, or such with control characters, would not be sent back.
    private static func usable(_ value: String?) -> String? {
        value.flatMap { $0.utf8.count <= 512 && $0.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? $0 : nil }
    }

    init(_ headers: HTTPHeaders) {
        self.init(etag: Self.usable(headers["ETag"]), lastModified: Self.usable(headers["Last-Modified"]))
    }

    var headers: [(String, String)] {
        [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            Self.usable(value).map { (name, $0) }
        }
    }
}

/// Fetches feeds.
package struct FeedFetcher: Sendable {
    package enum Answer: Sendable, Hashable {
        /// Nothing has changed since the state that was given.
        case unchanged
        /// The feed, and the state to ask with next time.
        case changed(Feed, FeedState)
    }

    private let web: WebFetcher

    private static let accept =
        "application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5"

    package init(web: WebFetcher) { self.web = web }

    /// The feed at an address, unless it is the one that the state is of.
    package func feed(at url: String, since state: FeedState = FeedState()) async throws(FetchError) -> Answer {
        let response = try await web.get(url, accept: Self.accept, headers: state.headers)
        if response.status == 304 { return .unchanged }
        if let error = FetchError(status: response.status) { throw error }
        do {
            let feed = try FeedReader.read(
                response.body, contentType: response.headers["Content-Type"],
                url: response.url.isEmpty ? url : response.url)
            return .changed(feed, FeedState(response.headers))
        } catch {
            throw .feed(error)
        }
    }
}
