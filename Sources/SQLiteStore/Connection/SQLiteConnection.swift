internal import CSQLite
import SQLSupport

/// An open database with its prepared statements. It belongs to the thread that opened it.
final class SQLiteConnection {
    let handle: OpaquePointer
    /// Pages in the write-ahead log after this connection's last commit, at a fixed address for SQLite's hook.
    private let logPages: UnsafeMutablePointer<Int32>
    private var prepared: [SQLiteStatement?] = Array(repeating: nil, count: Query.allCases.count)
    private var scripts: [String: [SQLiteStatement]] = [:]

    /// SQLite's settings for the process, made once before the first connection.
    private static let configured = sqlite3_config_without_memory_status()

    /// Opens a database file that exists.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - readOnly: Whether the connection may only read.
    ///   - busyTimeout: The time in milliseconds for which SQLite itself waits for a lock.
    /// - Throws: `SQLiteError` when the file cannot be opened.
    init(path: String, readOnly: Bool, busyTimeout: Int32) throws(SQLiteError) {
        _ = Self.configured
        var opened: OpaquePointer?
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = sqlite3_open_v2(path, &opened, access | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened else {
            throw SQLiteError(code: SQLITE_NOMEM, extended: SQLITE_NOMEM, message: "out of memory")
        }
        guard code == SQLITE_OK else {
            let error = SQLiteError(of: opened, result: code)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        logPages = .allocate(capacity: 1)
        logPages.initialize(to: 0)
        // Replaces the hook by which SQLite would checkpoint inside COMMIT, while all requests wait for the answer.
        sqlite3_wal_hook(
            handle,
            { pages, _, _, count in
                pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, logPages)
        sqlite3_busy_timeout(handle, busyTimeout)
    }

    deinit {
        prepared = []
        scripts = [:]
        sqlite3_close_v2(handle)
        logPages.deallocate()
    }

    /// Runs statements without keeping them prepared: pragmas and migrations.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(of: handle, result: code) }
    }

    /// Runs a query and passes on each of its rows.
    func each(_ query: Query, _ values: SQLiteValue..., row: (inout SQLiteRow) throws -> Void) throws {
        try statement(query).run(values, row: row)
    }

    /// Runs a query without reading its rows.
    func run(_ query: Query, _ values: SQLiteValue...) throws {
        try statement(query).run(values) { _ in }
    }

    /// Runs a query to its end and reads its first row.
    func first<Value>(
        _ query: Query, _ values: SQLiteValue..., read: (inout SQLiteRow) throws -> Value
    ) throws -> Value? {
        var found: Value?
        try statement(query).run(values) { row in
            if found == nil { found = try read(&row) }
        }
        return found
    }

    /// Runs a query and reads all of its rows.
    func all<Value>(
        _ query: Query, _ values: SQLiteValue..., read: (inout SQLiteRow) throws -> Value
    ) throws -> [Value] {
        var found: [Value] = []
        try statement(query).run(values) { row in found.append(try read(&row)) }
        return found
    }

    /// Runs a statement without keeping it prepared, and passes on each of its rows.
    func oneOff(_ sql: String, row: (inout SQLiteRow) throws -> Void) throws {
        try SQLiteStatement(connection: handle, sql: sql).run([], row: row)
    }

    /// Prepares a query if it is not yet prepared.
    @discardableResult
    func statement(_ query: Query) throws(SQLiteError) -> SQLiteStatement {
        if let statement = prepared[query.index] { return statement }
        let statement = try SQLiteStatement(connection: handle, sql: query.sql)
        prepared[query.index] = statement
        return statement
    }

    /// Prepares the statements of a script if they are not yet prepared.
    @discardableResult
    func script(_ name: String) throws(SQLiteError) -> [SQLiteStatement] {
        if let statements = scripts[name] { return statements }
        var statements: [SQLiteStatement] = []
        for text in RecordScript.statements(named: name) {
            statements.append(try SQLiteStatement(connection: handle, sql: text))
        }
        scripts[name] = statements
        return statements
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes64(handle)) }

    /// The number of the row that the last successful insert made.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that all statements have changed since the connection was opened.
    var totalChanges: Int64 { sqlite3_total_changes64(handle) }

    /// Whether a transaction is open; SQLite ends it by itself after some failures.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Moves the write-ahead log into the database file, as far as no reader needs it, once it has this number of
    /// pages.
    ///
    /// - Returns: The pages of the log that a reader still needs; `nil` when there was no attempt.
    func checkpoint(from pages: Int32) -> Int32? {
        guard logPages.pointee >= pages else { return nil }
        logPages.pointee = 0
        var (all, moved): (Int32, Int32) = (0, 0)
        guard sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &all, &moved) == SQLITE_OK else {
            return nil
        }
        return moved < all ? all : 0
    }

    /// Moves the write-ahead log into the database file and empties it, unless somebody uses it at the moment.
    ///
    /// - Returns: Whether the log is empty.
    @discardableResult
    func truncateLog() -> Bool {
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }
}
