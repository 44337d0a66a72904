/// A text to make a vector of, and what for.
public struct EmbeddingText: Sendable, Hashable {
    /// What a vector is compared with: one for clustering with others for clustering, a question's with documents'.
    public enum Purpose: String, Sendable, Hashable {
        case clustering = "CLUSTERING"
        case document = "RETRIEVAL_DOCUMENT"
        case question = "RETRIEVAL_QUERY"
    }

    /// Bytes of one text that are looked at.
    private static let longest = 6000

    public var text: String
    public var purpose: Purpose

    public init(_ text: String, for purpose: Purpose) {
        self.text = text
        self.purpose = purpose
    }

    /// The beginning of the text, as much as is looked at.
    var beginning: String {
        text.utf8.count <= Self.longest ? text : String(text.unicodeScalars.prefix(Self.longest / 4))
    }
}
