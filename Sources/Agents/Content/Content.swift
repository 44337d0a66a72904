internal import Articles
package import DataSources
internal import HTTP
internal import JobQueue
internal import JSON

/// The text of an article or a video, as a job's journal holds it.
package struct Content: Sendable, Hashable {
    package typealias Kind = FetchedContent.Kind

    /// The canonical address.
    package var url: String
    /// Of a video, the text is the transcript.
    package var kind: Kind
    package var title: String?
    /// The publisher: a site or a channel.
    package var site: String?
    /// A language tag such as `en` or `pt-BR`, as the page states it.
    package var language: String?
    /// ISO 8601.
    package var publishedAt: String?
    package var text: String
    /// Whether the page says that its text is for subscribers.
    package var isForSubscribers: Bool
    /// Whether the page asks programs to keep no copy.
    package var refusesCopies: Bool

    package init(
        url: String, kind: Kind, title: String? = nil, site: String? = nil, language: String? = nil,
        publishedAt: String? = nil, text: String, isForSubscribers: Bool = false, refusesCopies: Bool = false
    ) {
        self.url = url
        self.kind = kind
        self.title = title
        self.site = site
        self.language = language
        self.publishedAt = publishedAt
        self.text = text
        self.isForSubscribers = isForSubscribers
        self.refusesCopies = refusesCopies
    }

    init(_ reading: FetchedContent) {
        self.init(
            url: reading.url, kind: reading.kind, title: reading.title, site: reading.site,
            language: reading.language, publishedAt: reading.publishedAt?.description, text: reading.text,
            isForSubscribers: reading.access == .subscribers, refusesCopies: reading.access == .noCopies)
    }
}

extension Content {
    /// Without NUL characters, which no store accepts and any page may contain.
    var json: JSON {
        func clean(_ text: String?) -> JSON { JSON(text?.filter { $0 != "\0" }) }
        return [
            "url": clean(url), "kind": JSON(kind.rawValue), "title": clean(title), "site": clean(site),
            "language": clean(language), "published_at": clean(publishedAt), "text": clean(text),
        ]
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        guard let kind = Kind(rawValue: try field["kind"].string()) else {
            throw field["kind"].failure("is no kind of content")
        }
        self.init(
            url: try field["url"].string(), kind: kind, title: try field["title"].optional?.string(),
            site: try field["site"].optional?.string(), language: try field["language"].optional?.string(),
            publishedAt: try field["published_at"].optional?.string(), text: try field["text"].string())
    }
}

/// Reads the page or video at an address that a user gave; `ContentFetcher` in production.
package protocol ContentReader: Sendable {
    func read(_ url: String) async throws(FetchError) -> Content
}

extension ContentFetcher: ContentReader {
    package func read(_ url: String) async throws(FetchError) -> Content {
        Content(try await read(url, languages: ["en"]))
    }
}

extension PageCrawler: ContentReader {
    package func read(_ url: String) async throws(FetchError) -> Content {
        let page: FetchedContent = try await read(url)
        return Content(page)
    }
}

/// The step that reads the page or video at an address.
struct ContentStep: Sendable {
    let reader: any ContentReader

    func read(_ url: String, in context: JobContext) async throws(AgentError) -> Content {
        let entry = try await context.journal.step("read", input: ["url": JSON(url)]) {
            try await Requester.$current.withValue(context.job.user.rawValue) { try await reader.read(url).json }
        }
        return try entry.decoded("content") { try Content($0) }
    }
}

/// The beginning of a text, up to the limit of what a model reads and to the end of a paragraph or else of a sentence.
struct Excerpt: Sendable, Hashable {
    /// Characters that a model reads of one piece of content: about an hour of speech.
    static let limit = 48_000

    let text: String
    /// Characters of the whole text.
    let total: Int
    /// Characters of the excerpt.
    let count: Int

    var isCut: Bool { count < total }

    /// - Parameters:
    ///   - text: The whole text.
    ///   - limit: The most characters, which are Unicode scalars here. Half as many bytes more are allowed than that,
    ///     since scalars of several bytes cost a model more: a text in Greek keeps three quarters, one of emoji less.
    init(of text: String, limit: Int = Self.limit) {
        total = text.unicodeScalars.count
        let head = Self.head(of: text, scalars: limit, bytes: limit + limit / 2)
        guard head.endIndex < text.endIndex else {
            self.text = text
            count = total
            return
        }
        let end = Self.end(of: head)
        count = head[..<end].count
        self.text = String(text[..<end])
    }

    private static func head(of text: String, scalars limit: Int, bytes: Int) -> Substring.UnicodeScalarView {
        let all = text.unicodeScalars
        var end = all.startIndex
        var (scalars, used) = (0, 0)
        while end < all.endIndex, scalars < limit {
            used += UTF8.width(all[end])
            guard used <= bytes else { break }
            scalars += 1
            end = all.index(after: end)
        }
        return all[..<end]
    }

    /// The end of a paragraph, else of a sentence. One that is longer than half of the text is cut between two words.
    private static func end(of head: Substring.UnicodeScalarView) -> String.Index {
        let half = head.index(head.startIndex, offsetBy: head.count / 2)
        if let line = head.lastIndex(where: { $0 == "\n" || $0 == "\r" }), line > half { return line }
        if let stop = head.lastIndex(where: { $0 == "." || $0 == "!" || $0 == "?" }) {
            let end = head.index(after: stop)
            if end > half { return end }
        }
        return head.lastIndex { $0.properties.isWhitespace } ?? head.endIndex
    }

    /// A sentence that informs the model of the cut; `nil` when the text is whole.
    var remark: String? {
        isCut ? "The text is the first \(count) of \(total) characters; what follows was left out." : nil
    }
}
