internal import Basics
internal import CSQLite
internal import Glibc
internal import JobQueue
import SQLSupport

/// Copies a database while any number of processes use it.
///
/// The copy is the database as of one moment, whatever is written meanwhile: SQLite's backup reads the pages within one
/// read transaction. It is written beside its final name, checked, flushed to the disk and only then renamed, so a file
/// of that name is always a whole backup.
package struct SQLiteBackup: Sendable {
    /// A finished backup.
    package struct Summary: Sendable, Equatable {
        package var bytes: Int64
        /// The newest migration of the database.
        package var schema: Int64
        /// The jobs in the copy, finished ones included.
        package var jobs: Int64
    }

    /// Why there is no backup.
    package enum Failure: Error, Equatable, CustomStringConvertible {
        case missing
        case exists
        case isTheDatabase
        /// The file, or the one it is written to at first, is a file that SQLite keeps beside the database.
        case belongsToTheDatabase(String)
        /// A program that opened an earlier backup of this name has left its log, which SQLite would read into the new one.
        case hasLog(String)
        case inProgress
        case noDatabase
        case damaged(String)
        /// A file could not be written or read.
        case failed(String)

        package var description: String {
            switch self {
            case .missing: "there is no such database"
            case .exists: "the file exists already; --replace replaces it"
            case .isTheDatabase: "the file is the database itself"
            case .belongsToTheDatabase(let file): "\(file) belongs to the database; choose another name"
            case .hasLog(let log):
                "\(log) lies beside it, of a program that opened an earlier backup; remove it, or choose another name"
            case .inProgress: "another backup is writing to this file"
            case .noDatabase: "it is no database of Dossier"
            case .damaged(let problem): "the copy is damaged, and so is the database: \(problem)"
            case .failed(let problem): problem
            }
        }
    }

    private let path: String
    private let file: String
    private let replaces: Bool
    /// Pages between two reports of progress: 4 MiB.
    private static let step: Int32 = 1024

    /// The name of the file while it is written.
    private var part: String { file + ".part" }

    /// - Parameters:
    ///   - path: The database.
    ///   - file: The backup.
    ///   - replaces: Whether a file of that name may be replaced.
    package init(of path: String, to file: String, replacing replaces: Bool) {
        self.path = path
        self.file = file
        self.replaces = replaces
    }

    /// Writes the backup on a thread of its own.
    ///
    /// - Parameter progress: Is told the copied part of the pages, from 0 to 1.
    /// - Returns: What the backup has.
    /// - Throws: `Failure`; then there is no file of that name, or still the one of before.
    package func write(progress: @escaping @Sendable (Double) -> Void) async throws(Failure) -> Summary {
        let result: Result<Summary, Failure> = await withCheckedContinuation { continuation in
            let started = Thread.start {
                do throws(Failure) {
                    continuation.resume(returning: .success(try copy(progress)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
            if !started { continuation.resume(returning: .failure(.failed("the system has no thread left"))) }
        }
        return try result.get()
    }

    func copy(_ progress: (Double) -> Void) throws(Failure) -> Summary {
        guard access(path, F_OK) == 0 else { throw .missing }
        guard !DatabaseFile.isSameFile(path, file) else { throw .isTheDatabase }
        for name in [file, part] where DatabaseFile.belongs(name, to: path) { throw .belongsToTheDatabase(name) }
        guard replaces || access(file, F_OK) != 0 else { throw .exists }
        do throws(PrivateFile.Failure) { try PrivateFile.checkName(file) } catch { throw .failed(error.description) }
        for log in ["-wal", "-shm", "-journal"].map({ file + $0 }) where access(log, F_OK) == 0 { throw .hasLog(log) }
        let target = try PartFile(part)
        do {
            let summary = try fill(progress)
            try target.flush()
            try rename()
            return summary
        } catch {
            target.discard()
            throw error as? Failure ?? Self.failure(of: error)
        }
    }

    /// Copies all pages, and checks the copy.
    private func fill(_ progress: (Double) -> Void) throws -> Summary {
        let source = try SQLiteConnection(path: path, readOnly: true, busyTimeout: 10_000)
        // The transaction keeps the moment: without it a backup begins anew at each commit of another process.
        try source.execute("BEGIN")
        guard try source.number("SELECT count(*) FROM sqlite_master WHERE name IN ('migration', 'job')") == 2 else {
            throw Failure.noDatabase
        }
        let copy = try SQLiteConnection(path: part, readOnly: false, busyTimeout: 0)
        try copy.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        try source.copy(into: copy, pages: Self.step, progress: progress)
        try source.execute("COMMIT")
        // One file, without a log beside it, that can be read from anywhere.
        try copy.execute("PRAGMA journal_mode = DELETE")
        var problem: String?
        try copy.oneOff("PRAGMA integrity_check(1)") { row in
            let text = row.text()
            if text != "ok" { problem = text }
        }
        if let problem { throw Failure.damaged(problem) }
        return Summary(
            bytes: try copy.number("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
            schema: try copy.number("SELECT max(version) FROM migration"),
            jobs: try copy.number("SELECT count(*) FROM job"))
    }

    /// Gives the file its name, and flushes the folder.
    private func rename() throws(Failure) {
        guard PrivateFile.rename(part, to: file, replacing: replaces) else {
            throw errno == EEXIST ? .exists : .failed("\(file) cannot be named: \(PartFile.problem)")
        }
        let folder = file.contains("/") ? String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) + "/" : "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private static func failure(of error: any Error) -> Failure {
        guard let error = error as? SQLiteError else { return .failed("\(error)") }
        return switch error.code {
        case SQLITE_NOTADB: .noDatabase
        case SQLITE_FULL: .failed("the disk of the backup is full")
        default: .failed("SQLite: \(error.message)")
        }
    }
}

/// A file that is being written, which one process at a time may do. One that an ended process has left is taken over.
private struct PartFile {
    private let path: String
    /// Stays open until the end: closing any descriptor of a file ends SQLite's locks on it.
    private let descriptor: Int32

    init(_ path: String) throws(SQLiteBackup.Failure) {
        self.path = path
        do throws(PrivateFile.Failure) {
            descriptor = try PrivateFile.open(path)
        } catch {
            throw .failed(error.description)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inProgress
        }
        guard ftruncate(descriptor, 0) == 0 else { throw .failed("\(path) cannot be written: \(Self.problem)") }
    }

    /// Waits until the disk has the file.
    func flush() throws(SQLiteBackup.Failure) {
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .failed("\(path) cannot be written: \(Self.problem)") }
    }

    func discard() {
        for ending in ["", "-journal", "-wal", "-shm"] { unlink(path + ending) }
        close(descriptor)
    }

    static var problem: String { String(cString: strerror(errno)) }
}

extension SQLiteConnection {
    fileprivate func number(_ sql: String) throws -> Int64 {
        var found: Int64 = 0
        try oneOff(sql) { found = $0.integer() }
        return found
    }

    /// Copies every page of the database into another one.
    fileprivate func copy(into copy: SQLiteConnection, pages: Int32, progress: (Double) -> Void) throws(SQLiteError) {
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteError(of: copy.handle, result: sqlite3_errcode(copy.handle))
        }
        var code = SQLITE_OK
        repeat {
            code = sqlite3_backup_step(backup, pages)
            let all = sqlite3_backup_pagecount(backup)
            if all > 0 { progress(1 - Double(sqlite3_backup_remaining(backup)) / Double(all)) }
        } while code == SQLITE_OK
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw SQLiteError(of: copy.handle, result: code) }
    }
}
