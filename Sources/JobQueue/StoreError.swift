/// Why a store could not do what was asked. In every case nothing was changed.
package enum StoreError: Error, Equatable, Sendable {
    /// The lease is void: the job was claimed again, cancelled, rescued or finished. The worker drops the job.
    case leaseLost
    /// The worker was declared dead and its jobs were given to others; it must register anew.
    case workerUnknown
    /// A text holds a NUL character, which no store can keep.
    case invalidText(field: String)
    /// The database cannot be reached or is busy beyond patience; worth another try later.
    case unavailable(reason: String)
    /// No space is left for the database.
    case full
    /// The database answered something that this version does not understand.
    case unexpected(reason: String)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .leaseLost: "the job is no longer this worker's"
        case .workerUnknown: "the worker is not registered"
        case .invalidText(let field): "'\(field)' must not contain a NUL character"
        case .unavailable(let reason): "the database is unavailable: \(reason)"
        case .full: "the database is out of space"
        case .unexpected(let reason): "the database answered unexpectedly: \(reason)"
        }
    }
}
