public import JobQueue

extension PostgresStore: StoreTallies {
    public func tally(submittedSince moment: Timestamp) async throws(StoreError) -> [JobTally] {
        try await readers.perform(moment, in: reads.tally)
    }
}

extension BatchVerb where Input == Timestamp, Output == [JobTally] {
    static let tally = BatchVerb(
        limit: 4, timeout: .seconds(60),
        statements: { inputs, _ in inputs.map { moment in Statement(.jobTally) { $0.add(moment.milliseconds) } } },
        read: { answer, _ in
            try answer.rows.map { rows in
                var tallies: [JobTally] = []
                try rows.each { tallies.append(try JobTally(&$0)) }
                return .done(tallies)
            }
        })
}
