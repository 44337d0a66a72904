import SQLSupport
internal import JobQueue

/// A statement over records and the reading of what it answers. Statements that wait together go in one transaction.
struct RecordStatement: Sendable {
    let statement: Statement
    let read: @Sendable (PostgresRows) throws -> any Sendable
}

extension BatchOperation where Input == RecordStatement, Output == any Sendable {
    /// Repeatable as far as the statements are: each is a read, or a write that changes nothing the second time.
    static let records = BatchOperation(
        limit: 32,
        weight: { $0.statement.parameters.bytes.count },
        statements: { inputs, _ in inputs.map(\.statement) },
        read: { answer, inputs in
            try zip(inputs, answer.rows).map { input, rows in .done(try input.read(rows)) }
        })
}

extension PostgresStore {
    /// Reads records.
    func ask<Value: Sendable>(
        _ query: Query, _ fill: (inout Parameters) -> Void, read: @escaping @Sendable (PostgresRows) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform(query, fill, in: readers, reads.records, read: read)
    }

    /// Writes records; the statement must change nothing when it comes twice, since its answer may be lost.
    func tell<Value: Sendable>(
        _ query: Query, _ fill: (inout Parameters) -> Void, read: @escaping @Sendable (PostgresRows) throws -> Value
    ) async throws(StoreError) -> Value {
        try await perform(query, fill, in: writers, writes.records, read: read)
    }

    private func perform<Value: Sendable>(
        _ query: Query, _ fill: (inout Parameters) -> Void, in desk: BatchExecutor,
        _ queue: BatchQueue<RecordStatement, any Sendable>, read: @escaping @Sendable (PostgresRows) throws -> Value
    ) async throws(StoreError) -> Value {
        let answer: any Sendable
        let statement = RecordStatement(statement: Statement(query, fill), read: { try read($0) })
        answer = try await desk.perform(statement, in: queue)
        guard let value = answer as? Value else { throw .unavailable(reason: "an answer is missing") }
        return value
    }
}
