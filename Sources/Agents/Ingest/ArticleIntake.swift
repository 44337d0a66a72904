internal import Articles
internal import Basics
internal import DataSources
internal import JobQueue
internal import News

/// Decides which of the articles that sources list are new, and what becomes of them.
///
/// An article is known by its canonical address. One that says nearly the same as another of the last days, or has its
/// publication's and its title of the same day, is kept as that one's duplicate.
struct ArticleIntake: Sendable {
    /// What became of a source's articles.
    struct Counts: Sendable, Hashable {
        var found = 0
        var new = 0
        var known = 0
        var duplicates = 0
        /// Left out: published before the time for which articles are kept, or after the day that was asked for.
        var outside = 0
    }

    /// How many articles of one source are looked at in one run.
    static let longestList = 5000

    private let settings: IngestSettings
    private let day: String
    private let judged: Int64
    private var originals: [ArticleMark]
    private var titles: [String: String] = [:]
    /// When the last article arrived, in milliseconds since 1970.
    private(set) var lastArrival: Int64

    /// - Parameters:
    ///   - settings: How long articles count.
    ///   - day: The day among whose stories new articles count.
    ///   - judged: The moment by which ages are judged.
    ///   - marks: Of the articles of the last days, the first one first.
    ///   - arrivals: The articles of the day.
    ///   - lastArrival: When the last of them arrived.
    init(
        _ settings: IngestSettings, day: String, judged: Int64, marks: [ArticleMark], arrivals: [NewsArticle],
        lastArrival: Int64
    ) {
        self.settings = settings
        self.day = day
        self.judged = judged
        self.lastArrival = lastArrival
        originals = marks.filter { $0.duplicateOf == nil && $0.fingerprint.words >= Self.fewestWords }
        for article in arrivals {
            if let key = Self.titleKey(article.source, article.title) { titles[key] = titles[key] ?? article.id }
        }
    }

    /// Takes in what a source lists.
    ///
    /// - Parameters:
    ///   - found: The articles, each address once.
    ///   - known: Those of them that are there, by id.
    ///   - now: The time. Articles that arrive later always have a later time of arrival.
    /// - Returns: The articles to store: new ones, and known ones with what was not known of them.
    mutating func take(
        _ found: [FoundArticle], known: [String: NewsArticle], at now: Int64
    ) -> (articles: [NewsArticle], counts: Counts) {
        let arrival = max(now, lastArrival + 1)
        var counts = Counts(found: found.count)
        var articles: [NewsArticle] = []
        let ordered = found.map { (published: publication($0, arrival), id: $0.id, article: $0) }.sorted {
            ($0.published, $0.id) < ($1.published, $1.id)
        }
        for (published, id, article) in ordered {
            if let present = known[id] {
                counts.known += 1
                if let fuller = Self.fuller(present, by: article) { articles.append(fuller) }
                continue
            }
            guard published >= judged - settings.kept, settings.day == nil || published <= judged else {
                counts.outside += 1
                continue
            }
            let new = make(article, id: id, published: published, arrival: arrival)
            if new.duplicateOf == nil { counts.new += 1 } else { counts.duplicates += 1 }
            articles.append(new)
        }
        if counts.new + counts.duplicates > 0 { lastArrival = arrival }
        return (articles, counts)
    }

    /// A date in the future is a mistake of the source, and no date is none.
    private func publication(_ article: FoundArticle, _ arrival: Int64) -> Int64 {
        min(article.publishedAt ?? arrival, arrival)
    }

    private mutating func make(_ found: FoundArticle, id: String, published: Int64, arrival: Int64) -> NewsArticle {
        let print = TextFingerprint(found.title + " " + (found.description ?? ""))
        let fingerprint = ArticleFingerprint(bits: Int64(bitPattern: print.bits), words: print.words)
        let isTimely = published >= judged - settings.storyAge
        let article = NewsArticle(
            id: id, url: found.url, title: found.title, description: found.description, text: found.text,
            source: found.source, author: found.author, image: found.image, language: found.language,
            category: found.category, tickers: found.tickers, publishedAt: published, fetchedAt: arrival,
            day: isTimely ? day : nil, fingerprint: fingerprint, duplicateOf: original(of: found, print))
        if article.duplicateOf == nil {
            if print.words >= Self.fewestWords { originals.append(ArticleMark(id: id, fingerprint: fingerprint)) }
            if let key = Self.titleKey(found.source, found.title) { titles[key] = id }
        }
        return article
    }

    private func original(of found: FoundArticle, _ print: TextFingerprint) -> String? {
        if let key = Self.titleKey(found.source, found.title), let same = titles[key] { return same }
        guard print.words >= Self.fewestWords else { return nil }
        return originals.first { mark in
            print.isNear(
                TextFingerprint(bits: UInt64(bitPattern: mark.fingerprint.bits), words: mark.fingerprint.words))
        }?.id
    }

    /// With fewer words a fingerprint says nothing; see `TextFingerprint.isNear`.
    private static let fewestWords = 20

    /// `nil` for titles that a publication may well use twice a day.
    private static func titleKey(_ source: String, _ title: String) -> String? {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.count < 5 ? nil : source.lowercased() + "\n" + words.joined(separator: " ")
    }

    /// The article with what another source knows of it; `nil` when that is nothing new.
    private static func fuller(_ present: NewsArticle, by found: FoundArticle) -> NewsArticle? {
        var article = present
        article.text = present.text ?? found.text
        article.author = present.author ?? found.author
        article.image = present.image ?? found.image
        article.language = present.language ?? found.language
        article.category = present.category ?? found.category
        article.tickers = Set(present.tickers + found.tickers).sorted()
        return article == present ? nil : article
    }
}

/// An article as a source lists it, within bounds and under its canonical address.
struct FoundArticle: Sendable, Hashable {
    private static let longestURL = 2048
    private static let longestText = 100_000

    var url: String
    /// The address as the source gives it, by which the page is read.
    var link: String
    var title: String
    var description: String?
    var text: String?
    var source: String
    var author: String?
    var image: String?
    var language: String?
    var category: String?
    /// What the source says it is about, and what title and description name.
    var tickers: [String]
    /// Milliseconds since 1970.
    var publishedAt: Int64?

    /// A short hash of the canonical address: what an article is known by.
    var id: String { String(SHA256.hex(url).prefix(16)) }

    /// `nil` without a title, and for what is no address of the web.
    init?(_ item: NewsItem, category: String?) {
        self.init(
            link: item.url, title: item.title, description: item.summary, source: item.publication,
            publishedAt: item.publishedAt)
        author = Self.line(item.author, 200)
        image = Self.image(item.image)
        self.category = category
        note(tickers: item.tickers)
    }

    init?(_ item: FeedItem, in feed: Feed, order: IngestSettings.FeedInput) {
        self.init(
            link: item.link ?? "", title: item.title ?? "", description: item.summary,
            source: order.source ?? feed.title,
            publishedAt: item.publishedAt ?? item.updatedAt)
        author = Self.line(item.author, 200)
        image = Self.image(item.image)
        language = Self.line(feed.language, 35)
        text = item.content.flatMap { Self.text(HTMLText.plain($0), Self.longestText) }
        // What is hardly more than the summary is no text.
        if let text, text.count < 2 * (description?.count ?? 0) { self.text = nil }
        category =
            order.category
            ?? item.categories.lazy.compactMap { NewsAPIClient.Category(rawValue: $0.lowercased())?.rawValue }.first
        note(tickers: [])
    }

    private init?(link: String, title: String, description: String?, source: String?, publishedAt: PublishedDate?) {
        guard link.utf8.count <= Self.longestURL, let url = CanonicalURL.normalized(Self.clean(link)),
            url.utf8.count <= Self.longestURL, let title = Self.line(title, 500)
        else { return nil }
        self.url = url
        self.link = link
        self.title = title
        self.description = description.flatMap { Self.line($0, 1000) }
        if self.description == title { self.description = nil }
        self.source = Self.line(source, 200) ?? WebAddress(url).host ?? ""
        self.publishedAt = publishedAt.map { $0.secondsSinceEpoch * 1000 }
        tickers = []
    }

    /// The text of the article's page.
    mutating func take(page text: String) { self.text = Self.text(text, Self.longestText) }

    private mutating func note(tickers given: [String]) {
        let story = StoryArticle(
            id: "", title: title, description: description, url: url, source: source, publishedAt: 0,
            tickers: given.compactMap { TickerSymbol($0) })
        tickers = TickerRecognizer().tickers(of: story).map(\.text).sorted()
    }

    private static func image(_ text: String?) -> String? {
        guard let text = line(text, longestURL), WebAddress(text).isWeb, text.utf8.count <= longestURL else {
            return nil
        }
        return text
    }

    /// In one line and cut to so many characters; `nil` for nothing.
    private static func line(_ text: String?, _ limit: Int) -> String? {
        let words = clean(text ?? "").split(whereSeparator: \.isWhitespace)
        return cut(words.joined(separator: " "), limit)
    }

    private static func text(_ text: String, _ limit: Int) -> String? {
        cut(clean(text).trimmingSpace, limit)
    }

    private static func cut(_ text: String, _ limit: Int) -> String? {
        if text.isEmpty { return nil }
        return text.count <= limit ? text : String(text.prefix(limit - 1)) + "…"
    }

    /// No store keeps a NUL, and feeds hold what they like.
    private static func clean(_ text: String) -> String {
        text.utf8.contains(0) ? text.filter { $0 != "\0" } : text
    }
}

extension String {
    fileprivate var trimmingSpace: String {
        guard let last = lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(self[...last].drop(while: \.isWhitespace))
    }
}
