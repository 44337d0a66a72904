internal import Basics

/// A permission that a role or an API key gives.
package enum Scope: String, CaseIterable, Sendable, Hashable {
    /// Every `GET` for operators but exports.
    case adminRead = "admin:read"
    /// Cancel, retry, pause, drain, plans, bars, sign-out.
    case adminWrite = "admin:write"
    /// `/metrics` on a public listener.
    case metrics
    /// Grants of credits.
    case creditsGrant = "credits:grant"
    /// Writes on endpoints that hear of all users.
    case webhooks
    /// Export and erasure of other users.
    case usersErase = "users:erase"
    /// Making and revoking API keys.
    case keys
    /// To be any user that `X-User-ID` names.
    case usersAct = "users:act"
}

/// A key by which a server calls: it has scopes of its own and belongs to no user.
package struct APIKey: Hashable, Sendable {
    /// Live keys that a service may have.
    package static let most = 1000
    package static let longestName = 100
    /// The beginning of each key, by which requests are told apart from those with tokens of users.
    package static let marker = "dk_live_"
    /// The number of characters of a key that are shown later.
    package static let shownCharacters = 12

    package var id: String
    package var name: String
    /// The first characters of the key.
    package var prefix: String
    package var scopes: Set<Scope>
    package var createdAt: Timestamp
    package var createdBy: AuditActor
    /// To the minute.
    package var lastUsedAt: Timestamp?
    package var expiresAt: Timestamp?
    package var revokedAt: Timestamp?

    package init(
        id: String, name: String, prefix: String, scopes: Set<Scope>, createdAt: Timestamp, createdBy: AuditActor,
        expiresAt: Timestamp? = nil
    ) {
        (self.id, self.name, self.prefix, self.scopes) = (id, name, prefix, scopes)
        (self.createdAt, self.createdBy, self.expiresAt) = (createdAt, createdBy, expiresAt)
    }

    /// Whether requests with the key are taken.
    package func isLive(at now: Timestamp) -> Bool { revokedAt == nil && expiresAt.map { now < $0 } ?? true }

    /// The digest under which the text of a key is kept.
    package static func digest(of text: String) -> String { SHA256.hex(text) }
}

/// A key with what is kept of its text, to be stored.
package struct NewAPIKey: Sendable {
    package var key: APIKey
    package var digest: String
    /// Random; with a secret of the service it gives the text again for a repeated request.
    package var seed: String
    /// The request's idempotency key, unique for the creator.
    package var requestKey: String?
    package var fingerprint: String?

    package init(
        _ key: APIKey, digest: String, seed: String, requestKey: String? = nil, fingerprint: String? = nil
    ) {
        (self.key, self.digest, self.seed) = (key, digest, seed)
        (self.requestKey, self.fingerprint) = (requestKey, fingerprint)
    }
}

/// What became of a request for a key.
package enum APIKeyCreation: Sendable {
    case created(APIKey)
    /// The same request made this key before.
    case existing(APIKey, digest: String, seed: String)
    /// The idempotency key came before with another request.
    case conflict
    /// There are as many keys as there may be.
    case full
}

/// Keeps API keys by the digests of their texts.
package protocol APIKeyRepository: Sendable {
    /// Stores a key and the audit entry about it.
    func createKey(_ key: NewAPIKey, audit: AuditEntry) async throws(StoreError) -> APIKeyCreation

    /// The key whose text has a digest, live or not.
    func key(digest: String) async throws(StoreError) -> APIKey?

    /// Keys that are live, by digest.
    func liveKeys() async throws(StoreError) -> [String: APIKey]

    /// All keys, newest first.
    func keys(after cursor: TimeCursor?, limit: Int) async throws(StoreError) -> [APIKey]

    /// Ends a key; the audit entry is written only when it was not revoked before.
    ///
    /// - Returns: The key; `nil` when there is none with the id.
    func revokeKey(_ id: String, audit: AuditEntry) async throws(StoreError) -> APIKey?

    /// Notes when keys were used last, by id.
    func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError)
}

/// A place in a list that is ordered by time and id, newest first.
package struct TimeCursor: Hashable, Sendable {
    package var at: Timestamp
    package var id: String

    package init(at: Timestamp, id: String) { (self.at, self.id) = (at, id) }
}
