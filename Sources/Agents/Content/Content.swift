internal import Articles
package import DataSources
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
