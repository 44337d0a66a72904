internal import Articles
internal import Basics
internal import DataSources
internal import JobQueue
internal import News

/// Decides which of the articles that sources list are new, known or duplicates.
///
/// An article is identified by its canonical address. An article with nearly the same text as another of the last days,
/// or with the same publication and title as another of the day, is stored as its duplicate.
struct ArticleIntake: Sendable {
    /// Counts of a source's articles.
    struct Counts: Sendable, Hashable {
        var found = 0
        var new = 0
        var known = 0
        var duplicates = 0
        /// Skipped: published before the time for which articles are kept, or after the day that was asked for.
        var outside = 0
    }

    /// The number of articles of one source that are considered in one run.
    static let longestList = 5000

    private let settings: IngestSettings
    private let day: String
    private let asOf: Timestamp
    private var originals: [FingerprintedArticle]
    private var titles: [String: String] = [:]
    /// The arrival time of the last article.
    private(set) var lastArrival: Timestamp?

    /// - Parameters:
    ///   - settings: How long articles count.
    ///   - day: The day among whose stories new articles count.
    ///   - asOf: The time from which ages are counted.
    ///   - marks: The fingerprints of the articles of the last days, oldest first.
    ///   - arrivals: The articles of the day.
    ///   - lastArrival: When the last of them arrived.
    init(
        _ settings: IngestSettings, day: String, asOf: Timestamp, marks: [FingerprintedArticle],
        arrivals: [NewsArticle],
        lastArrival: Timestamp?
    ) {
        self.settings = settings
        self.day = day
        self.asOf = asOf
        self.lastArrival = lastArrival
        originals = marks.filter { $0.duplicateOf == nil && $0.fingerprint.words >= Self.fewestWords }
        for article in arrivals {
            if let key = Self.titleKey(article.source, article.title) { titles[key] = titles[key] ?? article.id }
        }
    }

    /// Sorts the articles of a source.
    ///
    /// - Parameters:
    ///   - found: The articles, each address once.
    ///   - known: The stored ones among them, by id.
    ///   - now: The time. Articles of a later call always have a later time of arrival.
    /// - Returns: The articles to store: new ones, and known ones that the source completes.
    mutating func take(
        _ found: [FoundArticle], known: [String: NewsArticle], at now: Timestamp
    ) -> (articles: [NewsArticle], counts: Counts) {
        let arrival = lastArrival.map { max(now, $0 + .milliseconds(1)) } ?? now
        var counts = Counts(found: found.count)
        var articles: [NewsArticle] = []
        let ordered = found.map { (published: publication($0, arrival), id: $0.id, article: $0) }.sorted {
            ($0.published, $0.id) < ($1.published, $1.id)
        }
        for (published, id, article) in ordered {
            if let present = known[id] {
                counts.known += 1
                if let completed = Self.completed(present, by: article) { articles.append(completed) }
                continue
            }
            guard published >= asOf - settings.kept, settings.day == nil || published <= asOf else {
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

    /// The time of arrival for an article without a date, or with one in the future, which is a mistake of the source.
    private func publication(_ article: FoundArticle, _ arrival: Timestamp) -> Timestamp {
        min(article.publishedAt ?? arrival, arrival)
    }

    private mutating func make(_ found: FoundArticle, id: String, published: Timestamp, arrival: Timestamp)
        -> NewsArticle
    {
        let print = TextFingerprint(found.title + " " + (found.description ?? ""))
        let fingerprint = ArticleFingerprint(bits: Int64(bitPattern: print.bits), words: print.words)
        let isTimely = published >= asOf - settings.storyAge
        let article = NewsArticle(
            id: id, url: found.url, title: found.title, description: found.description, text: found.text,
            source: found.source, author: found.author, image: found.image, language: found.language,
            category: found.category, tickers: found.tickers, publishedAt: published, fetchedAt: arrival,
            day: isTimely ? day : nil, fingerprint: fingerprint, duplicateOf: original(of: found, print))
        if article.duplicateOf == nil {
            if print.words >= Self.fewestWords {
                originals.append(FingerprintedArticle(id: id, fingerprint: fingerprint))
            }
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

    /// A fingerprint of fewer words is too weak to compare; see `TextFingerprint.isNear`.
    private static let fewestWords = 20

    /// `nil` for short titles, which a publication may use twice a day.
    private static func titleKey(_ source: String, _ title: String) -> String? {
        let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }
        return words.count < 5 ? nil : source.lowercased() + "\n" + words.joined(separator: " ")
    }

    /// The article completed by another source; `nil` when that adds nothing. The longer text stays, and the name of a
    /// publication takes the place of an aggregator's.
    private static func completed(_ present: NewsArticle, by found: FoundArticle) -> NewsArticle? {
        var article = present
        if (found.text?.unicodeScalars.count ?? 0) > (present.text?.unicodeScalars.count ?? 0) {
            article.text = found.text
        }
        if Publishers.isAggregator(present.source), !Publishers.isAggregator(found.source) {
            article.source = found.source
        }
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
    /// The address as the source gives it, from which the page is read.
    var link: String
    var title: String
    var description: String?
    var text: String?
    var source: String
    /// Whether the item or the settings name the publication; else `source` is the title of the list.
    var namesPublication = true
    var author: String?
    var image: String?
    var language: String?
    var category: String?
    /// Tickers that the source, the title or the description names.
    var tickers: [String]
    var publishedAt: Timestamp?

    /// A short hash of the canonical address.
    var id: String { String(SHA256.hex(url).prefix(16)) }

    /// `nil` without a title or without a web address.
    init?(_ item: NewsItem, category: String?) {
        self.init(
            link: item.url, title: item.title, description: item.summary, source: item.publication,
            publishedAt: item.publishedAt)
        author = Self.line(item.author, 200)
        image = Self.image(item.image)
        self.category = category
        recognize(tickers: item.tickers)
    }

    init?(_ item: FeedItem, in feed: Feed, settings: IngestSettings.FeedInput) {
        self.init(
            link: item.link ?? "", title: item.title ?? "", description: item.summary,
            source: item.publisher ?? settings.source ?? feed.title,
            publishedAt: item.publishedAt ?? item.updatedAt)
        namesPublication = item.publisher != nil || settings.source != nil
        author = Self.line(item.author, 200)
        image = Self.image(item.image)
        language = Self.line(feed.language, 35)
        text = item.content.flatMap { Self.text(HTMLText.plain($0), Self.longestText) }
        // A text that is hardly longer than the summary is not the article's.
        if let text, text.unicodeScalars.count < 2 * (description?.unicodeScalars.count ?? 0) { self.text = nil }
        category =
            settings.category
            ?? item.categories.lazy.compactMap { NewsAPIClient.Category(rawValue: $0.lowercased())?.rawValue }.first
        recognize(tickers: [])
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
        self.publishedAt = publishedAt.map { Timestamp(milliseconds: $0.secondsSinceEpoch * 1000) }
        tickers = []
    }

    /// The text that was read for the article before a source listed it, where it is longer.
    mutating func take(kept headline: Headline) {
        if let kept = headline.text, kept.unicodeScalars.count > (text?.unicodeScalars.count ?? 0) {
            text = Self.text(kept, Self.longestText)
        }
        if !namesPublication || Publishers.isAggregator(source), !Publishers.isAggregator(headline.source) {
            source = headline.source
        }
    }

    /// The text of the article's page.
    mutating func take(page text: String) { self.text = Self.text(text, Self.longestText) }

    private mutating func recognize(tickers given: [String]) {
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

    /// The text in one line and cut to the limit in scalars; `nil` if it is empty.
    private static func line(_ text: String?, _ limit: Int) -> String? {
        let words = clean(text ?? "").split(whereSeparator: \.isWhitespace)
        return cut(words.joined(separator: " "), limit)
    }

    private static func text(_ text: String, _ limit: Int) -> String? {
        cut(clean(text).trimmed, limit)
    }

    private static func cut(_ text: String, _ limit: Int) -> String? {
        if text.isEmpty { return nil }
        return text.unicodeScalars.count <= limit ? text : String(text.prefix(scalars: limit - 1)) + "…"
    }

    /// No store accepts NUL characters, and any feed may contain them; characters that nobody sees may hide text.
    private static func clean(_ text: String) -> String {
        InvisibleMarks.removed(from: text.utf8.contains(0) ? text.filter { $0 != "\0" } : text)
    }
}
