internal import Articles
package import DataSources
internal import JobQueue
internal import JSON

/// What an article or a video says, as a job keeps it.
package struct Content: Sendable, Hashable {
    package typealias Kind = FetchedContent.Kind

    /// The canonical address.
    package var url: String
    /// Of a video, the text is the transcript.
    package var kind: Kind
    package var title: String?
    /// Who publishes it: a site or a channel.
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
    /// No store keeps a NUL, and pages hold what they like.
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

/// Reads what stands behind an address that a user gave; `ContentFetcher` in production, anything in tests.
package protocol ContentReader: Sendable {
    /// The content of a page or a video of the public web.
    func read(_ url: String) async throws(FetchError) -> Content
}

extension ContentFetcher: ContentReader {
    package func read(_ url: String) async throws(FetchError) -> Content {
        Content(try await read(url, languages: ["en"]))
    }
}

/// The step that reads what stands behind an address, once in the life of the job.
struct ContentStep: Sendable {
    let reader: any ContentReader

    func read(_ url: String, in context: JobContext) async throws(AgentError) -> Content {
        let entry = try await context.journal.step("read", input: ["url": JSON(url)]) { () async throws(AgentError) in
            do throws(FetchError) {
                return (try await reader.read(url).json, [])
            } catch {
                throw AgentError(error)
            }
        }
        do {
            return try Content(JSONField(entry.output))
        } catch {
            throw .failed(
                AgentFailure(
                    .internalFailure("the journalled content cannot be read: \(error)"), isTransient: false,
                    dropStepsFrom: entry.sequence))
        }
    }
}

extension AgentError {
    init(_ error: FetchError) {
        let userMessage: String
        switch error {
        case .cancelled:
            self = .interrupted
            return
        case .invalidURL, .forbiddenAddress: userMessage = "That does not look like the address of a web page."
        case .notAPage, .noText, .tooLarge: userMessage = "We could not find a text to read at that address."
        case .video: userMessage = "We could not read what is said in that video."
        default: userMessage = "We could not open that address. Please check it, or try again later."
        }
        self = .failed(
            AgentFailure(
                JobError(
                    code: "EXT_4006", message: "The content cannot be read: \(error).", userMessage: userMessage),
                isTransient: error.isTransient))
    }
}

/// As much of a text as a model is given to read: the beginning, up to the end of a paragraph or else of a sentence.
struct Excerpt: Sendable, Hashable {
    /// Characters that a model reads of one piece of content: about an hour of talk.
    static let limit = 48_000

    let text: String
    /// Characters of the whole text.
    let total: Int

    /// How many characters were kept.
    var count: Int { text.count }
    var isCut: Bool { count < total }

    init(of text: String, limit: Int = Self.limit) {
        total = text.count
        guard total > limit else {
            self.text = text
            return
        }
        let head = text.prefix(limit)
        // A paragraph or sentence that is longer than half of what may be kept is cut in its midst, between two words.
        let half = head.index(head.startIndex, offsetBy: limit / 2)
        let end =
            head.lastIndex(where: \.isNewline)
            .flatMap { $0 > half ? $0 : nil }
            ?? head.lastIndex { ".!?".contains($0) }.map { head.index(after: $0) }.flatMap { $0 > half ? $0 : nil }
            ?? head.lastIndex(where: \.isWhitespace) ?? head.endIndex
        self.text = String(head[..<end])
    }

    /// What the model is told of the cut; `nil` when there is none.
    var remark: String? {
        isCut ? "The text is the first \(count) of \(total) characters; what follows was left out." : nil
    }
}
