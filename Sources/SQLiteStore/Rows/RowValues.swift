internal import JobQueue

extension SQLiteValue {
    static func id(_ id: JobID) -> SQLiteValue { .uuid(id.high, id.low) }
    static func user(_ user: UserID?) -> SQLiteValue { .integer(user?.rawValue) }
    static func moment(_ moment: Timestamp?) -> SQLiteValue { .integer(moment?.milliseconds) }
}

extension SQLiteRow {
    mutating func jobID() -> JobID {
        let bytes = uuid()
        return JobID(high: bytes.high, low: bytes.low)
    }

    /// Passes over the column either way.
    mutating func jobIDIfAny() -> JobID? {
        let isMissing = isNull
        let id = jobID()
        return isMissing ? nil : id
    }

    mutating func timestamp() -> Timestamp { Timestamp(milliseconds: integer()) }

    mutating func timestampIfAny() -> Timestamp? { integerIfAny().map(Timestamp.init(milliseconds:)) }

    mutating func status() throws -> JobStatus {
        let word = text()
        guard let status = JobStatus(rawValue: word) else { throw StoreError.unexpected(reason: "status '\(word)'") }
        return status
    }

    mutating func lane() throws -> Lane {
        let word = text()
        guard let lane = Lane(rawValue: word) else { throw StoreError.unexpected(reason: "lane '\(word)'") }
        return lane
    }
}
