import Articles
import Basics
import JSON

extension FuzzTarget {
    /// Pages, feeds and captions of anybody.
    static let contents = [
        FuzzTarget("html", microsecondsPerKiB: 4000) { bytes in
            let article = ArticleReader.read(bytes)
            _ = CanonicalURL.of(article, foundAt: "https://news.example/a")
            _ = TextFingerprint(article.text)
        },
        FuzzTarget("html-text") { bytes in _ = HTMLText.plain(String(decoding: bytes, as: UTF8.self)) },
        FuzzTarget("plain-text") { bytes in
            // The first byte chooses the encoding that a server states.
            let types = ["text/plain", "text/plain; charset=utf-16", "text/plain; charset=windows-1252", "text/x"]
            _ = PlainText.read(Array(bytes.dropFirst()), contentType: types[Int(bytes.first ?? 0) % types.count])
        },
        FuzzTarget("feed", microsecondsPerKiB: 4000) { bytes in
            _ = try? FeedReader.read(bytes, url: "https://news.example/feed")
        },
        FuzzTarget("robots") { bytes in
            let rules = RobotsRules(bytes, for: "dossier")
            _ = rules.allows(String(decoding: bytes.prefix(64), as: UTF8.self))
        },
        FuzzTarget("captions", microsecondsPerKiB: 2000) { bytes in _ = try? Transcript(bytes) },
        FuzzTarget("watch-page", microsecondsPerKiB: 2000) { bytes in _ = WatchPage(bytes) },
        FuzzTarget("address") { bytes in
            // Requests and pages are sanitized before their addresses are read.
            let text = String(decoding: bytes, as: UTF8.self).sanitized
            if let url = CanonicalURL.normalized(text) {
                precondition(CanonicalURL.normalized(url) == url, "normalizing again changed the address")
            }
            _ = VideoAddress(text)
            _ = PublishedDate(text)
        },
    ]
}
