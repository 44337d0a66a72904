import SQLSupport
internal import CSQLite

/// A prepared statement, kept by its connection and used by one thread at a time.
final class SQLiteStatement {
    private let connection: OpaquePointer
    private let handle: OpaquePointer

    /// - Throws: `SQLiteError` when the text is not one statement that this database can run.
    init(connection: OpaquePointer, sql: String) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw SQLiteError(of: connection, result: code) }
        self.connection = connection
        handle = prepared
    }

    deinit { sqlite3_finalize(handle) }

    /// The highest number of a parameter.
    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// Binds the values from the first parameter on, runs the statement, and hands over each row.
    ///
    /// - Throws: `SQLiteError`, or what `row` throws. The statement is reset in any case.
    func run(_ values: [SQLiteValue], row: (inout SQLiteRow) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        for (place, value) in values.enumerated() { try bind(value, at: Int32(place + 1)) }
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                var current = SQLiteRow(statement: handle)
                try row(&current)
            case SQLITE_DONE: return
            case let code: throw SQLiteError(of: connection, result: code)
            }
        }
    }

    private func bind(_ value: SQLiteValue, at place: Int32) throws(SQLiteError) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, place)
            case .integer(let number): sqlite3_bind_int64(handle, place, number)
            case .text(let text): try bind(text, at: place)
            case .uuid(let high, let low): bind(high, low, at: place)
            }
        guard code == SQLITE_OK else { throw SQLiteError(of: connection, result: code) }
    }

    /// SQLite would keep a NUL, but many of its functions, and other stores, take it for the end of the text.
    private func bind(_ text: String, at place: Int32) throws(SQLiteError) -> Int32 {
        var text = text
        let code: Int32? = text.withUTF8 { bytes in
            if bytes.contains(0) { return nil }
            // A null pointer would bind NULL, and the buffer of an empty text may be one.
            guard let start = bytes.baseAddress else { return sqlite3_bind_text(handle, place, "", 0, copied) }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(handle, place, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
            }
        }
        guard let code else {
            throw SQLiteError(code: SQLITE_MISMATCH, extended: SQLITE_MISMATCH, message: "a text holds a NUL character")
        }
        return code
    }

    private func bind(_ high: UInt64, _ low: UInt64, at place: Int32) -> Int32 {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
            sqlite3_bind_blob64(handle, place, $0.baseAddress, 16, copied)
        }
    }
}

/// Tells SQLite to copy what it is given before the call returns (`SQLITE_TRANSIENT`, a cast that C hides in a macro).
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension SQLiteError {
    init(of connection: OpaquePointer, result: Int32) {
        extended = sqlite3_extended_errcode(connection)
        code = result & 0xFF
        message = String(cString: sqlite3_errmsg(connection))
    }
}
