internal import Digest
internal import JobQueue
public import Records

extension SQLiteStore: PassageVectorRepository {
    public func digestsWithoutVector(
        of model: String, for user: Int64, among limit: Int
    ) async throws(RecordsError) -> [String] {
        try Texts.refuseNUL(inRecord: [("passage_vector.model", model)])
        return try await ask { database in
            try database.all(.passageVectorsMissing, .text(model), .integer(user), .integer(max(limit, 0))) {
                $0.text()
            }
        }
    }

    public func passageVectors(
        of model: String, for user: Int64, among limit: Int
    ) async throws(RecordsError) -> [PassageVector] {
        try Texts.refuseNUL(inRecord: [("passage_vector.model", model)])
        return try await ask { database in
            try database.all(.passageVectors, .text(model), .integer(user), .integer(max(limit, 0))) {
                PassageVector(&$0)
            }
        }
    }

    public func passages(
        ofDigests digests: [String], for user: Int64
    ) async throws(RecordsError) -> [String: Passage] {
        guard !digests.isEmpty else { return [:] }
        try Texts.refuseNUL(inRecord: digests.map { ("passage_vector.digest", $0) })
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
