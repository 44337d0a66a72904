package import JobQueue

/// Asks before each request to a data source whether it may leave.
///
/// Answers from memory, and callers that share the request of another one, make no call and ask nothing.
package enum SourceCalls {
    /// What counts the requests. A structure, since optimised code of Swift 6.3 crashes where a task-local value is a
    /// function with a typed error.
    package struct Limiter: Sendable {
        private let count: @Sendable (DataSource) throws(DataSourceError) -> Void

        /// A limiter whose function throws `callLimit` when a request may not leave.
        package init(_ count: @escaping @Sendable (DataSource) throws(DataSourceError) -> Void) { self.count = count }

        fileprivate func begin(_ source: DataSource) throws(DataSourceError) { try count(source) }
    }

    /// The limiter of the present task; without one every request may leave.
    @TaskLocal package static var limiter: Limiter?

    static func begin(_ source: DataSource) throws(DataSourceError) { try limiter?.begin(source) }
}

/// A limit of the calls to a data source that the readers of a service set off.
package struct CallLimit: Hashable, Sendable {
    /// Calls a minute.
    package var calls: Int
    /// The user whose limit it is; `nil` for the limit of all users together.
    package var user: UserID?
    /// The time until calls are possible again.
    package var retryAfter: Duration

    package init(calls: Int, user: UserID?, retryAfter: Duration) {
        (self.calls, self.user, self.retryAfter) = (calls, user, retryAfter)
    }
}
