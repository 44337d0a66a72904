import SQLSupport
internal import CSQLite
internal import JobQueue

/// What SQLite says when it refuses.
struct SQLiteError: Error, Equatable {
    /// The primary result code.
    var code: Int32
    /// The extended result code, which tells kinds of one failure apart.
    var extended: Int32
    /// SQLite's own words; they name tables and columns, never values.
    var message: String

    var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }

    /// The failure in the words of the store's contract.
    var storeError: StoreError {
        switch code {
        case SQLITE_FULL: .full
        case SQLITE_BUSY, SQLITE_LOCKED: .unavailable(reason: "it is busy")
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH, SQLITE_PROTOCOL:
            .unavailable(reason: message)
        default: .unexpected(reason: message)
        }
    }
}

extension StoreError {
    /// What the verbs and the engine may throw, in the words of the contract.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as SQLiteError: self = error.storeError
        default: self = .unexpected(reason: "\(type(of: error))")
        }
    }
}
