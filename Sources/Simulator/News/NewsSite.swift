internal import Articles
internal import Basics
internal import HTTP
internal import HTTPServer

/// A site with the news day: a feed as RSS and as Atom, with conditional requests, and a page for each article.
struct NewsSite: Sendable {
    /// The address at which the request reached the simulator, so that its links lead back to it.
    static func base(of request: ServiceRequest) -> String {
        "http://" + (request.request.headers["host"] ?? "127.0.0.1")
    }

    /// - Throws: a page that says that there is none.
    func answer(_ request: ServiceRequest) throws(Refusal) -> Answer {
        let base = Self.base(of: request)
        let now = request.context.now
        switch request.path {
        case "/feeds/news.xml":
            return feed(
                request, NewsFeed.rss(SimulatedStory.all, base, now), type: "application/rss+xml; charset=utf-8")
        case "/feeds/news.atom":
            return feed(request, NewsFeed.atom(base, now), type: "application/atom+xml; charset=utf-8")
        case let path where path.hasPrefix("/mirror/"):
            // In the place of a feed of the world.
            let address = String(path.dropFirst("/mirror/".count))
            let stories = SimulatedStory.all.filter { $0.isListed(by: address) }
            return feed(request, NewsFeed.rss(stories, base, now), type: "application/rss+xml; charset=utf-8")
        default:
            guard let slug = request.path.split(separator: "/").last, request.path.hasPrefix("/articles/"),
                let story = SimulatedStory.all.first(where: { $0.slug == slug })
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

    private static func html(_ story: SimulatedStory, _ base: String, _ now: Int64) -> String {
        let paragraphs = (story.paragraphs + [SimulatedStory.disclaimer]).map { "<p>\(Markup.escaped($0))</p>" }
        let links = SimulatedStory.all.filter { $0.slug != story.slug }.prefix(5).map {
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

/// The news day as a feed.
enum NewsFeed {
    private static let title = "Simulated News"

    static func rss(_ stories: [SimulatedStory], _ base: String, _ now: Int64) -> String {
        let items = stories.map { story in
            """
            <item><title>\(Markup.escaped(story.title))</title><link>\(story.url(at: base))</link>
            <guid isPermaLink="true">\(story.url(at: base))</guid><dc:creator>\(story.author)</dc:creator>
            <source url="\(base)/web/">\(Markup.escaped(story.publication))</source>
            <category>\(story.category)</category>
            <pubDate>\(mailDate(story.published(now: now)))</pubDate>
            <description><![CDATA[<p>\(story.summary)</p>]]></description></item>
            """
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
            <title>\(title)</title><link>\(base)/web/</link><description>A made-up news day</description>
            <language>en</language>
            \(items.joined(separator: "\n"))
            </channel></rss>
            """
    }

    static func atom(_ base: String, _ now: Int64) -> String {
        let entries = SimulatedStory.all.map { story in
            let date = PublishedDate(secondsSinceEpoch: story.published(now: now))
            return """
                <entry><id>urn:simulated:\(story.slug)</id><title>\(Markup.escaped(story.title))</title>
                <link rel="alternate" type="text/html" href="articles/\(story.slug)"/>
                <author><name>\(story.author)</name></author><published>\(date)</published><updated>\(date)</updated>
                <category term="\(story.category)"/><summary type="text">\(Markup.escaped(story.summary))</summary></entry>
                """
        }
        return """
            <?xml version="1.0" encoding="utf-8"?>
            <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en" xml:base="\(base)/web/">
            <id>urn:simulated:news</id><title>\(title)</title><link href="\(base)/web/"/>
            <updated>\(PublishedDate(secondsSinceEpoch: now / 3600 * 3600))</updated>
            \(entries.joined(separator: "\n"))
            </feed>
            """
    }

    /// As RSS writes dates: `Fri, 20 Nov 2026 08:00:00 GMT`.
    static func mailDate(_ seconds: Int64) -> String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let fields = PublishedDate(secondsSinceEpoch: seconds).description.split { "-T:Z".contains($0) }
        let month = months[(Int(fields[1]) ?? 1) - 1]
        let weekday = weekdays[Int(seconds / 86_400 % 7)]
        return "\(weekday), \(fields[2]) \(month) \(fields[0]) \(fields[3]):\(fields[4]):\(fields[5]) GMT"
    }
}
