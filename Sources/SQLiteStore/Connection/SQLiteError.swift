internal import CSQLite
internal import JobQueue
import SQLSupport

/// An error of SQLite.
struct SQLiteError: Error, Equatable {
    /// The primary result code.
    var code: Int32
    /// The extended result code, which distinguishes kinds of one failure.
    var extended: Int32
    /// SQLite's message, which names tables and columns and no values.
    var message: String

    var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

    /// Whether the file is damaged, so that only another one can help.
    var isCorruption: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }

    /// The failure as the store's contract names it.
    var storeError: StoreError {
        switch code {
        case SQLITE_FULL: .full
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR: .damaged(reason: message)
        case SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_PROTOCOL:
            .unavailable(reason: message)
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG:
            .invalidValue(code: "SQLite \(extended)", detail: message)
        default: .unexpected(reason: message)
        }
    }
}

extension AvailabilityMonitor {
    /// Notes what an error of an operation or of the engine says about the database.
    func note(_ error: any Error) {
        guard let error = error as? SQLiteError else { return note(StoreError(error)) }
        if error.isCorruption { return noteDamage(error.message, isPermanent: true) }
        note(error.storeError)
    }
}

extension StoreError {
    /// Converts any error of the operations and the engine.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError: self = error.storeError
        default: self = .unexpected(reason: "\(type(of: error))")
        }
    }
}
