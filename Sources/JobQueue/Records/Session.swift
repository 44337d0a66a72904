/// A sign-in of a user, on one device. Its tokens hold until it ends.
package struct Session: Hashable, Sendable {
    /// The longest time from one refresh to the next, and from the sign-in to the end.
    package static let idleLifetime: Duration = .seconds(30 * 86_400)
    package static let lifetime: Duration = .seconds(90 * 86_400)
    /// The time after the first use of a refresh token in which it gives the same answer again.
    package static let replayWindow: Duration = .seconds(30)
    /// The time for which an ended session is kept: longer than its access tokens hold.
    package static let retention: Duration = .seconds(7 * 86_400)

    package var id: String
    package var user: UserID
    /// The name that the app gave the device.
    package var device: String?
    /// The tier and the operator's role at sign-in, as the provider's token named them.
    package var tier: String?
    package var role: String?
    package var createdAt: Timestamp
    /// The time of the sign-in or of the last refresh.
    package var lastUsedAt: Timestamp
    /// The time after which it is over unless it is refreshed.
    package var endsAt: Timestamp

    package init(
        id: String, user: UserID, device: String? = nil, tier: String? = nil, role: String? = nil,
        createdAt: Timestamp
    ) {
        (self.id, self.user, self.device, self.tier, self.role) = (id, user, device, tier, role)
        (self.createdAt, lastUsedAt) = (createdAt, createdAt)
        endsAt = min(createdAt + Self.idleLifetime, createdAt + Self.lifetime)
    }
}

/// A refresh token as it is kept: its digest, and the seed from which, with the token, its successor is made. So the
/// database alone yields no token, and requests that present one token at the same time make the same successor.
package struct StoredRefreshToken: Hashable, Sendable {
    package var digest: String
    package var seed: String

    package init(digest: String, seed: String) { (self.digest, self.seed) = (digest, seed) }
}

/// What became of a refresh token that was presented.
package enum SessionRefresh: Hashable, Sendable {
    /// No session takes the token.
    case refused
    /// The token was used before, so that somebody else may have it: its session has ended.
    case reused(session: String)
    /// The session goes on. Tokens presented again in time have the first time of use.
    case refreshed(Session, subject: String, generation: Int64)
}

/// An event that ends access: tokens that were issued before must be refused.
package enum AccessEnding: Hashable, Sendable {
    case session(String)
    /// All tokens of the user with an earlier generation.
    case user(subject: String, generation: Int64)
    /// Everything of a user who is being erased, or was: the HMAC of the subject, and the user's number while there are
    /// rows under it.
    case erasure(digest: String, user: UserID?, requestedAt: Timestamp, isCompleted: Bool)
    /// Everything of a user whom an operator has barred, or no more.
    case bar(subject: String, isBarred: Bool)
}

/// A place in a list of sessions.
package struct SessionCursor: Hashable, Sendable {
    package var createdAt: Timestamp
    package var id: String

    package init(createdAt: Timestamp, id: String) { (self.createdAt, self.id) = (createdAt, id) }
}

/// Keeps sessions, the digests of their refresh tokens, and the generations of users.
///
/// A user's generation is 0 until all their sessions are ended at once, which raises it by one.
package protocol SessionRepository: Sendable {
    /// Bars a user from everything, or lets the user in again. The entry of the audit is stored when that changes
    /// something.
    func setBar(_ isBarred: Bool, of user: UserID, audit: AuditEntry) async throws(StoreError)

    func isBarred(_ user: UserID) async throws(StoreError) -> Bool

    /// Stores a session with its first refresh token, and deletes some that ended long ago.
    ///
    /// - Returns: The user's generation.
    func startSession(_ session: Session, with token: StoredRefreshToken) async throws(StoreError) -> Int64

    /// The seed of a refresh token; `nil` for an unknown one.
    func seed(ofRefreshToken digest: String) async throws(StoreError) -> String?

    /// Uses a refresh token, whose successor is `successor`.
    ///
    /// A token that was used is taken again within the window, while its successor is unused; otherwise its session
    /// ends.
    func refreshSession(
        _ digest: String, successor: StoredRefreshToken, at now: Timestamp
    ) async throws(StoreError) -> SessionRefresh

    /// Ends a session of a user.
    ///
    /// - Returns: Whether it had not ended before.
    func endSession(_ id: String, of user: UserID, at now: Timestamp) async throws(StoreError) -> Bool

    /// The session of a refresh token that can be used.
    func session(ofRefreshToken digest: String, at now: Timestamp) async throws(StoreError) -> Session?

    /// Ends all sessions of a user and raises the generation, with the entry of the audit for an operator.
    ///
    /// - Returns: The number of sessions that had not ended before, and the new generation.
    func endSessions(
        of user: UserID, at now: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> (ended: Int, generation: Int64)

    /// The sessions of a user that have not ended, newest first.
    func sessions(
        of user: UserID, at now: Timestamp, after cursor: SessionCursor?, limit: Int
    ) async throws(StoreError) -> [Session]

    /// What has ended access: sessions since a time, and users since another.
    func accessEndings(
        sessionsSince: Timestamp, usersSince: Timestamp
    ) async throws(StoreError) -> [AccessEnding]

    /// The generation of a subject; 0 for an unknown one.
    func generation(of subject: String) async throws(StoreError) -> Int64
}
