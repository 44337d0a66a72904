internal import CSQLite

/// The row that a statement stands on, read from left to right. Valid only inside the closure that it is handed to.
struct SQLiteRow {
    private let statement: OpaquePointer
    private var column: Int32 = 0

    init(statement: OpaquePointer) { self.statement = statement }

    mutating func integer() -> Int64 {
        defer { column += 1 }
        return sqlite3_column_int64(statement, column)
    }

    mutating func int() -> Int { Int(integer()) }

    mutating func flag() -> Bool { integer() != 0 }

    mutating func integerIfAny() -> Int64? {
        if isNull { column += 1; return nil }
        return integer()
    }

    mutating func text() -> String {
        defer { column += 1 }
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func textIfAny() -> String? {
        if isNull { column += 1; return nil }
        return text()
    }

    /// Sixteen bytes as two numbers; zeros when the column holds anything else.
    mutating func uuid() -> (high: UInt64, low: UInt64) {
        defer { column += 1 }
        guard let start = sqlite3_column_blob(statement, column), sqlite3_column_bytes(statement, column) == 16 else {
            return (0, 0)
        }
        let high = UInt64(bigEndian: start.loadUnaligned(as: UInt64.self))
        let low = UInt64(bigEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        return (high, low)
    }

    /// Whether the column that would be read next holds NULL.
    var isNull: Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
