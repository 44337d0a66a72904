internal import Basics
package import JobQueue

extension RecordDatabase {
    package func startSession(
        _ session: Session, with token: StoredRefreshToken
    ) async throws(StoreError) -> Int64 {
        let generations = try await change(
            .sessionStart, .timestamp(session.createdAt), .text(session.id, of: "session"), .user(session.user),
            .text(session.device, of: "device"), .text(session.tier, of: "tier"), .text(session.role, of: "role"),
            .timestamp(session.endsAt), .text(token.digest, of: "digest"), .text(token.seed, of: "seed"),
            .timestamp(session.createdAt - Session.retention)
        ) { $0.integer() }
        return generations.first ?? 0
    }

    package func seed(ofRefreshToken digest: String) async throws(StoreError) -> String? {
        try await first(.refreshTokenSeed, .text(digest, of: "digest")) { $0.text() }
    }

    package func refreshSession(
        _ digest: String, successor: StoredRefreshToken, at now: Timestamp
    ) async throws(StoreError) -> SessionRefresh {
        let rows = try await change(
            .sessionRefresh, .timestamp(now), .text(digest, of: "digest"), .text(successor.digest, of: "digest"),
            .text(successor.seed, of: "seed"), .timestamp(now - Session.replayWindow),
            .integer(Session.idleLifetime.wholeMilliseconds), .integer(Session.lifetime.wholeMilliseconds)
        ) { row in
            (
                session: Session(&row), subject: row.text(), generation: row.integer(), state: row.text()
            )
        }
        guard let row = rows.first else { return .refused }
        switch row.state {
        case "refreshed": return .refreshed(row.session, subject: row.subject, generation: row.generation)
        case "reused": return .reused(session: row.session.id)
        default: return .refused
        }
    }

    package func endSession(
        _ id: String, of user: UserID, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await !change(.sessionEnd, .timestamp(now), .text(id, of: "session"), .user(user)) { $0.text() }.isEmpty
    }

    package func session(
        ofRefreshToken digest: String, at now: Timestamp
    ) async throws(StoreError) -> Session? {
        try await first(.sessionOfToken, .text(digest, of: "digest"), .timestamp(now)) { Session(&$0) }
    }

    package func endSessions(
        of user: UserID, at now: Timestamp, audit: AuditEntry?
    ) async throws(StoreError) -> (ended: Int, generation: Int64) {
        let rows = try await change(.sessionsEnd, .timestamp(now), .user(user), audit.parameter) { row in
            (ended: Int(row.integer()), generation: row.integer())
        }
        guard let row = rows.first else { throw .unexpected(reason: "a generation is missing") }
        return row
    }

    package func sessions(
        of user: UserID, at now: Timestamp, after cursor: SessionCursor?, limit: Int
    ) async throws(StoreError) -> [Session] {
        try await all(
            .sessionList, .user(user), .timestamp(now), .timestamp(cursor?.createdAt ?? Timestamp(milliseconds: .max)),
            .text(cursor?.id ?? "", of: "session"), .count(limit)
        ) { Session(&$0) }
    }

    package func accessEndings(
        sessionsSince: Timestamp, usersSince: Timestamp
    ) async throws(StoreError) -> [AccessEnding] {
        try await all(.accessEndings, .timestamp(sessionsSince), .timestamp(usersSince)) { row in
            let (name, generation, requestedAt) = (row.text(), row.integer(), row.timestampIfAny())
            let (isCompleted, user) = (row.timestampIfAny() != nil, row.integerIfAny())
            if let requestedAt {
                return .erasure(
                    digest: name, user: user.map { UserID(rawValue: $0) }, requestedAt: requestedAt,
                    isCompleted: isCompleted)
            }
            return switch generation {
            case 0: .session(name)
            case -2: .bar(subject: name, isBarred: true)
            case -3: .bar(subject: name, isBarred: false)
            default: .user(subject: name, generation: generation)
            }
        }
    }

    package func setBar(_ isBarred: Bool, of user: UserID, audit: AuditEntry) async throws(StoreError) {
        try await change(.userBar, .now, .user(user), .integer(isBarred ? 1 : 0), audit.parameter)
    }

    package func isBarred(_ user: UserID) async throws(StoreError) -> Bool {
        try await first(.userBarGet, .user(user)) { $0.integer() } != nil
    }

    package func generation(of subject: String) async throws(StoreError) -> Int64 {
        try await first(.generationGet, .text(subject, of: "subject")) { $0.integer() } ?? 0
    }
}

extension Session {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(
            id: row.text(), user: row.user(), device: row.textIfAny(), tier: row.textIfAny(), role: row.textIfAny(),
            createdAt: row.timestamp())
        lastUsedAt = row.timestamp()
        endsAt = row.timestamp()
    }
}
