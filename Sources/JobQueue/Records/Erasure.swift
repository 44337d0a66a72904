internal import Basics

/// The erasure of a user: everything of the user goes, but for the ledger and the costs of model calls, which get a number
/// that was made for the erasure.
package struct Erasure: Hashable, Sendable {
    /// The time in which an erasure completes.
    package static let limit: Duration = .seconds(900)
    /// The time for which the HMAC of the subject is kept: tokens that the identity provider issued before are refused
    /// for so long, and a new account gets no second starting credits.
    package static let memory: Duration = .seconds(90 * 86_400)

    /// 128 random bits in hexadecimal digits.
    package var id: String
    /// The number in place of the user's.
    package var number: UserID
    /// The user and the subject, until their rows are gone.
    package var user: UserID?
    package var subject: String?
    package var requestedAt: Timestamp
    package var completeBy: Timestamp
    package var completedAt: Timestamp?
    /// The HMAC of the subject, while it is kept.
    package var digest: String?

    package init(
        id: String, number: UserID, user: UserID?, subject: String?, requestedAt: Timestamp, completeBy: Timestamp,
        completedAt: Timestamp?, digest: String?
    ) {
        (self.id, self.number, self.user, self.subject) = (id, number, user, subject)
        (self.requestedAt, self.completeBy, self.completedAt) = (requestedAt, completeBy, completedAt)
        self.digest = digest
    }

    /// A new id.
    package static func makeID() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max, using: &generator), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Whether a text has the form of an id.
    package static func isID(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The HMAC of a subject, with the key that the store holds.
    package static func digest(of subject: String, key: String) -> String {
        digest(of: Array(subject.utf8), key: key)
    }

    /// The HMAC of a subject that is given as bytes.
    package static func digest(of subject: [UInt8], key: String) -> String {
        SHA256.hex(HMAC.sha256(subject, key: Array(key.utf8)))
    }
}

/// Erases users, a few rows at a time. Every call can be repeated.
package protocol ErasureRepository: Sendable {
    /// The key of the HMAC of subjects.
    func erasureKey() async throws(StoreError) -> String

    /// Begins the erasure of a user: from now on sessions, API keys and webhooks of the user have ended.
    ///
    /// `digest` is the HMAC of the user's subject, `audit` the entry about it for an operator. Returns the erasure of the
    /// user that runs, an earlier one too; `nil` for an unknown user and for the service's own.
    func startErasure(
        _ id: String, of user: UserID, digest: String, audit: AuditEntry?
    ) async throws(StoreError) -> Erasure?

    func erasure(_ id: String) async throws(StoreError) -> Erasure?

    /// The erasure whose number stands in place of a user's.
    func erasure(number: UserID) async throws(StoreError) -> Erasure?

    /// Erasures that have not completed, oldest first.
    func runningErasures(limit: Int) async throws(StoreError) -> [Erasure]

    func unfinishedJobs(of user: UserID, limit: Int) async throws(StoreError) -> [JobID]

    /// Takes away some rows of a user whose jobs have ended, at most `limit` of each table.
    ///
    /// - Returns: Whether any are left.
    func eraseRows(of user: UserID, for number: UserID, limit: Int) async throws(StoreError) -> Bool

    /// Takes away the small rest with the account, unless rows were added meanwhile.
    ///
    /// - Returns: Whether it is gone.
    func eraseAccount(of user: UserID, for number: UserID) async throws(StoreError) -> Bool

    /// Takes what is deleted out of index tables and of the bytes of files, as far as this is the store's to do.
    ///
    /// - Returns: Whether all of it is gone; otherwise somebody keeps a file busy at the moment.
    func scrub() async throws(StoreError) -> Bool

    /// Notes that an erasure has completed.
    func completeErasure(number: UserID) async throws(StoreError)

    /// Forgets the HMACs of subjects whose erasures completed before a time.
    func forgetErasedSubjects(before timestamp: Timestamp) async throws(StoreError)
}
