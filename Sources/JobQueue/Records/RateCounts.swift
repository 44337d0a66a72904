/// How many requests of a user were counted against one allowance in one minute.
package struct RateCount: Sendable, Hashable {
    package var user: Int64
    /// Names the allowance.
    package var bucket: String
    package var count: Int

    package init(user: Int64, bucket: String, count: Int) {
        self.user = user
        self.bucket = bucket
        self.count = count
    }
}

/// Tells brokers what the others have counted, so that a user has one allowance wherever requests go.
package protocol RateCountRepository: Sendable {
    /// Puts down what a broker has counted so far in a minute, and gives what all others have counted of the same users
    /// and buckets. What came before the last minute is forgotten.
    ///
    /// `counts` are totals, not additions: the same counts again change nothing; no user and bucket stand twice.
    /// `broker` names the process that counted, `minute` is in minutes since 1970.
    func exchange(
        _ counts: [RateCount], of broker: String, minute: Int64
    ) async throws(StoreError) -> [RateCount]
}
