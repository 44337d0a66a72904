package import JobQueue

extension RecordDatabase {
    package func erasureKey() async throws(StoreError) -> String {
        guard let key = try await first(.erasureKey, row: { $0.text() }) else {
            throw .unexpected(reason: "the key of erasures is missing")
        }
        return key
    }

    package func startErasure(
        _ id: String, of user: UserID, digest: String, audit: AuditEntry?
    ) async throws(StoreError) -> Erasure? {
        guard user.rawValue >= 0 else { return nil }
        return try await change(
            .erasureStart, .now, .text(id, of: "id"), .user(user), .text(digest, of: "digest"),
            .integer(Erasure.limit.wholeMilliseconds), audit.parameter
        ) { Erasure(&$0) }.first
    }

    package func erasure(_ id: String) async throws(StoreError) -> Erasure? {
        try await first(.erasureById, .text(id, of: "id")) { Erasure(&$0) }
    }

    package func erasure(number: UserID) async throws(StoreError) -> Erasure? {
        try await first(.erasureByNumber, .user(number)) { Erasure(&$0) }
    }

    package func runningErasures(limit: Int) async throws(StoreError) -> [Erasure] {
        try await all(.erasuresRunning, .count(limit)) { Erasure(&$0) }
    }

    package func unfinishedJobs(of user: UserID, limit: Int) async throws(StoreError) -> [JobID] {
        try await all(.erasureUnfinishedJobs, .user(user), .count(limit)) { $0.jobID() }
    }

    package func eraseRows(of user: UserID, for number: UserID, limit: Int) async throws(StoreError) -> Bool {
        try await change(.erasureRows, .user(number), .user(user), .count(limit), .now) { $0.integer() }.last == 1
    }

    package func eraseAccount(of user: UserID, for number: UserID) async throws(StoreError) -> Bool {
        try await change(.erasureAccount, .user(number), .user(user)) { $0.integer() }.last == 0
    }

    package func completeErasure(number: UserID) async throws(StoreError) {
        try await change(.erasureComplete, .now, .user(number))
    }

    package func forgetErasedSubjects(before timestamp: Timestamp) async throws(StoreError) {
        try await change(.erasuresForget, .timestamp(timestamp))
    }
}

extension Erasure {
    fileprivate init(_ row: inout some StoredRow) {
        let (id, number) = (row.text(), row.user())
        let (user, subject) = (row.integerIfAny(), row.textIfAny())
        let (requestedAt, completeBy) = (row.timestamp(), row.timestamp())
        self.init(
            id: id, number: number, user: user.map { UserID(rawValue: $0) }, subject: subject,
            requestedAt: requestedAt, completeBy: completeBy, completedAt: row.timestampIfAny(),
            digest: row.textIfAny())
    }
}
