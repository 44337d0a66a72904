import SQLSupport
internal import Basics
package import JobQueue

extension SQLiteStore: PassageVectorRepository {
    package func digestsWithoutVector(
        of model: String, for user: Int64, among limit: Int
    ) async throws(StoreError) -> [String] {
        try Texts.rejectNUL([("passage_vector.model", model)])
        return try await ask { database in
            try database.all(.passageVectorsMissing, .text(model), .integer(user), .integer(max(limit, 0))) {
                $0.text()
            }
        }
    }

    package func passageVectors(
        of model: String, for user: Int64, among limit: Int
    ) async throws(StoreError) -> [PassageVector] {
        try Texts.rejectNUL([("passage_vector.model", model)])
        return try await ask { database in
            try database.all(.passageVectors, .text(model), .integer(user), .integer(max(limit, 0))) {
                PassageVector(&$0)
            }
        }
    }

    package func passages(
        ofDigests digests: [String], for user: Int64
    ) async throws(StoreError) -> [String: Passage] {
        guard !digests.isEmpty else { return [:] }
        try Texts.rejectNUL(digests.map { ("passage_vector.digest", $0) })
        let found = try await ask { database in
            try database.all(.passageByDigests, .list(digests), .integer(user)) { ($0.text(), try Passage(&$0)) }
        }
        return Dictionary(found) { first, _ in first }
    }
}

extension SQLiteConnection {
    func put(_ vector: PassageVector) throws {
        try run(.passageVectorPut, .text(vector.digest), .text(vector.model), .text(vector.components))
    }
}

extension Passage {
    /// Stands for what vectors are made of.
    var digest: String { SHA256.hex(titledText) }
}
