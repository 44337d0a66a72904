public import Articles
public import JSON

/// What can be read at an address: an article, or what is said in a video.
public struct Reading: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable {
        case article, video
    }

    public var kind: Kind
    /// The canonical address under which to keep it.
    public var url: String
    public var title: String?
    public var byline: String?
    public var site: String?
    public var language: String?
    public var publishedAt: PublishedDate?
    public var text: String
    public var image: String?
    /// In seconds, of a video.
    public var duration: Int?

    public init(_ article: Article, url: String) {
        kind = .article
        self.url = url
        title = article.title
        byline = article.byline
        site = article.site
        language = article.language
        publishedAt = article.publishedAt
        text = article.text
        image = article.image
    }

    public init(_ video: Video) {
        kind = .video
        url = "https://www.youtube.com/watch?v=\(video.details.id)"
        title = video.details.title
        byline = video.details.channel
        site = "YouTube"
        language = video.track.language
        publishedAt = video.publishedAt
        text = video.transcript.text
        duration = video.details.duration
    }

    /// `title, byline, site, language, published_at, text`; what is not known is null.
    public var json: JSON {
        [
            "title": JSON(title), "byline": JSON(byline), "site": JSON(site), "language": JSON(language),
            "published_at": JSON(publishedAt?.description), "text": JSON(text),
        ]
    }
}

/// Reads whatever a user's address leads to.
public struct ContentFetcher: Sendable {
    private let articles: ArticleFetcher
    private let videos: YouTubeClient

    public init(web: WebFetcher, videos: YouTubeClient) {
        articles = ArticleFetcher(web: web)
        self.videos = videos
    }

    /// - Parameter languages: of a video's captions, preferred ones first.
    public func read(_ url: String, languages: [String] = ["en"]) async throws(FetchError) -> Reading {
        if let video = VideoAddress(url) { return Reading(try await videos.video(video, languages: languages)) }
        let (article, canonical) = try await articles.article(at: url)
        return Reading(article, url: canonical)
    }
}
