internal import Glibc

/// The size of the write-ahead log.
enum LogSize {
    /// A larger log was not moved into the database for long, because of a read transaction that stays open.
    static let warning: Int64 = 256 << 20
    /// Bytes of a page with its header in the log.
    static let page: Int64 = 4096 + 24

    /// The bytes of the file; 0 when it is missing.
    static func bytes(at path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
