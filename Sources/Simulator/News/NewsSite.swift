internal import Articles
internal import Basics
internal import HTTP
internal import HTTPServer

/// A site with the news day: a feed as RSS and as Atom, with conditional requests, and a page for each article.
struct NewsSite: Sendable {
    /// Where the simulator was reached, so that its links lead back to it.
    static func base(of request: ServiceRequest) -> String {
        "http://" + (request.request.headers["host"] ?? "127.0.0.1")
    }

    /// - Throws: a page that says that there is none.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let base = Self.base(of: request)
        let now = request.context.now
        switch request.path {
        case "/feeds/news.xml":
            return feed(request, NewsFeed.rss(base, now), type: "application/rss+xml; charset=utf-8")
        case "/feeds/news.atom":
            return feed(request, NewsFeed.atom(base, now), type: "application/atom+xml; charset=utf-8")
        default:
            guard let slug = request.path.split(separator: "/").last, request.path.hasPrefix("/articles/"),
                let story = NewsDay.stories.first(where: { $0.slug == slug })
            else { throw Refusal(answer: Self.page(404, "Not found")) }
            return Answer(text: Self.html(story, base, now), type: "text/html; charset=utf-8")
        }
    }

    func failure(_ failure: ServiceFailure) -> Answer {
        switch failure.cause {
        case .status(let status): Self.page(status == 529 ? 503 : status, "Simulated failure")
        case .rateLimit: Self.page(429, "Too many requests")
        }
    }

    private func feed(_ request: ServiceRequest, _ text: String, type: String) -> Answer {
        // Times count from the last full hour, so a feed changes with every hour.
        let etag = "\"\(SHA256.hex(Array(text.utf8)).prefix(16))\""
        if request.request.headers["if-none-match"] == etag {
            var answer = Answer(status: 304, headers: ["etag": etag], text: "", type: type)
            answer.headers["content-type"] = nil
            return answer
        }
        return Answer(headers: ["etag": etag], text: text, type: type)
    }

    private static func page(_ status: Int, _ title: String) -> Answer {
        Answer(
            status: status,
            text: "<!DOCTYPE html><html><head><title>\(title)</title></head><body>\(title)</body></html>",
            type: "text/html; charset=utf-8")
    }

    private static func html(_ story: NewsStory, _ base: String, _ now: Int64) -> String {
        let paragraphs = (story.paragraphs + [NewsStory.disclaimer]).map { "<p>\(Markup.escaped($0))</p>" }
        let links = NewsDay.stories.filter { $0.slug != story.slug }.prefix(5).map {
            "<li><a href=\"/web/articles/\($0.slug)\">\(Markup.escaped($0.title))</a></li>"
        }
        let title = Markup.escaped(story.title)
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title) | \(story.publication)</title>
            <link rel="canonical" href="\(story.url(at: base))">
            <meta property="og:title" content="\(title)">
            <meta property="og:site_name" content="\(story.publication)">
            <meta property="og:description" content="\(Markup.escaped(story.summary))">
            <meta name="author" content="\(story.author)">
            <meta property="article:published_time" content="\(PublishedDate(secondsSinceEpoch: story.published(now: now)))">
            </head><body>
            <nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/business">Business</a></li></ul></nav>
            <article class="article-body"><h1>\(title)</h1>
            \(paragraphs.joined(separator: "\n"))
            </article>
            <aside class="related"><h2>More</h2><ul>\(links.joined())</ul></aside>
            <footer>Simulated. No rights reserved.</footer>
            </body></html>
            """
    }
}

/// Text within XML and HTML.
enum Markup {
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
