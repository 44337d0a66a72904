/// A piece of text that answers may rest on, found by its words.
package struct Passage: Sendable, Hashable, Codable {
    /// What kind of source it is from.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A page of the library, for everybody.
        case document
        /// A research report, for the user who asked for it.
        case report
        /// Everybody's explanation of a story.
        case story
        /// A news article.
        case article
    }

    package var kind: Kind
    /// The source among those of its kind: a page's name, the id of a report's job, the number of the group in which
    /// everybody sees a story, an article's id.
    package var source: String
    /// The place within the source, from 0. Kind, source and place are the natural key.
    package var part: Int64
    /// The only user who may see it; `nil` for everybody.
    package var owner: Int64?
    /// What the source is called, with the section where there is one.
    package var title: String
    /// Where the source stands, when it has an address.
    package var url: String?
    package var text: String
    /// The stems of its words, each once, with spaces between them: what it is found by.
    package var terms: String
    /// When the source was written, in milliseconds since 1970; 0 when that is not known.
    package var writtenAt: Int64

    package init(
        kind: Kind, source: String, part: Int64, owner: Int64? = nil, title: String, url: String? = nil, text: String,
        terms: String, writtenAt: Int64
    ) {
        self.kind = kind
        self.source = source
        self.part = part
        self.owner = owner
        self.title = title
        self.url = url
        self.text = text
        self.terms = terms
        self.writtenAt = writtenAt
    }

    /// What a vector of it is made of, and by whose digest it is found again.
    package var titledText: String { "\(title)\n\(text)" }
}

/// Finds passages by their words.
package protocol PassageRepository: Sendable {
    /// Passages that hold at least one of the terms and that the user may see: their own and everybody's. At most
    /// `limit`, those that fit best first. Terms are stems as `Passage.terms` holds them, of letters and digits; others
    /// are passed over.
    func passages(holding terms: [String], for user: Int64, limit: Int) async throws(StoreError) -> [Passage]

    /// Makes these all the passages of their kind that belong to everybody.
    func replaceCommonPassages(of kind: Passage.Kind, with passages: [Passage]) async throws(StoreError)
}

extension Passage: StoredRecord {
    package static var noun: String { "passage" }
    package var naturalKey: String { "\(kind.rawValue)/\(source)/\(part)" }
    package var texts: [(name: String, text: String?)] {
        [
            ("passage.source", source), ("passage.title", title), ("passage.url", url), ("passage.text", text),
            ("passage.terms", terms),
        ]
    }
}
