/// What a model of embeddings made of a passage's title and text.
///
/// It belongs to the text and not to the passage: a passage that is written again with the same text has it already, and
/// one with another text does not. Nobody sees vectors but the service.
package struct PassageVector: Hashable, Sendable, Codable {
    /// The SHA-256 of the title, a line feed and the text, in hexadecimal digits.
    package var digest: String
    /// The model; vectors of different models cannot be compared.
    package var model: String
    /// The vector's parts as 32-bit numbers, eight hexadecimal digits each.
    package var components: String

    package init(digest: String, model: String, components: String) {
        self.digest = digest
        self.model = model
        self.components = components
    }

    package init(digest: String, model: String, values: [Float]) {
        self.init(digest: digest, model: model, components: VectorComponents.text(of: values))
    }

    /// The vector's parts.
    package var values: [Float] { VectorComponents.values(of: components) }
}

/// Finds passages by the vectors of their texts. Jobs write these, as `RecordChange.passageVector`.
///
/// What it looks at are the latest of the user's own passages, at most `limit`, and as many of everybody's: those
/// without a date first, which do not grow old, then the latest.
package protocol PassageVectorRepository: Sendable {
    /// The digests of those passages that have no vector of the model yet, in that order.
    func digestsWithoutVector(
        of model: String, for user: Int64, among limit: Int
    ) async throws(StoreError) -> [String]

    /// The vectors of the model that those passages have, in that order.
    func passageVectors(
        of model: String, for user: Int64, among limit: Int
    ) async throws(StoreError) -> [PassageVector]

    /// The passages of these digests that the user may see, one for each digest that has any.
    func passages(ofDigests digests: [String], for user: Int64) async throws(StoreError) -> [String: Passage]
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
