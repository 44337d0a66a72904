/// A user as the service knows them.
package struct Account: Hashable, Sendable {
    package var id: UserID
    /// The user's name outside Dossier: the value of a proxy's header or the `sub` of a token.
    package var subject: String
    package var createdAt: Timestamp

    package init(id: UserID, subject: String, createdAt: Timestamp) {
        self.id = id
        self.subject = subject
        self.createdAt = createdAt
    }
}

/// The relation between the numbers of accounts and subjects that are numbers.
package enum AccountNumber {
    /// Numbers up to this one belong to the subjects that print them; all other subjects get numbers above it.
    package static let lastPrinted: Int64 = 1 << 40

    /// The number that a subject prints in its usual form: `7`, but not `007`, which is another subject.
    package static func printed(by subject: String) -> Int64? {
        guard let number = Int64(subject), (0...lastPrinted).contains(number), String(number) == subject else {
            return nil
        }
        return number
    }
}

/// Maps external subjects to users.
package protocol AccountRepository: Sendable {
    /// The account of a subject, opened when the subject is new.
    ///
    /// A subject of decimal digits up to 2^40 is its own number (the news documents print integers as ids); every
    /// other subject gets the next number above 2^40. `system` has the number -1 from the start: it owns the jobs of
    /// schedules.
    func account(for subject: String) async throws(StoreError) -> Account

    func account(id: UserID) async throws(StoreError) -> Account?

    /// The accounts with numbers below one, the highest first; those whose subjects begin with a text, where there is
    /// one.
    func accounts(
        beginning text: String?, below user: UserID, limit: Int
    ) async throws(StoreError) -> [Account]

    /// The account of a subject; `nil` when it is new.
    func knownAccount(of subject: String) async throws(StoreError) -> Account?
}

/// The requests of a user that were counted against one allowance in one minute.
package struct RateCount: Sendable, Hashable {
    package var user: UserID
    /// The name of the allowance.
    package var bucket: String
    package var count: Int

    package init(user: UserID, bucket: String, count: Int) {
        self.user = user
        self.bucket = bucket
        self.count = count
    }
}

/// What a user keeps in the service.
package struct UserUsage: Sendable, Hashable {
    package var unfinishedJobs = 0
    /// Bytes of inputs, results and conversations.
    package var storedBytes = 0

    package init(unfinishedJobs: Int = 0, storedBytes: Int = 0) {
        self.unfinishedJobs = unfinishedJobs
        self.storedBytes = storedBytes
    }
}

/// Reads what users keep, so that a submit beyond the limits of a plan can be refused.
package protocol UsageRepository: Sendable {
    func usage(of user: UserID) async throws(StoreError) -> UserUsage

    /// The job of the user that was submitted with the key.
    func job(ofIdempotencyKey key: String, user: UserID) async throws(StoreError) -> JobID?

    /// Whether an unfinished job of the user has the unique key.
    func isUnfinished(uniqueKey key: String, of user: UserID) async throws(StoreError) -> Bool
}

/// Counts the work for all users that the reading of each user sets off.
package protocol SharedWorkRepository: Sendable {
    /// Counts pieces of work against the allowance of a user on a day, in their order, and returns those within the
    /// allowance, of this call and of earlier ones.
    ///
    /// Each counts once, so that counting it again changes nothing. The day is counted from 1970 in UTC; counts from
    /// before the day before it are deleted.
    func countSharedWork(
        _ keys: [String], of user: UserID, day: Int64, limit: Int
    ) async throws(StoreError) -> Set<String>
}

/// Exchanges the counts of brokers, so that a user has one allowance across all of them.
package protocol RateCountRepository: Sendable {
    /// Stores a broker's counts of a minute and returns those of all other brokers for the same users
    /// and buckets. Counts from before the last minute are deleted.
    ///
    /// `counts` are totals, not additions, so that the same counts again change nothing; a pair of user and bucket
    /// occurs once. `broker` is the name of the process that counted, `minute` the minutes since 1970.
    func exchange(
        _ counts: [RateCount], of broker: String, minute: Int64
    ) async throws(StoreError) -> [RateCount]
}
