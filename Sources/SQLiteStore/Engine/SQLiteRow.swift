internal import CSQLite
package import JobQueue
internal import SQLSupport

/// The row that a statement stands on, read from left to right. Valid only inside the closure that it is handed to.
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
