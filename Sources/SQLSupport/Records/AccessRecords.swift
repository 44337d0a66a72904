internal import JSON
package import JobQueue

extension RecordDatabase {
    package func createKey(_ key: NewAPIKey, audit: AuditEntry) async throws(StoreError) -> APIKeyCreation {
        let rows = try await change(
            .apiKeyCreate, .now, .text(key.key.id, of: "id"), .text(key.key.name, of: "name"),
            .text(key.key.prefix, of: "prefix"), .text(key.key.storedScopes, of: "scopes"),
            .text(key.key.createdBy.kind.rawValue, of: "created_by"), .text(key.key.createdBy.id, of: "created_by"),
            .text(key.key.createdBy.name, of: "created_by"), .integer(key.key.expiresAt?.milliseconds),
            .text(key.digest, of: "digest"), .text(key.seed, of: "seed"), .text(key.requestKey, of: "idempotency_key"),
            .text(key.fingerprint, of: "fingerprint"), .integer(APIKey.most), audit.parameter
        ) { row in
            (
                key: try APIKey(&row), digest: row.text(), seed: row.text(), fingerprint: row.textIfAny()
            )
        }
        guard let row = rows.first else { return .full }
        if row.key.id == key.key.id { return .created(row.key) }
        guard row.fingerprint == key.fingerprint else { return .conflict }
        return .existing(row.key, digest: row.digest, seed: row.seed)
    }

    package func key(digest: String) async throws(StoreError) -> APIKey? {
        try await first(.apiKeyByDigest, .text(digest, of: "digest")) { try APIKey(&$0) }
    }

    package func liveKeys() async throws(StoreError) -> [String: APIKey] {
        let rows = try await all(.apiKeysLive, .now) { row in (key: try APIKey(&row), digest: row.text()) }
        return Dictionary(rows.map { ($0.digest, $0.key) }) { first, _ in first }
    }

    package func keys(after cursor: TimeCursor?, limit: Int) async throws(StoreError) -> [APIKey] {
        try await all(
            .apiKeyList, .timestamp(cursor?.at ?? Timestamp(milliseconds: .max)), .text(cursor?.id ?? "", of: "cursor"),
            .count(limit)
        ) { try APIKey(&$0) }
    }

    package func revokeKey(_ id: String, audit: AuditEntry) async throws(StoreError) -> APIKey? {
        try await change(.apiKeyRevoke, .now, .text(id, of: "id"), audit.parameter) { try APIKey(&$0) }.first
    }

    package func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        let uses = uses.sorted { $0.key < $1.key }
        try await change(
            .apiKeyUses, .texts(uses.map(\.key), of: "id"), .integers(uses.map(\.value.milliseconds)))
    }

    package func writeAudit(_ entry: AuditEntry) async throws(StoreError) {
        try await change(.auditWrite, .now, entry.parameter)
    }

    package func deleteAudit(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await change(.auditDelete, .timestamp(timestamp), .count(limit)) { $0.text() }.count
    }

    package func auditEntries(
        _ filter: AuditFilter, after cursor: TimeCursor?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try await all(
            .auditList, .timestamp(cursor?.at ?? Timestamp(milliseconds: .max)), .text(cursor?.id ?? "", of: "cursor"),
            .text(filter.actor, of: "actor"), .text(filter.action, of: "action"), .text(filter.target, of: "target"),
            .integer(filter.from?.milliseconds), .integer(filter.to?.milliseconds), .count(limit)
        ) { try AuditEntry(&$0) }
    }
}

extension AuditEntry {
    /// The entry as a value for a query, which writes it with the store's function for that.
    package var parameter: RecordParameter { .text(stored.compact, of: "audit") }

    /// The text that a store takes.
    ///
    /// - Throws: `invalidText` when it holds a NUL.
    package var checked: String {
        get throws(StoreError) {
            try Texts.rejectNUL(in: stored, field: "audit")
            return stored.compact
        }
    }

    fileprivate init(_ row: inout some StoredRow) throws {
        guard let id = JobID(row.text()) else { throw StoreError.unexpected(reason: "the id of an audit entry") }
        let at = row.timestamp()
        let actor = try AuditActor(&row)
        let (action, target, user) = (row.text(), row.textIfAny(), row.integerIfAny())
        let details = row.text()
        self.init(
            id: id, at: at, actor: actor, action: action, target: target, user: user.map { UserID(rawValue: $0) },
            details: (try? JSON(parsing: details)) ?? [:], requestID: row.textIfAny())
    }
}

extension AuditActor {
    fileprivate init(_ row: inout some StoredRow) throws {
        let word = row.text()
        guard let kind = Kind(rawValue: word) else { throw StoreError.unexpected(reason: "actor '\(word)'") }
        self.init(kind, id: row.text(), name: row.text())
    }
}

extension APIKey {
    /// Scopes with spaces between them.
    fileprivate var storedScopes: String { scopes.map(\.rawValue).sorted().joined(separator: " ") }

    fileprivate init(_ row: inout some StoredRow) throws {
        let (id, name, prefix, scopes) = (row.text(), row.text(), row.text(), row.text())
        let createdAt = row.timestamp()
        self.init(
            id: id, name: name, prefix: prefix,
            // A scope of a later version permits nothing here.
            scopes: Set(scopes.split(separator: " ").compactMap { Scope(rawValue: String($0)) }),
            createdAt: createdAt, createdBy: try AuditActor(&row))
        lastUsedAt = row.timestampIfAny()
        expiresAt = row.timestampIfAny()
        revokedAt = row.timestampIfAny()
    }
}

extension AuditEntry? {
    /// The entry for a query that writes it only where there is one.
    var parameter: RecordParameter { self?.parameter ?? .text(nil, of: "audit") }
}
