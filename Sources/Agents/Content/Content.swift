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

    package init(
        url: String, kind: Kind, title: String? = nil, site: String? = nil, language: String? = nil,
        publishedAt: String? = nil, text: String
    ) {
        self.url = url
        self.kind = kind
        self.title = title
        self.site = site
        self.language = language
        self.publishedAt = publishedAt
        self.text = text
    }

    init(_ reading: FetchedContent) {
        self.init(
            url: reading.url, kind: reading.kind, title: reading.title, site: reading.site,
            language: reading.language, publishedAt: reading.publishedAt?.description, text: reading.text)
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
    var count: Int { text.count }
    var isCut: Bool { count < total }

    init(of text: String, limit: Int = Self.limit) {
        total = text.count
        guard total > limit else {
            self.text = text
            return
        }
        let head = text.prefix(limit)
        // A paragraph or sentence longer than half of the limit is cut between two words.
        let half = head.index(head.startIndex, offsetBy: limit / 2)
        let end =
            head.lastIndex(where: \.isNewline)
            .flatMap { $0 > half ? $0 : nil }
            ?? head.lastIndex { ".!?".contains($0) }.map { head.index(after: $0) }.flatMap { $0 > half ? $0 : nil }
            ?? head.lastIndex(where: \.isWhitespace) ?? head.endIndex
        self.text = String(head[..<end])
    }

    /// A sentence that informs the model of the cut; `nil` when the text is whole.
    var remark: String? {
        isCut ? "The text is the first \(count) of \(total) characters; what follows was left out." : nil
    }
}
