internal import JSON
internal import JobQueue

/// A passage as an answer refers to it.
struct CitedPassage: Sendable, Hashable {
    /// `p1`, `p2`, …: what the model calls it.
    let id: String
    let kind: String
    /// The source among those of its kind.
    let source: String
    let title: String
    let url: String?
    let text: String

    init(_ passage: Passage, number: Int) {
        id = "p\(number)"
        kind = passage.kind.rawValue
        source = passage.source
        title = passage.title
        url = passage.url
        text = passage.text
    }

    init(_ field: JSONField) throws(JSONFieldError) {
        id = try field["id"].string()
        kind = try field["kind"].string()
        source = try field["source"].string()
        title = try field["title"].string()
        url = try field["url"].optional?.string()
        text = try field["text"].string()
    }

    var json: JSON {
        [
            "id": JSON(id), "kind": JSON(kind), "source": JSON(source), "title": JSON(title), "url": JSON(url),
            "text": JSON(text),
        ]
    }

    var promptInput: JSON { ["id": JSON(id), "title": JSON(title), "text": JSON(text)] }

    /// As the app shows it below an answer.
    var citation: JSON {
        [
            "kind": JSON(kind), "id": JSON(source), "title": JSON(title), "url": JSON(url),
            "quote": JSON(Excerpt(of: text, limit: 280).text),
        ]
    }
}
