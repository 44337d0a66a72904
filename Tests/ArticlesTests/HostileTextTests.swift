import JSON
import TestSupport
import Testing

@testable import Articles

/// Pages, feeds, captions and plain texts whose text is slow to compare, to hash or to go through.
@Suite struct HostileTextTests {
    /// A document with a text in one of its places, and the text that is read from it.
    struct Document: Sendable, CustomStringConvertible {
        let description: String
        let make: @Sendable (_ text: String) -> String
        let read: @Sendable (_ document: [UInt8]) -> String

        private static let words = "A paragraph, long enough to be one, with commas, and with words that say little. "

        private static func page(
            _ description: String, _ make: @escaping @Sendable (_ text: String) -> String
        ) -> Document {
            Document(description: description, make: make) { document in
                let article = ArticleReader.read(document)
                _ = TextFingerprint(article.text)
                return [article.title, article.byline, article.site, article.summary, article.text]
                    .compactMap(\.self).joined(separator: "\n")
            }
        }

        private static func feed(
            _ description: String, _ make: @escaping @Sendable (_ text: String) -> String
        ) -> Document {
            Document(description: description, make: make) { document in
                guard let feed = try? FeedReader.read(document, url: "https://example.com/feed") else { return "" }
                return feed.items.flatMap { [$0.key, $0.title, $0.summary, $0.author, $0.content] + $0.categories }
                    .compactMap(\.self).joined(separator: "\n")
            }
        }

        /// Every scalar as a reference, so that the parser decodes it.
        private static func references(_ text: String) -> String {
            text.unicodeScalars.map { "&#\($0.value);" }.joined()
        }

        static let all = [
            page("a paragraph") { "<html><body><article><p>\(words)</p><p>\($0)</p></article></body></html>" },
            page("references") { "<article><p>\(words)</p><p>\(references($0))</p></article>" },
            page("an element for each mark") { text in
                "<article><p>\(words)"
                    + text.unicodeScalars.map { "<b>\($0)</b><span style='display:none'>x</span>" }.joined()
                    + "</p></article>"
            },
            page("preformatted") { "<article><p>\(words)</p><pre>\($0)</pre></article>" },
            page("a title and headings") {
                "<title>\($0): \($0) | Site</title><h1>\($0)</h1><h2>\($0)</h2><article><p>\(words)</p></article>"
            },
            page("metadata") {
                "<meta property='og:title' content='\($0)'><meta name='\($0)' content='\(references($0))'>"
                    + "<meta name='author' content='\($0)'><p>\(words)</p>"
            },
            page("attributes") {
                "<div class='\($0)' id='\($0)' style='\($0)' \($0)='x'><p>\(words)</p></div><\($0)>x"
            },
            page("structured data") {
                "<script type='application/ld+json'>{\"@type\":\"Article\",\"headline\":\"\($0)\",\"\($0)\":1,"
                    + "\"articleBody\":\"\(references($0))\",\"author\":{\"name\":\"\($0)\"}}</script><p>\(words)</p>"
            },
            feed("an item") {
                "<rss><channel><item><title>\($0)</title><description>&lt;p&gt;\($0)</description><guid>\($0)</guid>"
                    + "<author>me@example.com (\($0)</author><category>\($0)</category></item></channel></rss>"
            },
            feed("names in XML") {
                "<rss><channel><item><\($0) \($0)='\($0)'>x</\($0)><title>x</title></item></channel></rss>"
            },
            feed("an Atom entry") {
                "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>\($0)</id><title type='html'>\($0)</title>"
                    + "<content type='xhtml'><div>\($0)<b>\($0)</b></div></content></entry></feed>"
            },
            feed("JSON Feed") {
                "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"id\":\"\($0)\",\"title\":\"\($0)\","
                    + "\"content_html\":\"\($0)\",\"\($0)\":\"\($0)\"}]}"
            },
            Document(description: "captions", make: { "<transcript><text start='1'>\($0)</text></transcript>" }) {
                (try? Transcript($0))?.text ?? ""
            },
            Document(description: "captions as JSON", make: { "{\"events\":[{\"segs\":[{\"utf8\":\"\($0)\"}]}]}" }) {
                (try? Transcript($0))?.text ?? ""
            },
            Document(description: "a plain text", make: { $0 }, read: { PlainText.read($0) }),
            Document(description: "a watch page", make: { "ytInitialPlayerResponse = {\"a\":\"\($0)\"};\($0)" }) {
                WatchPage($0).player?["a"]?.string ?? ""
            },
        ]
    }

    @Test(arguments: Document.all, HostileText.all)
    func readingCostsLinearTimeAndGivesHarmlessText(document: Document, hostile: HostileText) {
        let growth = CPUCost.growth(
            { Array(document.make(hostile.text(bytes: $0)).utf8) }, from: 12 << 10
        ) { body in
            let text = document.read(body)
            _ = text.hashValue
        }
        #expect(growth < CPUCost.linear)
        let text = document.read(Array(document.make(hostile.text(bytes: 8 << 10)).utf8))
        #expect(longestRun(text) <= 30, "\(text.unicodeScalars.count)")
    }

    @Test(arguments: Document.all)
    func controlsAndOverridesOfADocumentAreGone(document: Document) {
        let text = document.read(
            Array(document.make("abc\u{202E}def\u{7F}ghi\u{2066}jkl and a few more words, of course").utf8))
        #expect(!text.unicodeScalars.contains { Self.harmful.contains($0) }, "\(text)")
    }

    @Test func ordinaryPagesOfManyLanguagesKeepTheirText() {
        for text in [
            "Tiếng Việt có dấu: Nguyễn Thị Hồng Gấm, vie\u{302}\u{323}t", "\u{200F}שָׁלוֹם עוֹלָם, (1)",
            "الحَمْدُ لِلّٰهِ رَبِّ العَالَمِينَ",
            "नमस्ते दुनिया, क्षत्रिय", "ภาษาไทย น้ำ ที่นี่", "👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🇩🇪🇫🇷", "한국어 \u{1112}\u{1161}\u{11AB}", "می‌خواهم",
        ] {
            let page = "<html><body><article><p>\(text)</p><p>Another paragraph, with commas, and words.</p></article>"
            #expect(ArticleReader.read(Array(page.utf8)).text.contains(text), "\(text)")
        }
    }

    private static let harmful: Set<Unicode.Scalar> = ["\u{0}", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2066}", "\u{2028}"]

    private func longestRun(_ text: String) -> Int {
        var (run, longest) = (0, 0)
        for scalar in text.unicodeScalars {
            run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
            longest = max(longest, run)
        }
        return longest
    }
}
