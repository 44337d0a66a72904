import Foundation
import TestSupport
import Testing

@testable import Articles

@Suite struct FeedTests {
    private func feed(_ text: String, type: String? = nil, url: String? = "https://feeds.example/news.xml") throws
        -> Feed
    {
        try FeedReader.read(Array(text.utf8), contentType: type, url: url)
    }

    @Test func anAggregatorsItemNamesItsPublication() throws {
        let rss = """
            <rss version="2.0"><channel><title>Google News</title><item><title>Fed raises rates</title>
            <link>https://news.example/1</link><source url="https://wire.example">The Wire</source></item></channel></rss>
            """
        let atom = """
            <feed xmlns="http://www.w3.org/2005/Atom"><title>Planet</title><entry><title>Fed raises rates</title>
            <link href="https://news.example/1"/><source><title>The Wire</title></source></entry></feed>
            """
        for text in [rss, atom] {
            #expect(try FeedReader.read(Array(text.utf8)).items.map(\.publisher) == ["The Wire"])
        }
    }

    @Test func rssWithEverything() throws {
        let feed = try feed(
            """
            \u{FEFF}
            <?xml version="1.0" encoding="utf-8"?>
            <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
            <atom:link href="https://feeds.example/news.xml" rel="self"/><title>News &amp; more</title>
            <link>https://site.example/</link><language>en-us</language>
            <item><media:title>Not this</media:title><title><![CDATA[Stocks <b>rise</b> &amp; fall]]></title>
            <link>/story?a=1&b=2</link><guid isPermaLink="false">id-1</guid><dc:creator>Ada</dc:creator>
            <pubDate>Fri, 20 Nov 2026 08:00:00 EST</pubDate><category>Business</category>
            <description>&lt;p&gt;One&lt;/p&gt;&lt;p&gt;Two&nbsp;three&lt;/p&gt;</description>
            <content:encoded><![CDATA[<p>Whole text</p>]]></content:encoded>
            <media:content url="https://img.example/1.jpg" medium="image"/></item></channel></rss>
            """)
        #expect(feed.format == .rss && feed.title == "News & more" && feed.language == "en-us")
        #expect(feed.link == "https://site.example/")
        let item = try #require(feed.items.first)
        #expect(item.key == "id-1")
        #expect(item.title == "Stocks rise & fall")
        #expect(item.link == "https://site.example/story?a=1&b=2")
        #expect(item.summary == "One\n\nTwo three")
        #expect(item.content == "<p>Whole text</p>")
        #expect(item.author == "Ada" && item.categories == ["Business"])
        #expect(item.publishedAt?.description == "2026-11-20T08:00:00-05:00")
        #expect(item.image == "https://img.example/1.jpg")
    }

    @Test func rdfItemsAreSiblingsOfTheChannel() throws {
        let feed = try feed(
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
             xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>T</title></channel>
            <item rdf:about="https://a.example/1"><title>One</title><link>https://a.example/1</link>
            <dc:date>2026-11-20T08:00:00Z</dc:date></item></rdf:RDF>
            """)
        #expect(feed.format == .rdf && feed.title == "T")
        #expect(feed.items.map(\.title) == ["One"])
        #expect(feed.items.first?.key == "https://a.example/1")
        #expect(feed.items.first?.publishedAt?.description == "2026-11-20T08:00:00Z")
    }

    @Test func atomResolvesAgainstItsBase() throws {
        let feed = try feed(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://site.example/blog/" xml:lang="de">
            <title type="html">A &amp;lt;b&amp;gt; &lt;i&gt;c&lt;/i&gt;</title><link rel="self" href="feed"/><link href="."/>
            <entry xml:base="2026/"><id>urn:1</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x<b>y</b></div></title>
            <link rel="enclosure" href="a.mp3"/><link rel="alternate" type="application/json" href="a.json"/>
            <link rel="alternate" type="text/html" href="a.html"/><author><name>Ada</name></author><author><name>Ben</name></author>
            <updated>2026-11-20T08:00:00+01:00</updated><summary>1 &lt; 2</summary></entry></feed>
            """)
        #expect(feed.title == "A <b> c" && feed.language == "de" && feed.link == "https://site.example/blog/")
        let item = try #require(feed.items.first)
        #expect(item.link == "https://site.example/blog/2026/a.html")
        #expect(item.title == "xy" && item.author == "Ada, Ben" && item.summary == "1 < 2")
        #expect(item.publishedAt?.description == "2026-11-20T08:00:00+01:00")
    }

    @Test func jsonFeed() throws {
        let feed = try feed(
            """
            {"version":"https://jsonfeed.org/version/1.1","title":"J","home_page_url":"https://j.example/","items":[
            {"id":7,"url":"a","title":"T","content_html":"<p>x</p>","date_published":"2026-11-20T08:00:00Z",
            "authors":[{"name":"Ada"}],"tags":["t"]}]}
            """)
        #expect(feed.format == .json && feed.items.first?.key == "7" && feed.items.first?.link == "https://j.example/a")
        #expect(feed.items.first?.summary == "x" && feed.items.first?.author == "Ada")
    }

    @Test func brokenFeedsGiveTheItemsThatAreThere() throws {
        let cut = try feed("<rss><channel><title>T</title><item><title>A & B</title></item><item><title>C")
        #expect(cut.items.map(\.title) == ["A & B", "C"])
        let crossed = try feed(
            "<rss><channel><item><title>A <b>x</title><link>http://a.example/</link></item></channel></rss>")
        #expect(crossed.items.count == 1)
        let bare = try feed(
            "<rss><channel><item><title>A</title></item><item><title>A</title><pubDate>2026-11-20</pubDate></item>"
                + "</channel></rss>")
        #expect(bare.items.map(\.key) == ["A", "A 2026-11-20"])
    }

    @Test func encodingsAndWrongTypesAreNoObstacle() throws {
        let latin =
            Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><rss><channel><title>caf".utf8) + [0xE9]
            + Array("</title></channel></rss>".utf8)
        #expect(try FeedReader.read(latin, contentType: "text/html").title == "café")
        let wide = "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><channel><title>é</title></channel></rss>".utf16
            .flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try FeedReader.read([0xFF, 0xFE] + wide).title == "é")
        #expect(try FeedReader.read(wide).title == "é")
    }

    @Test func otherDocumentsAreNoFeed() {
        #expect(throws: FeedError.webPage) { try feed("<!DOCTYPE html><html><body>Moved</body></html>") }
        for text in ["", "  ", "{}", "[1]", "plain text", "<opml/>", "{\"items\":[]}"] {
            #expect(throws: FeedError.notAFeed) { try feed(text) }
        }
    }

    @Test(.enabled(if: SharedData.isThere("feeds"), "needs the feeds in ../shared/data/feeds"))
    func everyRecordedFeedIsRead() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SharedData.folder.appending(path: "feeds").path)
            .sorted()
        #expect(names.count >= 48)
        for name in names {
            #expect(throws: Never.self, "\(name)") { try recorded(name) }
        }
    }

    @Test(
        .enabled(if: SharedData.isThere("feeds"), "needs the feeds in ../shared/data/feeds"),
        arguments: [
            ("encoding-demoronize-3", "summary", "don’t"),
            ("wellformed-atom10-entry_author_name", "author", "Example author"),
            ("wellformed-atom10-entry_content_application_xml", "content", "<div>Example <b>Atom</b></div>"),
            ("wellformed-atom10-entry_content_value", "content", "Example Atom"),
            ("wellformed-atom10-entry_id_no_normalization_5", "key", "http://www.example.com/~bob"),
            ("wellformed-atom10-entry_link_no_href_link_priority", "link", "http://www.example.com/alternate"),
            ("wellformed-atom10-entry_summary_escaped_markup", "summary", "Example Atom"),
            ("wellformed-atom10-entry_title_inline_markup_2", "title", "History of the <blink> tag"),
            ("wellformed-namespace-rss2.0noNSwithModules", "title", "Test Item - RSS 2.0 no NS"),
            ("wellformed-rss-item_content_encoded", "content", "<p>Example content</p>"),
            ("wellformed-rss-item_dc_date_parsed", "date", "2003-12-31T10:14:55Z"),
            ("wellformed-rss-item_dcterms_issued", "date", "2003-12-31T10:14:55Z"),
            ("wellformed-rss-item_guid", "key", "http://guid.example.com/"),
            ("wellformed-rss-item_guid_not_permalink_not_guidislink_2", "link", "http://link.example.com/"),
            ("wellformed-rss-item_title", "title", "Item 1 title"),
        ])
    func recordedFeedsYieldTheValuesInTheirComments(name: String, field: String, expected: String) throws {
        let item = try #require(try recorded(name + ".xml").items.first)
        let fields = [
            "summary": item.summary, "author": item.author, "content": item.content, "key": item.key, "link": item.link,
            "title": item.title, "date": item.publishedAt?.description,
        ]
        #expect(fields[field] == expected)
    }

    private func recorded(_ name: String) throws -> Feed {
        try FeedReader.read(
            SharedData.bytes("feeds/\(name)"), url: "https://feeds.example/x.xml")
    }
}
