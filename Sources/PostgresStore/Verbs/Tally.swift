import SQLSupport
package import JobQueue

extension PostgresStore: JobCounting {
    package func jobCounts(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobCount] {
        try await readers.perform(timestamp, in: reads.tally)
    }
}

extension BatchOperation where Input == Timestamp, Output == [JobCount] {
    static let tally = BatchOperation(
        limit: 4, timeout: .seconds(60),
        statements: { inputs, _ in inputs.map { timestamp in Statement(.jobCounts) { $0.add(timestamp.milliseconds) } } },
        read: { answer, _ in
            try answer.rows.map { rows in
                var tallies: [JobCount] = []
                try rows.each { tallies.append(try JobCount(&$0)) }
                return .done(tallies)
            }
        })
}
