/// A piece of text that answers may rest on, found by its words or by the vector of its text.
package struct Passage: Sendable, Hashable, Codable {
    /// The kind of source.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A page of the library, for all users.
        case document
        /// A research report, for the user that requested it.
        case report
        /// The explanation of a story that all users see.
        case story
        /// A news article.
        case article
    }

    package var kind: Kind
    /// The source among those of its kind: a page's name, the id of a report's job, the number of the group in which
    /// all users see a story, or an article's id.
    package var source: String
    /// The place within the source, from 0. Kind, source and place are the natural key.
    package var part: Int64
    /// The only user that may see the passage; `nil` for all users.
    package var owner: UserID?
    /// The title of the source, with the section if there is one.
    package var title: String
    /// The address of the source, if it has one.
    package var url: String?
    package var text: String
    /// The stems of the words, each once, separated by spaces: the search index.
    package var terms: String
    /// The time at which the source was written; 0 when that is not known.
    package var writtenAt: Timestamp

    package init(
        kind: Kind, source: String, part: Int64, owner: UserID? = nil, title: String, url: String? = nil, text: String,
        terms: String, writtenAt: Timestamp
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

    /// The text from which a vector is made. Its digest identifies the vector.
    package var titledText: String { "\(title)\n\(text)" }
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

/// Finds passages by their words.
package protocol PassageRepository: Sendable {
    /// Passages with at least one of the terms that the user may see: their own and those for all users. At most
    /// `limit`, the best match first. Terms are stems as in `Passage.terms`, of letters and digits; other terms are
    /// ignored.
    func passages(holding terms: [String], for user: UserID, limit: Int) async throws(StoreError) -> [Passage]

    /// Replaces all passages of a kind that are for all users.
    func replaceCommonPassages(of kind: Passage.Kind, with passages: [Passage]) async throws(StoreError)
}

/// The vector that an embedding model made of a passage's title and text.
///
/// A vector belongs to the text, not to the passage: a passage that is written again with the same text has its vector
/// already. Vectors stay inside the service.
package struct PassageVector: Hashable, Sendable, Codable {
    /// The SHA-256 of the title, a line feed and the text, in hexadecimal digits.
    package var digest: String
    /// The model; vectors of different models cannot be compared.
    package var model: String
    /// The vector in the form of `VectorComponents`.
    package var components: String

    package init(digest: String, model: String, components: String) {
        self.digest = digest
        self.model = model
        self.components = components
    }

    package init(digest: String, model: String, values: [Float]) {
        self.init(digest: digest, model: model, components: VectorComponents.text(of: values))
    }

    package var values: [Float] { VectorComponents.values(of: components) }
}

extension PassageVector: StoredRecord {
    package static var noun: String { "passage_vector" }
    package var naturalKey: String { "\(digest) \(model)" }
    package var texts: [(name: String, text: String?)] {
        [
            ("passage_vector.digest", digest), ("passage_vector.model", model),
            ("passage_vector.components", components),
        ]
    }
}

/// Finds passages by the vectors of their texts. Jobs write vectors as `RecordChange.passageVector`.
///
/// A search covers at most `limit` of the user's own passages and as many of those for all users: passages without a
/// date first, since they do not age, then the latest.
package protocol PassageVectorRepository: Sendable {
    /// The digests of the covered passages that have no vector of the model yet, in that order.
    func digestsWithoutVector(
        of model: String, for user: UserID, among limit: Int
    ) async throws(StoreError) -> [String]

    /// The vectors of the model that the covered passages have, in that order.
    func passageVectors(
        of model: String, for user: UserID, among limit: Int
    ) async throws(StoreError) -> [PassageVector]

    /// The passages with these digests that the user may see, at most one for each digest.
    func passages(ofDigests digests: [String], for user: UserID) async throws(StoreError) -> [String: Passage]
}

/// The components of a vector as text: 32-bit numbers of eight hexadecimal digits each.
package enum VectorComponents {
    package static func text(of values: [Float]) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(values.count * 8)
        for value in values {
            for shift in stride(from: 28, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift) & 15)
                digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }

    package static func values(of text: String) -> [Float] {
        var values: [Float] = []
        var (bits, digits): (UInt32, Int) = (0, 0)
        values.reserveCapacity(text.utf8.count / 8)
        for letter in text.utf8 {
            bits = bits << 4 | UInt32(letter <= UInt8(ascii: "9") ? letter & 15 : letter & 15 + 9)
            digits += 1
            guard digits == 8 else { continue }
            values.append(Float(bitPattern: bits))
            (bits, digits) = (0, 0)
        }
        return values
    }
}
