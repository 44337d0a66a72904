import SQLSupport
package import JobQueue

extension PostgresStore: ExplanationRepository {
    package func explanations(_ keys: [ExplanationKey]) async throws(StoreError) -> [StoryExplanation] {
        try Texts.rejectNUL(keys.flatMap(\.texts))
        let keys = Set(keys)
        return try await ask(.explanationGet) { parameters in
            parameters.add(texts: keys.map(\.story))
            parameters.add(texts: keys.map(\.holdingsText))
            parameters.add(texts: keys.map(\.version))
        } read: { rows in
            rows.map { StoryExplanation(&$0) }
        }
    }

    package func deleteExplanations(createdBefore timestamp: Int64, limit: Int) async throws(StoreError) -> Int {
        try await tell(.explanationDelete) { parameters in
            parameters.add(timestamp)
            parameters.add(Int64(limit))
        } read: { rows in
            rows.first { $0.int() } ?? 0
        }
    }
}
