import SQLSupport
package import JobQueue

extension PostgresStore: AccountRepository {
    package func account(for subject: String) async throws(StoreError) -> Account {
        guard !subject.utf8.contains(0) else { throw .invalidText(field: "subject") }
        if let known = try await readers.perform(subject, in: reads.accountBySubject) { return known }
        let made = try await writers.perform(subject, in: writes.account)
        return Account(id: made.id, subject: subject, createdAt: made.createdAt)
    }

    package func account(id: Int64) async throws(StoreError) -> Account? {
        return try await readers.perform(id, in: reads.accountByID)
    }
}

extension PostgresStore: BundleRepository {
    package func store(bundle hash: String, archive: String) async throws(StoreError) {
        guard !hash.utf8.contains(0) else { throw .invalidText(field: "hash") }
        guard !archive.utf8.contains(0) else { throw .invalidText(field: "archive") }
        try await writers.perform(StoredBundle(hash: hash, archive: archive), in: writes.bundle)
    }

    package func archive(ofBundle hash: String) async throws(StoreError) -> String? {
        guard !hash.utf8.contains(0) else { throw .invalidText(field: "hash") }
        return try await readers.perform(hash, in: reads.bundle)
    }
}

struct StoredBundle: Sendable {
    var hash: String
    var archive: String
}

extension BatchOperation where Input == String, Output == (id: Int64, createdAt: Int64) {
    /// Repeatable: a subject that was seen has its account.
    static let account = BatchOperation(
        limit: 64,
        keys: { [.text($0)] },
        statements: { inputs, context in
            inputs.map { subject in
                Statement(.accountFor) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(subject)
                    parameters.add(AccountNumber.printed(by: subject))
                }
            }
        },
        read: { answer, _ in
            answer.rows.map { rows in
                let account = rows.first { row in (id: row.integer(), createdAt: row.integer()) }
                return account.map { .done($0) } ?? .failed(.unexpected(reason: "an account is missing"))
            }
        })
}

extension BatchOperation where Input == StoredBundle, Output == Void {
    /// Repeatable: a bundle that is there stays.
    static let bundle = BatchOperation(
        limit: 4,
        rank: { .text($0.hash) },
        statements: { inputs, context in
            inputs.map { bundle in
                Statement(.bundleInsert) { parameters in
                    parameters.add(bundle.hash)
                    parameters.add(bundle.archive)
                    parameters.add(context.now?.milliseconds)
                }
            }
        },
        read: { _, inputs in inputs.map { _ in .done(()) } })
}
