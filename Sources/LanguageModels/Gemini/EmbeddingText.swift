/// A text to make a vector of, and what for.
package struct EmbeddingText: Sendable, Hashable {
    /// What a vector is compared with: one for clustering with others for clustering, a question's with documents'.
    package enum Purpose: String, Sendable, Hashable {
        case clustering = "CLUSTERING"
        case document = "RETRIEVAL_DOCUMENT"
        case question = "RETRIEVAL_QUERY"
    }

    /// Bytes of one text that are looked at.
    private static let longest = 6000

    package var text: String
    package var purpose: Purpose

    package init(_ text: String, for purpose: Purpose) {
        self.text = text
        self.purpose = purpose
    }

    /// The beginning of the text, as much as is looked at.
    var beginning: String {
        text.utf8.count <= Self.longest ? text : String(text.unicodeScalars.prefix(Self.longest / 4))
    }
}
