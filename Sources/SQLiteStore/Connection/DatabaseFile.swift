import SQLSupport
internal import Basics
internal import Glibc
internal import JobQueue

/// The database file, and the settings of its connections.
package enum DatabaseFile {
    /// Whether a file is the database or one of those that SQLite keeps beside it, by what it is and by its name: SQLite
    /// takes a file of such a name for its own, though there is none at this moment.
    package static func belongs(_ file: String, to database: String) -> Bool {
        let (name, resolved) = (resolved(file), resolved(database))
        return ["", "-wal", "-shm", "-journal"].contains { ending in
            [database, resolved].contains { isSameFile($0 + ending, file) } || name == resolved + ending
        }
    }

    static func isSameFile(_ left: String, _ right: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(left, &first) == 0, stat(right, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// The path without links; of a file that does not exist, the path of its folder with its name.
    private static func resolved(_ path: String) -> String {
        func real(_ path: String) -> String? {
            guard let found = realpath(path, nil) else { return nil }
            defer { free(found) }
            return String(cString: found)
        }
        if let whole = real(path) { return whole }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") + "/" : "."
        return (real(folder) ?? folder) + "/" + (parts.last ?? "")
    }

    /// Creates the file and its folders, readable by their owner only; an existing file stays as it is.
    static func create(_ path: String) throws(StoreError) {
        let folders = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for count in folders.indices.map({ $0 + 1 }) {
            let folder = folders.prefix(count).joined(separator: "/")
            if !folder.isEmpty { mkdir(folder, 0o700) }
        }
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .unavailable(reason: "its file cannot be opened: \(String(cString: strerror(errno)))")
        }
        Glibc.close(descriptor)
    }

    /// Refuses a file that does not exist.
    static func check(_ path: String) throws(StoreError) {
        guard access(path, F_OK) == 0 else {
            throw .unexpected(reason: "there is no such database; run 'dossier migrate'")
        }
    }

    static func openForWriting(
        _ path: String, maxPages: Int?, migrations: MigrationPolicy, now: Timestamp
    ) throws -> SQLiteConnection {
        let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 0)
        var backoff = LockBackoff(timeout: .seconds(10))
        try backoff.retry { try database.execute("PRAGMA journal_mode = WAL") }
        try database.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA secure_delete = ON;
            PRAGMA cache_size = -32768;
            PRAGMA journal_size_limit = 67108864;
            """)
        try Migrator.prepare(database, migrations, backoff: &backoff, at: now)
        if let maxPages { try database.execute("PRAGMA max_page_count = \(maxPages)") }
        return database
    }

    /// Opens a read connection, which with `waiting` waits for the recovery of the log after a crash, the only case in
    /// which a reader meets a lock.
    static func openForReading(_ path: String, waiting: Bool = true) throws -> SQLiteConnection {
        let database = try SQLiteConnection(path: path, readOnly: true, busyTimeout: waiting ? 5000 : 0)
        try database.execute("PRAGMA cache_size = -8192; PRAGMA query_only = ON")
        return database
    }
}
