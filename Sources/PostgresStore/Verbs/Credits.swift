import SQLSupport
package import JobQueue

extension PostgresStore {
    package func balance(of user: UserID, startingCredits: Int) async throws(StoreError) -> CreditBalance {
        try await readers.perform(user, in: reads.balance)
            ?? CreditBalance(granted: startingCredits, held: 0, used: 0)
    }

    package func grant(
        _ amount: Int, to user: UserID, note: String, startingCredits: Int
    ) async throws(StoreError) -> CreditBalance? {
        try Texts.rejectNUL([("note", note)])
        let input = GrantInput(
            operation: JobID(high: .random(in: 0...(.max)), low: .random(in: 0...(.max))), user: user, amount: amount,
            note: note, startingCredits: startingCredits)
        return try await writers.perform(input, in: writes.grant)
    }

    package func auditCredits() async throws(StoreError) -> [CreditDiscrepancy] {
        try await readers.perform((), in: reads.audit)
    }

    package func modelSpend(of user: UserID, since timestamp: Timestamp) async throws(StoreError) -> Int64 {
        try await readers.perform(SpendQuestion(user: user, since: timestamp), in: reads.spend)
    }

    package func modelCosts(
        by grouping: CostGrouping, since timestamp: Timestamp
    ) async throws(StoreError) -> [CostLine] {
        try await readers.perform(CostQuestion(grouping: grouping, since: timestamp), in: reads.costs)
    }
}

struct GrantInput: Sendable {
    /// What this grant is known by, should its answer get lost.
    var operation: JobID
    var user: UserID
    var amount: Int
    var note: String
    var startingCredits: Int
}

extension BatchOperation where Input == GrantInput, Output == CreditBalance? {
    /// Repeatable, since each grant has a number of its own, which the ledger keeps.
    static let grant = BatchOperation(
        limit: 16,
        keys: { [.user($0.user)] },
        rank: { .user($0.user) },
        statements: { inputs, context in
            inputs.map { input in
                Statement(.grantCredits) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(input.operation)
                    parameters.add(input.user.rawValue)
                    parameters.add(Int64(input.amount))
                    parameters.add(input.note)
                    parameters.add(Int64(input.startingCredits))
                }
            }
        },
        read: { answer, _ in answer.rows.map { rows in .done(rows.first { CreditBalance(&$0) }) } })
}
