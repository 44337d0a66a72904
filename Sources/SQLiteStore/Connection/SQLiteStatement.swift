internal import CSQLite
internal import Glibc
package import JobQueue
internal import JSON
internal import SQLSupport

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

    /// Binds the values from the first parameter on, runs the statement, and passes on each row.
    ///
    /// - Throws: `SQLiteError`, or the error that `row` throws. The statement is reset in any case.
    func run(_ values: [SQLiteValue], row: (inout SQLiteRow) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
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

    private func bind(_ value: SQLiteValue, at index: Int32) throws(SQLiteError) {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .text(let text): try bind(text, at: index)
            case .uuid(let high, let low): bind(high, low, at: index)
            case .bytes(let bytes): bind(bytes, at: index)
            }
        guard code == SQLITE_OK else { throw SQLiteError(of: connection, result: code) }
    }

    /// SQLite stores a NUL, but many of its functions, and other databases, take it as the end of the text.
    private func bind(_ text: String, at index: Int32) throws(SQLiteError) -> Int32 {
        var text = text
        let code: Int32? = text.withUTF8 { bytes in
            // A null pointer would bind NULL, and the buffer of an empty text may be null.
            guard let start = bytes.baseAddress else { return sqlite3_bind_text(handle, index, "", 0, copied) }
            if memchr(start, 0, bytes.count) != nil { return nil }
            return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                sqlite3_bind_text64(handle, index, $0, UInt64(bytes.count), copied, UInt8(SQLITE_UTF8))
            }
        }
        guard let code else {
            throw SQLiteError(code: SQLITE_MISMATCH, extended: SQLITE_MISMATCH, message: "a text holds a NUL character")
        }
        return code
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied) }
    }

    private func bind(_ high: UInt64, _ low: UInt64, at index: Int32) -> Int32 {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
            sqlite3_bind_blob64(handle, index, $0.baseAddress, 16, copied)
        }
    }
}

/// Makes SQLite copy a bound value before the call returns (`SQLITE_TRANSIENT`, a macro with a cast in C).
private let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension SQLiteError {
    init(of connection: OpaquePointer, result: Int32) {
        extended = sqlite3_extended_errcode(connection)
        code = result & 0xFF
        message = String(cString: sqlite3_errmsg(connection))
    }
}

/// A value to bind to a parameter.
enum SQLiteValue: Sendable {
    case null
    case integer(Int64)
    case text(String)
    /// Sixteen bytes, most significant first.
    case uuid(UInt64, UInt64)
    case bytes([UInt8])

    static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }
    static func integer(_ value: Int?) -> SQLiteValue { value.map { .integer(Int64($0)) } ?? .null }
    static func integer(_ value: Int64?) -> SQLiteValue { value.map { .integer($0) } ?? .null }
    static func integer(_ flag: Bool) -> SQLiteValue { .integer(flag ? Int64(1) : Int64(0)) }
    /// A list for `json_each`.
    static func list(_ values: [String]) -> SQLiteValue { .text(JSON(values).compact) }
    static func text(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}

/// A text for the two columns that keep a text or its compressed bytes. It is compressed before the writer's turn.
struct PackedText: Sendable {
    let text: SQLiteValue
    let packed: SQLiteValue

    init(_ text: String) {
        let bytes = CompressedText.bytes(of: text)
        self.text = .text(bytes == nil ? text : "")
        packed = bytes.map { .bytes($0) } ?? .null
    }

    init(_ output: StoredOutput) {
        text = .text(output.text)
        packed = output.packed.map { .bytes($0) } ?? .null
    }
}

extension SQLiteValue {
    static func id(_ id: JobID) -> SQLiteValue { .uuid(id.high, id.low) }
    static func user(_ user: UserID?) -> SQLiteValue { .integer(user?.rawValue) }
    static func timestamp(_ timestamp: Timestamp?) -> SQLiteValue { .integer(timestamp?.milliseconds) }
}

/// The current row of a statement, read from left to right, and valid only inside the closure that receives it.
package struct SQLiteRow: StoredRow {
    private let statement: OpaquePointer
    private var column: Int32 = 0

    init(statement: OpaquePointer) { self.statement = statement }

    package mutating func integer() -> Int64 {
        defer { column += 1 }
        return sqlite3_column_int64(statement, column)
    }

    package mutating func flag() -> Bool { integer() != 0 }

    package mutating func text() -> String {
        defer { column += 1 }
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    package mutating func largeText() -> String {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return text() }
        defer { column += 1 }
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
        return CompressedText.text(of: bytes) ?? ""
    }

    package mutating func bytes() -> [UInt8] {
        defer { column += 1 }
        return Array(
            UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column))))
    }

    package mutating func jobID() -> JobID {
        defer { column += 1 }
        guard let start = sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column) == 16 else {
            return JobID(high: 0, low: 0)
        }
        return JobID(
            high: UInt64(bigEndian: start.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    package mutating func skip() { column += 1 }

    package var isNull: Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
