import SQLSupport
internal import JobQueue

extension SQLiteValue {
    static func id(_ id: JobID) -> SQLiteValue { .uuid(id.high, id.low) }
    static func user(_ user: UserID?) -> SQLiteValue { .integer(user?.rawValue) }
    static func timestamp(_ timestamp: Timestamp?) -> SQLiteValue { .integer(timestamp?.milliseconds) }
}
