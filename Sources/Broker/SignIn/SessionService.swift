internal import Basics
internal import Foundation
internal import JSON
internal import JobQueue
internal import Observability

/// Starts, refreshes and ends sessions.
struct SessionService: Sendable {
    /// The tokens of a session, as an app receives them.
    struct Grant: Sendable {
        var accessToken: String
        var refreshToken: String
        var expiresIn: Int64
        var refreshExpiresIn: Int64
        var session: String

        /// The response body with the fields of OAuth 2.0 (RFC 6749, 5.1).
        var json: JSON {
            [
                "access_token": JSON(accessToken), "refresh_token": JSON(refreshToken), "token_type": "Bearer",
                "expires_in": JSON(expiresIn), "refresh_expires_in": JSON(refreshExpiresIn),
                "session_id": JSON(session),
            ]
        }
    }

    let tokens: SessionTokens
    let sessions: any SessionRepository
    let users: UserCache
    let access: AccessList
    let plans: UserPlans
    let months: MonthlyGrants
    let logger: Logger

    private var now: Timestamp { Timestamp(milliseconds: tokens.now()) }

    /// Starts a session for the user of an identity provider's token.
    func signIn(_ token: String, device: String?) async throws(APIError) -> Grant {
        guard tokens.provider.isConfigured else { throw .notFound("This address") }
        let now = now
        let identity = try await tokens.provider.identity(of: token, now: now.milliseconds / 1000)
        try await access.check(subject: identity.subject, issuedAt: identity.issuedAt)
        let user = try await users.user(identity.subject)
        try await stored { () async throws(StoreError) in
            try await plans.note(tier: identity.profile.tier, of: user)
            try await months.begin(for: user)
        }
        let session = Session(
            id: UUID().uuidString.lowercased(), user: user, device: device, tier: identity.profile.tier,
            role: identity.profile.role?.rawValue, createdAt: now)
        let refreshToken = RefreshToken()
        let generation = try await stored { () async throws(StoreError) in
            try await sessions.startSession(session, with: refreshToken.stored(seed: RefreshToken.seed()))
        }
        return try grant(
            session, subject: identity.subject, generation: generation, email: identity.profile.email, refreshToken)
    }

    /// Uses a refresh token. Presented again at once, it gives the same tokens.
    func refresh(_ text: String) async throws(APIError) -> Grant {
        guard let token = RefreshToken(text) else { throw .tokenInvalid }
        let seed = try await stored { () async throws(StoreError) in
            try await sessions.seed(ofRefreshToken: token.digest)
        }
        guard let seed else { throw .tokenInvalid }
        let successor = token.successor(seed: seed)
        let now = now
        let outcome = try await stored { () async throws(StoreError) in
            try await sessions.refreshSession(
                token.digest, successor: successor.stored(seed: RefreshToken.seed()), at: now)
        }
        switch outcome {
        case .refreshed(let session, let subject, let generation):
            try await access.check(subject: subject)
            return try grant(session, subject: subject, generation: generation, email: nil, successor)
        case .reused(let session):
            access.add(.session(session), at: now)
            logger.warning("a refresh token came twice and its session has ended", ["session": .string(session)])
            throw .tokenInvalid
        case .refused: throw .tokenInvalid
        }
    }

    /// Ends the session of a request's token, or all sessions of its user.
    ///
    /// - Returns: The number of sessions that were ended.
    func logout(_ claims: AccessClaims, everywhere: Bool) async throws(APIError) -> Int {
        let user = try await users.user(claims.subject)
        if everywhere { return try await endAll(of: user, claims.subject) }
        guard let session = claims.session else { return 0 }
        return try await end(session, of: user) ? 1 : 0
    }

    /// The same for a refresh token; one that cannot be used ends nothing.
    func logout(refreshToken text: String, everywhere: Bool) async throws(APIError) -> Int {
        let now = now
        guard let token = RefreshToken(text) else { return 0 }
        let found = try await stored { () async throws(StoreError) in
            try await sessions.session(ofRefreshToken: token.digest, at: now)
        }
        guard let found else { return 0 }
        if everywhere, let subject = try await users.subject(of: found.user) {
            return try await endAll(of: found.user, subject)
        }
        return try await end(found.id, of: found.user) ? 1 : 0
    }

    /// Ends a session, here at once.
    func end(_ session: String, of user: UserID) async throws(APIError) -> Bool {
        let now = now
        let hasEnded = try await stored { () async throws(StoreError) in
            try await sessions.endSession(session, of: user, at: now)
        }
        if hasEnded { access.add(.session(session), at: now) }
        return hasEnded
    }

    /// The open sessions of a user, newest first.
    func list(
        of user: UserID, after cursor: SessionCursor?, limit: Int
    ) async throws(APIError) -> [Session] {
        let now = now
        return try await stored { () async throws(StoreError) in
            try await sessions.sessions(of: user, at: now, after: cursor, limit: limit)
        }
    }

    private func endAll(of user: UserID, _ subject: String) async throws(APIError) -> Int {
        let now = now
        let (ended, generation) = try await stored { () async throws(StoreError) in
            try await sessions.endSessions(of: user, at: now, audit: nil)
        }
        access.add(.user(subject: subject, generation: generation), at: now)
        return ended
    }

    private func grant(
        _ session: Session, subject: String, generation: Int64, email: String?, _ refreshToken: RefreshToken
    ) throws(APIError) -> Grant {
        let left = (session.endsAt - session.lastUsedAt).wholeMilliseconds / 1000
        let profile = SessionTokens.Profile(
            email: email, tier: session.tier, role: session.role.flatMap(OperatorRole.init))
        do {
            let access = try tokens.issue(
                to: subject, profile: profile, accessLifetime: min(SessionTokens.accessLifetime, left),
                session: session.id, generation: generation, issuedAt: session.lastUsedAt.milliseconds / 1000)
            return Grant(
                accessToken: access.accessToken, refreshToken: refreshToken.text, expiresIn: access.expiresIn,
                refreshExpiresIn: left, session: session.id)
        } catch {
            throw .internal
        }
    }

    private func stored<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(APIError) -> Value {
        do {
            return try await body()
        } catch {
            throw APIError(error)
        }
    }
}

/// A refresh token: 32 random bytes, of which only a digest is stored.
struct RefreshToken: Sendable, Hashable {
    private static let prefix = "drt_"
    private static let bytes = 32

    let text: String

    /// A new token.
    init() { text = Self.prefix + Base64URL.encode(RandomBytes.make(Self.bytes)) }

    /// - Returns: `nil` for a text of another form.
    init?(_ text: String) {
        guard text.hasPrefix(Self.prefix),
            Base64URL.decode(text.dropFirst(Self.prefix.count))?.count == Self.bytes
        else { return nil }
        self.text = text
    }

    private init(bytes: [UInt8]) { text = Self.prefix + Base64URL.encode(bytes) }

    var digest: String { SHA256.hex(text) }

    /// The token after this one. It takes both the token, which only its holder has, and the seed, which only the
    /// database has; requests that present the token at the same time make the same successor.
    func successor(seed: String) -> RefreshToken {
        RefreshToken(bytes: SHA256.digest(Array("dossier refresh token\n\(text)\n\(seed)".utf8)))
    }

    func stored(seed: String) -> StoredRefreshToken { StoredRefreshToken(digest: digest, seed: seed) }

    static func seed() -> String { Base64URL.encode(RandomBytes.make(bytes)) }
}
