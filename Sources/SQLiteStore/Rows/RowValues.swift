internal import JobQueue

extension SQLiteValue {
    static func id(_ id: JobID) -> SQLiteValue { .uuid(id.high, id.low) }
    static func user(_ user: UserID?) -> SQLiteValue { .integer(user?.rawValue) }
    static func moment(_ moment: Timestamp?) -> SQLiteValue { .integer(moment?.milliseconds) }
}
