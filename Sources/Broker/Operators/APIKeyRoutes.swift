package import Basics
internal import Foundation
package import JSON
package import JobQueue

/// `/api/v1/admin/keys`.
struct APIKeyRoutes: Sendable {
    let keys: any APIKeyRepository
    let access: APIKeyAccess
    let maker: APIKeyMaker

    func create(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        let new = try request(body)
        for scope in new.scopes.sorted(by: { $0.rawValue < $1.rawValue }) where !context.scopes.contains(scope) {
            throw .scopeMissing(scope)
        }
        if let expiresAt = new.expiresAt, expiresAt <= context.now {
            throw .invalid("expires_at", "must be in the future")
        }
        let idempotency = try context.idempotency(body)
        let made = maker.make(
            new, at: context.now, by: context.actor, requestKey: idempotency?.key,
            fingerprint: idempotency?.fingerprint)
        let creation: APIKeyCreation
        do {
            creation = try await keys.createKey(
                made.stored,
                audit: context.audit("keys.create", target: made.stored.key.id, details: made.stored.key.auditDetails))
        } catch {
            throw APIError(error)
        }
        switch creation {
        case .created(let key): return Self.answer(key, text: made.text)
        case .existing(let key, let digest, let seed):
            // After two changes of the secret the text cannot be made again.
            guard let text = maker.text(seed: seed, digest: digest) else { throw .conflict("key_reused") }
            return Self.answer(key, text: text, isReplay: true)
        case .conflict: throw .conflict("key_reused")
        case .full: throw .conflict("list_full")
        }
    }

    func list(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let found: [APIKey]
        do {
            found = try await keys.keys(after: try context.timeCursor(), limit: size + 1)
        } catch let error as StoreError {
            throw APIError(error)
        } catch let error as APIError {
            throw error
        } catch {
            throw .internal
        }
        return .page(of: found, size: size, place: { TimeCursor(at: $0.createdAt, id: $0.id) }, \.json)
    }

    func revoke(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let id = try context.jobID().description
        let key: APIKey?
        do {
            key = try await keys.revokeKey(id, audit: context.audit("keys.revoke", target: id))
        } catch {
            throw APIError(error)
        }
        guard let key else { throw .notFound("The key") }
        access.revoke(id)
        return APIResponse(key.json)
    }

    private func request(_ body: JSONField) throws(APIError) -> APIKeyRequest {
        try body.allowOnly(["name", "scopes", "expires_at"])
        do {
            let name = try body["name"].string()
            guard APIKeyRequest.isName(name) else {
                throw body["name"].failure("must be 1 to \(APIKey.longestName) printable characters")
            }
            let scopes = try body["scopes"].strings()
            guard !scopes.isEmpty else { throw body["scopes"].failure("must name a scope at least") }
            var known: Set<Scope> = []
            for scope in scopes {
                guard let scope = Scope(rawValue: scope) else {
                    let all = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                    throw body["scopes"].failure("names a scope that does not exist; the scopes are \(all)")
                }
                known.insert(scope)
            }
            var expiresAt: Timestamp?
            if let text = try body["expires_at"].optional?.string() {
                guard let time = Timestamp(iso8601: text) else {
                    throw body["expires_at"].failure("must be a time such as 2026-12-31T00:00:00Z")
                }
                expiresAt = time
            }
            return APIKeyRequest(name: name, scopes: known, expiresAt: expiresAt)
        } catch let error as JSONFieldError {
            throw .invalid(error)
        } catch {
            throw .internal
        }
    }

    private static func answer(_ key: APIKey, text: String, isReplay: Bool = false) -> APIResponse {
        var json = key.json
        json["key"] = JSON(text)
        return APIResponse(json, status: 201, headers: isReplay ? [("Idempotent-Replayed", "true")] : [])
    }
}

/// What a key shall be.
package struct APIKeyRequest: Sendable {
    package var name: String
    package var scopes: Set<Scope>
    package var expiresAt: Timestamp?

    package init(name: String, scopes: Set<Scope>, expiresAt: Timestamp? = nil) {
        (self.name, self.scopes, self.expiresAt) = (name, scopes, expiresAt)
    }

    /// Whether a text may be the name of a key.
    package static func isName(_ text: String) -> Bool {
        (1...APIKey.longestName).contains(text.unicodeScalars.count) && text.hasSameBytes(as: text.sanitized)
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}

/// Makes the texts of keys: from a random seed, which the database has, and a secret, which it has not. So a repeated
/// request gets the same text, although only its digest is kept.
package struct APIKeyMaker: Sendable {
    private let secrets: [Secret]

    /// - Parameter secrets: The present secret first, then the one before; without any, one of this process's own.
    package init(secrets: [Secret] = []) {
        self.secrets = secrets.isEmpty ? [Secret(Base64URL.encode(RandomBytes.make(32)))] : secrets
    }

    /// Makes a key with its text.
    package func make(
        _ request: APIKeyRequest, at now: Timestamp, by creator: AuditActor, requestKey: String? = nil,
        fingerprint: String? = nil
    ) -> (stored: NewAPIKey, text: String) {
        let seed = Base64URL.encode(RandomBytes.make(32))
        let text = Self.text(seed: seed, secret: secrets[0])
        var generator = SystemRandomNumberGenerator()
        let key = APIKey(
            id: JobID(at: now, using: &generator).description, name: request.name,
            prefix: String(text.prefix(APIKey.shownCharacters)), scopes: request.scopes, createdAt: now,
            createdBy: creator, expiresAt: request.expiresAt)
        let stored = NewAPIKey(
            key, digest: APIKey.digest(of: text), seed: seed, requestKey: requestKey, fingerprint: fingerprint)
        return (stored, text)
    }

    /// The text of a key that was made with one of the secrets.
    func text(seed: String, digest: String) -> String? {
        secrets.lazy.map { Self.text(seed: seed, secret: $0) }.first { APIKey.digest(of: $0) == digest }
    }

    private static func text(seed: String, secret: Secret) -> String {
        let bytes = SHA256.digest(Array("dossier api key\n\(secret.reveal())\n\(seed)".utf8))
        return APIKey.marker + Base64URL.encode(bytes)
    }
}

extension APIKey {
    /// The form of the API and of the command line, without the text.
    package var json: JSON {
        [
            "id": JSON(id), "name": JSON(name), "prefix": JSON(prefix),
            "scopes": .array(scopes.map(\.rawValue).sorted().map { JSON($0) }),
            "created_at": JSON(createdAt.iso8601), "created_by": createdBy.json,
            "last_used_at": Self.text(lastUsedAt), "expires_at": Self.text(expiresAt),
            "revoked_at": Self.text(revokedAt),
        ]
    }

    /// The details of the audit entry about its creation.
    package var auditDetails: JSON {
        [
            "name": JSON(name), "prefix": JSON(prefix),
            "scopes": .array(scopes.map(\.rawValue).sorted().map { JSON($0) }), "expires_at": Self.text(expiresAt),
        ]
    }

    private static func text(_ timestamp: Timestamp?) -> JSON { timestamp.map { JSON($0.iso8601) } ?? .null }
}

extension AuditActor {
    /// The form of the API.
    package var json: JSON { ["type": JSON(kind.rawValue), "id": JSON(id), "name": JSON(name)] }
}
