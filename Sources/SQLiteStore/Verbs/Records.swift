internal import JobQueue
public import Records

extension SQLiteStore: AccountRepository {
    public func account(for subject: String) async throws(RecordsError) -> Account {
        guard !subject.utf8.contains(0) else { throw .invalidText(field: "subject") }
        do {
            if let known = try await readers.perform({ try $0.account(for: subject) }) { return known }
            return try await writer.perform { transaction in
                let database = transaction.database
                if let known = try database.account(for: subject) { return known }
                let next = try database.first(.accountNext, .integer(AccountNumber.lastPrinted)) { $0.integer() }
                let id = AccountNumber.printed(by: subject) ?? next ?? AccountNumber.lastPrinted + 1
                let account = Account(id: id, subject: subject, createdAt: transaction.now.milliseconds)
                try database.run(.accountInsert, .integer(id), .text(subject), .integer(account.createdAt))
                return account
            }
        } catch {
            throw RecordsError(error)
        }
    }

    public func account(id: Int64) async throws(RecordsError) -> Account? {
        do {
            return try await readers.perform { database in
                try database.first(.accountById, .integer(id), read: Account.init)
            }
        } catch {
            throw RecordsError(error)
        }
    }
}

extension SQLiteStore: BundleRepository {
    public func store(bundle hash: String, archive: String) async throws(RecordsError) {
        guard !hash.utf8.contains(0) else { throw .invalidText(field: "hash") }
        guard !archive.utf8.contains(0) else { throw .invalidText(field: "archive") }
        do {
            try await writer.perform { transaction in
                try transaction.database.run(.bundleInsert, .text(hash), .text(archive), .moment(transaction.now))
            }
        } catch {
            throw RecordsError(error)
        }
    }

    public func archive(ofBundle hash: String) async throws(RecordsError) -> String? {
        do {
            return try await readers.perform { try $0.first(.bundleGet, .text(hash)) { $0.text() } }
        } catch {
            throw RecordsError(error)
        }
    }
}

extension SQLiteConnection {
    fileprivate func account(for subject: String) throws -> Account? {
        try first(.accountBySubject, .text(subject), read: Account.init)
    }
}

extension Account {
    fileprivate init(_ row: inout SQLiteRow) {
        self.init(id: row.integer(), subject: row.text(), createdAt: row.integer())
    }
}

extension RecordsError {
    fileprivate init(_ error: StoreError) {
        if case .invalidText(let field) = error {
            self = .invalidText(field: field)
        } else {
            self = .unavailable(reason: error.description)
        }
    }
}
