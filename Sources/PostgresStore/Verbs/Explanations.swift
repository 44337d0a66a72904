internal import JobQueue
public import Records

extension PostgresStore: ExplanationRepository {
    public func explanations(_ keys: [ExplanationKey]) async throws(RecordsError) -> [StoryExplanation] {
        try Texts.refuseNUL(inRecord: keys.flatMap(\.texts))
        let keys = Set(keys)
        return try await ask(.explanationGet) { parameters in
            parameters.add(texts: keys.map(\.story))
            parameters.add(texts: keys.map(\.holdingsText))
            parameters.add(texts: keys.map(\.version))
        } read: { rows in
            rows.map { StoryExplanation(&$0) }
        }
    }

    public func deleteExplanations(createdBefore moment: Int64, limit: Int) async throws(RecordsError) -> Int {
        try await tell(.explanationDelete) { parameters in
            parameters.add(moment)
            parameters.add(Int64(limit))
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }
}
