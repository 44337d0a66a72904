package import Articles
package import JSON

/// What can be read at an address: an article, or what is said in a video.
package struct FetchedContent: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case article, video
    }

    package var kind: Kind
    /// The canonical address under which to keep it.
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
    }

    package init(_ video: Video) {
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
    package var json: JSON {
        [
            "title": JSON(title), "byline": JSON(byline), "site": JSON(site), "language": JSON(language),
            "published_at": JSON(publishedAt?.description), "text": JSON(text),
        ]
    }
}

/// Reads whatever a user's address leads to.
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
        let (article, canonical) = try await articles.article(at: url)
        return FetchedContent(article, url: canonical)
    }
}
