internal import JobQueue

/// The settings of the sessions of one kind of connection.
struct SessionSettings: Sendable {
    /// A script that is run once in a session.
    var ofSession: String
    /// Statements that begin each transaction where a pooler gives every transaction another session.
    var ofTransaction: [Statement] = []
    /// Whether its transactions write.
    var writes: Bool

    /// All rules of the store rest on this level, which a database or a user may have changed. No statement is worth other
    /// processes: beside ten million jobs, counting thirty of a user in three processes took a hundred times as long.
    private static let isolation = """
        SET default_transaction_isolation = 'read committed'; SET jit = off; SET max_parallel_workers_per_gather = 0
        """

    /// The settings of a session that writes. A statement whose caller has given up must not hold locks much longer,
    /// and one that waits for a lock must not keep its connection from other work for long.
    static func writer(limit: Duration, lockTimeout: Duration) -> SessionSettings {
        let (limit, lockTimeout) = (limit.wholeMilliseconds, lockTimeout.wholeMilliseconds)
        return SessionSettings(
            ofSession: """
                \(isolation);
                SET statement_timeout = \(limit);
                SET lock_timeout = \(lockTimeout);
                SET idle_in_transaction_session_timeout = \(limit)
                """,
            ofTransaction: [
                Statement(.transactionSettings) { parameters in
                    parameters.add(String(limit))
                    parameters.add(String(lockTimeout))
                }
            ], writes: true)
    }

    /// The settings of a session that reads. A statement that was planned while a table was small must not scan it when
    /// it has grown; and no statement is planned again each time, which would take longer than a poll itself.
    static let reader = SessionSettings(
        ofSession: "\(isolation); SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan", writes: false)
}
