package import JobQueue

/// A row of either database, read from left to right.
package protocol StoredRow {
    /// A whole number; 0 for NULL.
    mutating func integer() -> Int64
    mutating func flag() -> Bool
    /// Empty for NULL.
    mutating func text() -> String
    /// A text that the database may keep compressed. Damaged bytes are an empty text.
    mutating func largeText() -> String
    /// Empty for NULL.
    mutating func bytes() -> [UInt8]
    /// All zeros when the column holds no id.
    mutating func jobID() -> JobID
    /// Whether the next column holds NULL.
    var isNull: Bool { get }
    /// Skips a column.
    mutating func skip()
}

extension StoredRow {
    package mutating func largeText() -> String { text() }

    package mutating func int() -> Int { Int(integer()) }

    package mutating func integerIfAny() -> Int64? { ifAny { $0.integer() } }

    package mutating func textIfAny() -> String? { ifAny { $0.text() } }

    package mutating func jobIDIfAny() -> JobID? { ifAny { $0.jobID() } }

    package mutating func timestamp() -> Timestamp { Timestamp(milliseconds: integer()) }

    package mutating func timestampIfAny() -> Timestamp? { ifAny { $0.timestamp() } }

    package mutating func user() -> UserID { UserID(rawValue: integer()) }

    package mutating func status() throws -> JobStatus {
        let word = text()
        guard let status = JobStatus(rawValue: word) else { throw StoreError.unexpected(reason: "status '\(word)'") }
        return status
    }

    package mutating func queue() throws -> QueueName {
        let word = text()
        guard let queue = QueueName(rawValue: word) else { throw StoreError.unexpected(reason: "queue '\(word)'") }
        return queue
    }

    package mutating func callSum() -> CallSum { CallSum(calls: integer(), microDollars: integer()) }

    private mutating func ifAny<Value>(_ read: (inout Self) -> Value) -> Value? {
        guard isNull else { return read(&self) }
        skip()
        return nil
    }
}
