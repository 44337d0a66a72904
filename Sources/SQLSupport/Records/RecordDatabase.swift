package import JobQueue

/// A database that runs the queries of records: the seam on which every repository is written once.
///
/// A store implements `read` and `write` and holds a text for each `RecordQuery` in its own dialect. The differences
/// between databases (arrays or JSON lists, full text search, one function or several statements) are in those texts.
package protocol RecordDatabase: Repositories {
    associatedtype Row: StoredRow

    /// Runs a query that only reads and reads its rows. It sees every commit that was acknowledged before the call.
    func read<Value: Sendable>(
        _ query: RecordQuery, _ parameters: [RecordParameter], row: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(StoreError) -> [Value]

    /// Runs a query that writes, in one transaction, and reads the rows that it returns.
    ///
    /// The query may run twice when its answer is lost, so that it must change nothing the second time.
    func write<Value: Sendable>(
        _ query: RecordQuery, _ parameters: [RecordParameter], row: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(StoreError) -> [Value]

    /// Does a part of the work of pauses that are not settled (see `PauseRepository.settlePauses`).
    func settlePausesNow(limit: Int) async throws(StoreError) -> Bool
}

/// A value for a placeholder of a query; the first one is `$1` or `?1`.
package enum RecordParameter: Sendable {
    case integer(Int64?)
    /// `field` names the value in the error for a text that holds a NUL.
    case text(String?, of: String)
    case job(JobID?)
    case integers([Int64])
    case texts([String?]?, of: String)
    case bytes([UInt8])
    /// The store's time.
    case now

    static func user(_ user: UserID) -> RecordParameter { .integer(user.rawValue) }
    static func timestamp(_ timestamp: Timestamp) -> RecordParameter { .integer(timestamp.milliseconds) }
    static func integer(_ value: Int) -> RecordParameter { .integer(Int64(value)) }
    /// A limit or an offset, which databases refuse below zero.
    static func count(_ value: Int) -> RecordParameter { .integer(Int64(max(value, 0))) }

    /// - Throws: `invalidText` when a text holds a NUL.
    fileprivate func rejectNUL() throws(StoreError) {
        switch self {
        case .integer, .job, .integers, .bytes, .now: break
        case .text(let text, let field): try Texts.rejectNUL([(field, text)])
        case .texts(let texts, let field): try Texts.rejectNUL((texts ?? []).map { (field, $0) })
        }
    }
}

extension RecordDatabase {
    /// All rows of a query that reads.
    func all<Value: Sendable>(
        _ query: RecordQuery, _ parameters: RecordParameter...,
        row: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(StoreError) -> [Value] {
        for parameter in parameters { try parameter.rejectNUL() }
        return try await read(query, parameters, row: row)
    }

    /// The first row of a query that reads.
    func first<Value: Sendable>(
        _ query: RecordQuery, _ parameters: RecordParameter...,
        row: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(StoreError) -> Value? {
        for parameter in parameters { try parameter.rejectNUL() }
        return try await read(query, parameters, row: row).first
    }

    /// The rows that a query that writes returns.
    func change<Value: Sendable>(
        _ query: RecordQuery, _ parameters: RecordParameter...,
        row: @escaping @Sendable (inout Row) throws -> Value
    ) async throws(StoreError) -> [Value] {
        for parameter in parameters { try parameter.rejectNUL() }
        return try await write(query, parameters, row: row)
    }

    /// Runs a query that writes for its effect.
    func change(_ query: RecordQuery, _ parameters: RecordParameter...) async throws(StoreError) {
        for parameter in parameters { try parameter.rejectNUL() }
        _ = try await write(query, parameters) { _ in }
    }
}
