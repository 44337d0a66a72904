package import JobQueue
package import SQLSupport

extension PostgresStore: RecordDatabase {
    package func read<Value: Sendable>(
        _ query: RecordQuery, _ parameters: [RecordParameter],
        row: @escaping @Sendable (inout PostgresRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        let queue = query == .pendingByQueue ? reads.scans : reads.records
        return try await perform(Statement(query, parameters, now: now?()), in: readers, queue, row: row)
    }

    package func write<Value: Sendable>(
        _ query: RecordQuery, _ parameters: [RecordParameter],
        row: @escaping @Sendable (inout PostgresRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        try await perform(Statement(query, parameters, now: now?()), in: writers, writes.records, row: row)
    }

    package func replaceCommonPassages(
        of kind: Passage.Kind, with passages: [Passage]
    ) async throws(StoreError) {
        for passage in passages { try Texts.rejectNUL(passage.texts) }
        let statement = Statement(.passagesReplace) { parameters in
            parameters.add(kind.rawValue)
            parameters.add(texts: passages.map(\.storedBody))
            parameters.add(now?().milliseconds)
        }
        let _: [Void] = try await perform(statement, in: writers, writes.records) { _ in }
    }

    func perform<Value: Sendable>(
        _ statement: Statement, in executor: BatchExecutor, _ queue: BatchQueue<RecordStatement, any Sendable>,
        row: @escaping @Sendable (inout PostgresRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        let request = RecordStatement(statement: statement) { rows in try rows.map(row) }
        let answer = try await executor.perform(request, in: queue)
        guard let values = answer as? [Value] else { throw .unavailable(reason: "an answer is missing") }
        return values
    }
}

/// A statement over records and the reading of its rows.
struct RecordStatement: Sendable {
    let statement: Statement
    let read: @Sendable (PostgresRows) throws -> any Sendable
}

extension BatchOperation where Input == RecordStatement, Output == any Sendable {
    /// Statements that wait together run in one transaction. They can be repeated: each is a read, or a write that
    /// changes nothing the second time.
    static let records = statements(limit: 32)

    /// The sums of weeks take longer than records.
    static let monitoring = statements(limit: 4, timeout: .seconds(120))

    static let scans = statements(limit: 1, timeout: .seconds(60), scansTables: true)

    private static func statements(limit: Int, timeout: Duration? = nil, scansTables: Bool = false) -> BatchOperation {
        BatchOperation(
            limit: limit, timeout: timeout, scansTables: scansTables,
            weight: { $0.statement.parameters.bytes.count },
            statements: { inputs, _ in inputs.map(\.statement) },
            read: { answer, inputs in
                try zip(inputs, answer.rows).map { input, rows in .done(try input.read(rows)) }
            })
    }
}

extension Statement {
    /// `now` is the time that a test sets; `nil` leaves it to the database.
    fileprivate init(_ query: RecordQuery, _ parameters: [RecordParameter], now: Timestamp?) {
        self.init(named: query.rawValue) { filled in
            for parameter in parameters {
                switch parameter {
                case .integer(let value): filled.add(value)
                case .text(let text, _): filled.add(text)
                case .job(let id): filled.add(id)
                case .integers(let values): filled.add(integers: values)
                case .texts(let texts?, _): filled.add(texts: texts)
                case .texts(nil, _): filled.add(nil as String?)
                case .bytes(let bytes): filled.add(bytes)
                case .now: filled.add(now?.milliseconds)
                }
            }
        }
    }

    /// The statement that writes the records of the effects of a batch, after the one that checks its leases; none
    /// when there are no records.
    static func records(of requests: [(lease: Lease, effects: [Effect])], at now: Timestamp?) -> [Statement] {
        var records: [(place: Int64, record: any StoredRecord)] = []
        for (index, request) in requests.enumerated() {
            for case .record(let change) in request.effects { records.append((Int64(index + 1), change.record)) }
        }
        if records.isEmpty { return [] }
        return [
            Statement(.applyRecords) { parameters in
                parameters.add(now?.milliseconds)
                parameters.add(ids: requests.map(\.lease.job))
                parameters.add(integers: requests.map(\.lease.epoch))
                parameters.add(integers: records.map(\.place))
                parameters.add(texts: records.map { type(of: $0.record).noun })
                parameters.add(texts: records.map(\.record.naturalKey))
                parameters.add(texts: records.map(\.record.storedBody))
            }
        ]
    }
}
