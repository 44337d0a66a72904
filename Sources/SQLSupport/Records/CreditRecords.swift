package import JobQueue

extension RecordDatabase {
    package func creditGrant(externalID: String) async throws(StoreError) -> CreditGrant? {
        let digest = NewCreditGrant.digest(ofExternalID: externalID)
        return try await first(.creditGrantByDigest, .text(digest, of: "external_id")) { try CreditGrant(&$0) }
    }

    package func ledger(
        of user: UserID, _ filter: LedgerFilter, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LedgerEntry] {
        try await ledgerOfAll(filter, of: user, before: number, limit: limit).map(\.entry)
    }

    package func ledgerOfAll(
        _ filter: LedgerFilter, of user: UserID?, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [UserLedgerEntry] {
        let numbers = try await ledgerNumbers(filter, of: user, before: number, limit: limit)
        guard !numbers.isEmpty else { return [] }
        return try await all(.ledgerEntries, .integers(numbers)) { row in
            let (user, subject) = (row.user(), row.text())
            return UserLedgerEntry(user: user, subject: subject, entry: try LedgerEntry(&row))
        }
    }

    /// The numbers of the matching entries, newest first.
    ///
    /// Entries are numbered in the order of their times, so that a stretch of time, or the life of a job, is a range of
    /// numbers: entries outside of it are not read, however many there are.
    private func ledgerNumbers(
        _ filter: LedgerFilter, of user: UserID?, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [Int64] {
        var (start, end) = (filter.from, filter.to)
        if let job = filter.job, let life = try await first(.lifeOfJob, .job(job), row: Self.life) {
            start = max(start ?? life.start, life.start)
            if let ended = life.end { end = min(end ?? ended, ended) }
        }
        var (after, before) = (Int64.min, number ?? .max)
        if let start { after = try await ledgerNumber(at: start - Self.disorder) }
        if let end { before = min(before, try await ledgerNumber(at: end + Self.disorder) + 1) }
        let query: RecordQuery
        var parameters: [RecordParameter] = [
            .integer(after), .integer(before), .integer(filter.from?.milliseconds ?? .min),
            .integer(filter.to?.milliseconds ?? .max), .job(filter.job), .count(limit),
        ]
        if filter.movement == .grant {
            query = user == nil ? .ledgerGrants : .ledgerGrantsOfUser
        } else {
            query = user == nil ? .ledgerNumbers : .ledgerNumbersOfUser
            parameters.append(.text(filter.movement?.rawValue, of: "type"))
        }
        if let user { parameters.append(.user(user)) }
        return try await read(query, parameters) { $0.integer() }
    }

    /// By how much the times of entries can differ from the order of their numbers: transactions take their numbers and
    /// their times one after the other, and clocks are set.
    private static var disorder: Duration { .seconds(60) }

    private func ledgerNumber(at time: Timestamp) async throws(StoreError) -> Int64 {
        try await first(.ledgerNumberAt, .timestamp(time)) { $0.integer() } ?? 0
    }

    private static func life(_ row: inout Row) -> (start: Timestamp, end: Timestamp?) {
        (row.timestamp(), row.timestampIfAny())
    }

    package func creditStatement(
        of user: UserID, from start: Timestamp, to end: Timestamp
    ) async throws(StoreError) -> CreditStatement {
        let sums = try await all(.ledgerStatement, .user(user), .timestamp(start), .timestamp(end)) { row in
            (part: row.text(), name: row.text(), amount: row.int(), count: row.int())
        }
        return sums.reduce(into: CreditStatement()) { statement, sum in
            switch sum.part {
            case "opening": statement.opening += sum.amount
            case "used":
                statement.used[sum.name, default: 0] += sum.amount
                statement.jobs += sum.count
            default:
                let source = CreditSource(rawValue: sum.name) ?? .correction
                if source == .expiry {
                    statement.expired -= sum.amount
                } else {
                    statement.granted[source, default: 0] += sum.amount
                }
            }
        }
    }
}

extension CreditGrant {
    /// Reads the columns of `credit_grant`.
    package init(_ row: inout some StoredRow) throws {
        let (id, user, amount, applied, word) = (row.text(), row.user(), row.int(), row.int(), row.text())
        guard let source = CreditSource(rawValue: word) else {
            throw StoreError.unexpected(reason: "credit source '\(word)'")
        }
        let createdAt = row.timestamp()
        self.init(
            id: id, user: user, amount: amount, applied: applied, source: source, createdAt: createdAt,
            balance: CreditBalance(granted: row.int(), held: row.int(), used: row.int()))
    }
}

extension LedgerEntry {
    fileprivate init(_ row: inout some StoredRow) throws {
        let (number, word, amount) = (row.integer(), row.text(), row.int())
        guard let movement = Movement(rawValue: word) else {
            throw StoreError.unexpected(reason: "ledger entry '\(word)'")
        }
        let effect = Credits(&row)
        let after = Credits(&row)
        let (source, month, job, kind) = (row.textIfAny(), row.textIfAny(), row.jobIDIfAny(), row.textIfAny())
        self.init(
            number: number, movement: movement, amount: amount, effect: effect, after: after,
            source: source.flatMap(CreditSource.init), month: month, job: job, kind: kind, at: row.timestamp())
    }
}

extension LedgerEntry.Credits {
    fileprivate init(_ row: inout some StoredRow) {
        self.init(remaining: row.int(), held: row.int(), used: row.int())
    }
}
