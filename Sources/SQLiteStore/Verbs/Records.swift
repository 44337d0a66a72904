import SQLSupport
package import JobQueue

extension SQLiteStore: AccountRepository {
    package func account(for subject: String) async throws(StoreError) -> Account {
        try Texts.rejectNUL([("subject", subject)])
        if let known = try await ask({ try $0.account(for: subject) }) { return known }
        return try await tell { transaction in
            let database = transaction.database
            if let known = try database.account(for: subject) { return known }
            let next = try database.first(.accountNext, .integer(AccountNumber.lastPrinted)) { $0.integer() }
            let id = AccountNumber.printed(by: subject) ?? next ?? AccountNumber.lastPrinted + 1
            let account = Account(id: id, subject: subject, createdAt: transaction.now.milliseconds)
            try database.run(.accountInsert, .integer(id), .text(subject), .integer(account.createdAt))
            return account
        }
    }

    package func account(id: Int64) async throws(StoreError) -> Account? {
        try await ask { try $0.first(.accountById, .integer(id), read: Account.init) }
    }
}

extension SQLiteStore: BundleRepository {
    package func store(bundle hash: String, archive: String) async throws(StoreError) {
        try Texts.rejectNUL([("hash", hash), ("archive", archive)])
        try await tell { transaction in
            try transaction.database.run(.bundleInsert, .text(hash), .text(archive), .timestamp(transaction.now))
        }
    }

    package func archive(ofBundle hash: String) async throws(StoreError) -> String? {
        try Texts.rejectNUL([("hash", hash)])
        return try await ask { try $0.first(.bundleGet, .text(hash)) { $0.text() } }
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
