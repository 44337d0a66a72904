package import Articles
import HTTP
package import JSON

/// The readable content of an address: an article or a video's transcript.
package struct FetchedContent: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case article, video
    }

    package var kind: Kind
    /// The canonical address, used as the key of the content.
    package var url: String
    package var title: String?
    package var byline: String?
    package var site: String?
    package var language: String?
    package var publishedAt: PublishedDate?
    package var text: String
    package var image: String?
    /// In seconds, of a video.
    package var duration: Int?
    /// What a page says of who may read it and keep it.
    package var access = Article.Access.open

    package init(_ article: Article, url: String) {
        kind = .article
        self.url = url
        title = article.title
        byline = article.byline
        site = article.site
        language = article.language
        publishedAt = article.publishedAt
        text = article.text
        image = article.image
        access = article.access
    }

    package init(_ video: Video) {
        kind = .video
        url = VideoAddress.page(of: video.details.id)
        title = video.details.title
        byline = video.details.channel
        site = "YouTube"
        language = video.track.language
        publishedAt = video.publishedAt
        text = video.transcript.text
        duration = video.details.duration
    }

    /// `title, byline, site, language, published_at, text`; unknown fields are null.
    package var json: JSON {
        [
            "title": JSON(title), "byline": JSON(byline), "site": JSON(site), "language": JSON(language),
            "published_at": JSON(publishedAt?.description), "text": JSON(text),
        ]
    }
}

/// Reads the page, document or video at an address that a user gave.
package struct ContentFetcher: Sendable {
    private let articles: ArticleFetcher
    private let videos: YouTubeClient

    package init(web: WebFetcher, videos: YouTubeClient) {
        articles = ArticleFetcher(web: web)
        self.videos = videos
    }

    /// `languages`: of a video's captions, preferred ones first.
    package func read(_ url: String, languages: [String] = ["en"]) async throws(FetchError) -> FetchedContent {
        if let video = VideoAddress(url) { return FetchedContent(try await videos.video(video, languages: languages)) }
        if VideoAddress.isAtYouTube(url) { throw .video(.notAVideo) }
        let (article, canonical) = try await articles.article(at: url)
        return FetchedContent(article, url: canonical)
    }
}

/// The reason that an address gave no text.
///
/// `description` is safe to show: it contains neither the address nor text from the server.
package enum FetchError: Error, Hashable, Sendable {
    /// Not an absolute `http` or `https` URL, or one with a user name.
    case invalidURL
    /// Leads to an address or a port that is not of the public web, or its name does not resolve. One case, since the
    /// difference would tell a user which names an internal network has.
    case notPublic
    /// Nothing listens there, or the connection broke.
    case unreachable
    /// No trustworthy certificate, or a redirect from `https` to `http`.
    case insecure
    case timedOut
    case tooLarge
    case tooManyRedirects
    /// Needs a subscription or a sign-in, or keeps programs out (401, 402, 403, 451).
    case refused(status: Int)
    /// The page is for subscribers, by its own statement.
    case subscription
    /// The site's `robots.txt`, or the page, asks programs not to read it.
    case disallowed
    /// 404 or 410.
    case notFound(status: Int)
    case rateLimited
    /// Any other status without a page.
    case failed(status: Int)
    /// A picture, a film, a program; a PDF on a machine without poppler-utils.
    case notAPage
    /// A PDF that is damaged or protected, or takes too long.
    case unreadableDocument
    /// A page without any text.
    case noText
    case video(VideoError)
    case feed(FeedError)
    case cancelled

    init(_ error: HTTPClientError) {
        switch error {
        case .invalidURL, .invalidHeader: self = .invalidURL
        case .forbiddenAddress, .forbiddenPort, .cannotResolve: self = .notPublic
        case .cannotConnect, .connectionLost: self = .unreachable
        case .insecure: self = .insecure
        case .timedOut: self = .timedOut
        case .bodyTooLarge: self = .tooLarge
        case .tooManyRedirects: self = .tooManyRedirects
        case .cancelled: self = .cancelled
        }
    }

    /// The error for a status without a page; `nil` for 200 to 299.
    init?(status: Int) {
        switch status {
        case 200..<300: return nil
        case 401, 402, 403, 451: self = .refused(status: status)
        case 404, 410: self = .notFound(status: status)
        case 408: self = .timedOut
        case 429: self = .rateLimited
        default: self = .failed(status: status)
        }
    }

    /// Whether the same request may succeed later without anything being changed.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited: true
        case .failed(let status): status >= 500
        case .video(let error): error == .live
        default: false
        }
    }
}

extension FetchError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidURL: "not an absolute http or https URL without user name"
        case .notPublic: "the address is not on the public web"
        case .unreachable: "the server cannot be reached"
        case .insecure: "there is no secure connection to the server"
        case .timedOut: "the server did not answer in time"
        case .tooLarge: "the page is too large"
        case .tooManyRedirects: "the address redirects too often"
        case .refused(let status): "the site does not show the page without a subscription or sign-in (HTTP \(status))"
        case .subscription: "the page is for subscribers"
        case .disallowed: "the site asks programs not to read the page"
        case .notFound(let status): "there is no page at the address (HTTP \(status))"
        case .rateLimited: "the site limits the rate of requests"
        case .failed(let status): "the site did not give the page (HTTP \(status))"
        case .notAPage: "the address leads to a file that is no page of text"
        case .unreadableDocument: "the document is damaged or protected, or too large to be read"
        case .noText: "the page has no text that can be read"
        case .video(let error): error.description
        case .feed(let error): "the feed cannot be read: \(error)"
        case .cancelled: "cancelled"
        }
    }
}
