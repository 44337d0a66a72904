import SQLSupport
internal import JobQueue

extension PostgresStore {
    /// How a store behaves. Tests set what they need to; nobody else does.
    struct Options: Sendable {
        /// A clock in place of the database's.
        var now: (@Sendable () -> Timestamp)?
        /// Connections that write. Each runs one batch at a time, and no two run the same verb.
        var writers = 3
        /// Connections that read.
        var readers = 2
        /// How long a caller waits for an answer, reconnecting included.
        var timeout: Duration = .seconds(20)
        /// How long one statement may take before its connection counts as dead.
        var answerLimit: Duration = .seconds(8)
        var connectLimit: Duration = .seconds(5)
        /// The pauses between looks for changes: from the first to the second while nothing happens.
        var polling: ClosedRange<Duration>?
        /// Whether to listen for notifications.
        var listens = true

        /// What a session that writes sets before its first statement. A statement that nobody waits for any more must
        /// not hold locks much longer.
        var writerSettings: String {
            """
            SET statement_timeout = \(answerLimit.wholeMilliseconds);
            SET lock_timeout = \(answerLimit.wholeMilliseconds / 2);
            SET idle_in_transaction_session_timeout = \(answerLimit.wholeMilliseconds);
            SET jit = off
            """
        }

        /// What a session that reads sets. A statement that was planned while a table was small must not scan it when
        /// it has grown; and no statement is planned anew each time, which would take longer than a poll itself.
        var readerSettings: String {
            "SET enable_seqscan = off; SET jit = off; SET plan_cache_mode = force_generic_plan"
        }
    }
}
