import SQLSupport
package import JobQueue

extension PostgresStore: PassageVectorRepository {
    package func digestsWithoutVector(
        of model: String, for user: Int64, among limit: Int
    ) async throws(StoreError) -> [String] {
        try Texts.rejectNUL([("passage_vector.model", model)])
        return try await ask(.passageVectorsMissing) { parameters in
            parameters.add(model)
            parameters.add(user)
            parameters.add(Int64(max(limit, 0)))
        } read: { rows in
            rows.map { $0.text() }
        }
    }

    package func passageVectors(
        of model: String, for user: Int64, among limit: Int
    ) async throws(StoreError) -> [PassageVector] {
        try Texts.rejectNUL([("passage_vector.model", model)])
        return try await ask(.passageVectors) { parameters in
            parameters.add(model)
            parameters.add(user)
            parameters.add(Int64(max(limit, 0)))
        } read: { rows in
            rows.map { PassageVector(&$0) }
        }
    }

    package func passages(
        ofDigests digests: [String], for user: Int64
    ) async throws(StoreError) -> [String: Passage] {
        guard !digests.isEmpty else { return [:] }
        try Texts.rejectNUL(digests.map { ("passage_vector.digest", $0) })
        return try await ask(.passageByDigests) { parameters in
            parameters.add(texts: digests)
            parameters.add(user)
        } read: { rows in
            Dictionary(try rows.map { ($0.text(), try Passage(&$0)) }) { first, _ in first }
        }
    }
}
