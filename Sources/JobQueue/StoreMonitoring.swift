/// A store that knows whether its database answers.
package protocol StoreMonitoring: Sendable {
    /// The state of the database as last observed; reading it asks nothing of the database.
    var availability: StoreAvailability { get }

    /// Outages and problems of the database from now on, for the log. The stream ends when the store is closed.
    func events() -> AsyncStream<StoreEvent>

    /// The size of the write-ahead log beside the database file; `nil` where a server takes care of it.
    var logBytes: Int64? { get }
}

extension StoreMonitoring {
    package var logBytes: Int64? { nil }
}

/// The state of a database.
package enum StoreAvailability: Sendable, Equatable {
    case available
    /// The database cannot be reached, does not answer, stays locked or is full.
    case unavailable(reason: String)
    /// The files of the database are damaged. New work is refused, and running jobs are kept.
    case damaged(reason: String)
}

/// An event of a database that operators must see.
package enum StoreEvent: Sendable, Equatable {
    case unavailable(reason: String)
    /// The database answers again.
    case available(after: Duration)
    case damaged(reason: String)
    /// The database refused an operation for a reason that lies in no value of it. Equal reasons come once a minute.
    case refused(reason: String)
    /// The clock of the database's server has stepped forward; deadlines are judged by the time that was expected.
    case clockStepped(by: Duration)
    /// A reader keeps the write-ahead log from being moved into the database. Told once until the log is short again.
    case logHeldBack(bytes: Int64)
}

/// The longest time that an operation of a store may take for the current task.
///
/// A request of a client sets it, so that the client hears `unavailable` soon when the database does not answer. The
/// operation may be carried out all the same. Without it the store waits for as long as it is set up to.
package enum StoreTimeout {
    @TaskLocal package static var current: Duration?
}
