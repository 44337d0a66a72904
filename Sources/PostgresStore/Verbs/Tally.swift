import SQLSupport
package import JobQueue

extension PostgresStore: StoreTallies {
    package func tally(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobTally] {
        try await readers.perform(timestamp, in: reads.tally)
    }
}

extension BatchOperation where Input == Timestamp, Output == [JobTally] {
    static let tally = BatchOperation(
        limit: 4, timeout: .seconds(60),
        statements: { inputs, _ in inputs.map { timestamp in Statement(.jobTally) { $0.add(timestamp.milliseconds) } } },
        read: { answer, _ in
            try answer.rows.map { rows in
                var tallies: [JobTally] = []
                try rows.each { tallies.append(try JobTally(&$0)) }
                return .done(tallies)
            }
        })
}
