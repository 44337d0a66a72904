internal import Articles

/// The news day as a feed.
enum NewsFeed {
    private static let title = "Simulated News"

    static func rss(_ base: String, _ now: Int64) -> String {
        let items = NewsDay.stories.map { story in
            """
            <item><title>\(Markup.escaped(story.title))</title><link>\(story.url(at: base))</link>
            <guid isPermaLink="true">\(story.url(at: base))</guid><dc:creator>\(story.author)</dc:creator>
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
        let entries = NewsDay.stories.map { story in
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
