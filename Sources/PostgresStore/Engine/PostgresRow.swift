internal import CPQ
package import JobQueue
internal import SQLSupport

/// The rows of a statement.
final class PostgresRows {
    private let result: OpaquePointer

    /// Takes ownership of a result of libpq.
    init(_ result: OpaquePointer) { self.result = result }

    deinit { PQclear(result) }

    var count: Int { Int(PQntuples(result)) }

    /// Calls a closure with each row.
    func each(_ read: (inout PostgresRow) throws -> Void) rethrows {
        for index in 0..<PQntuples(result) {
            var row = PostgresRow(result: result, index: index)
            try read(&row)
        }
    }

    func map<Value>(_ read: (inout PostgresRow) throws -> Value) rethrows -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(count)
        try each { values.append(try read(&$0)) }
        return values
    }

    func first<Value>(_ read: (inout PostgresRow) throws -> Value) rethrows -> Value? {
        guard count > 0 else { return nil }
        var row = PostgresRow(result: result, index: 0)
        return try read(&row)
    }
}

/// A row in binary form, read from left to right. It is valid only inside the closure that receives it.
package struct PostgresRow: StoredRow {
    private let result: OpaquePointer
    private let index: Int32
    private var column: Int32 = 0

    init(result: OpaquePointer, index: Int32) {
        self.result = result
        self.index = index
    }

    /// A whole number of any width; 0 for NULL.
    package mutating func integer() -> Int64 {
        let bytes = next()
        var value: Int64 = 0
        for (place, byte) in bytes.enumerated() {
            value = place == 0 ? Int64(Int8(bitPattern: byte)) : value << 8 | Int64(byte)
        }
        return value
    }

    package mutating func flag() -> Bool { next().first == 1 }

    package mutating func text() -> String { String(decoding: next(), as: UTF8.self) }

    /// Reads a column of compressed bytes and the column of the text that is stored where there are none. Damaged bytes
    /// are an empty text.
    mutating func textOrPacked() -> String {
        if isNull {
            skip()
            return text()
        }
        defer { skip() }
        return CompressedText.text(of: next()) ?? ""
    }

    /// As `textOrPacked`; `nil` when there is neither.
    mutating func textOrPackedIfAny() -> String? {
        if !isNull { return textOrPacked() }
        skip()
        return textIfAny()
    }

    package mutating func bytes() -> [UInt8] { Array(next()) }

    package mutating func jobID() -> JobID {
        let bytes = next()
        guard bytes.count == 16 else { return JobID(high: 0, low: 0) }
        return JobID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    package var isNull: Bool { PQgetisnull(result, index, column) == 1 }

    package mutating func skip() { column += 1 }

    private mutating func next() -> UnsafeRawBufferPointer {
        defer { column += 1 }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
    }
}
