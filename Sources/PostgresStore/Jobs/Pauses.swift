import SQLSupport
package import JobQueue

extension PostgresStore {
    package func settlePausesNow(limit: Int) async throws(StoreError) -> Bool {
        try await writers.perform(limit, in: writes.settlePauses)
    }
}

extension BatchOperation where Input == Int, Output == Bool {
    /// Repeatable: each run goes on where the last one stopped.
    static let settlePauses = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { limit in
                Statement(.settlePauses) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(Int64(limit))
                    parameters.add(Pause.memory.wholeMilliseconds)
                }
            }
        },
        read: { answer, inputs in
            let found = answer.rows.first?.first { (hasMore: $0.flag(), madeReady: $0.flag()) }
            answer.madeReady = found?.madeReady ?? false
            answer.madeVisible = found?.hasMore ?? false
            return inputs.map { _ in .done(found?.hasMore ?? false) }
        })
}
