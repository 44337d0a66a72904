package import JobQueue

extension RecordDatabase {
    package func creditGrant(externalID: String) async throws(StoreError) -> CreditGrant? {
        let digest = NewCreditGrant.digest(ofExternalID: externalID)
        return try await first(.creditGrantByDigest, .text(digest, of: "external_id")) { try CreditGrant(&$0) }
    }

    package func ledger(
        of user: UserID, _ filter: LedgerFilter, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [LedgerEntry] {
        try await all(
            .ledgerList, .user(user), .integer(number ?? .max), .text(filter.movement?.rawValue, of: "type"),
            .integer(filter.from?.milliseconds), .integer(filter.to?.milliseconds), .job(filter.job), .count(limit)
        ) { try LedgerEntry(&$0) }
    }

    package func ledgerOfAll(
        _ filter: LedgerFilter, of user: UserID?, before number: Int64?, limit: Int
    ) async throws(StoreError) -> [UserLedgerEntry] {
        try await all(
            .ledgerListOfAll, .integer(user?.rawValue), .integer(number ?? .max),
            .text(filter.movement?.rawValue, of: "type"), .integer(filter.from?.milliseconds),
            .integer(filter.to?.milliseconds), .job(filter.job), .count(limit)
        ) { row in
            let (user, subject) = (row.user(), row.text())
            return UserLedgerEntry(user: user, subject: subject, entry: try LedgerEntry(&row))
        }
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
