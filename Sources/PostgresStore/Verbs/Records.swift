internal import JobQueue
public import Records

extension PostgresStore: AccountRepository {
    public func account(for subject: String) async throws(RecordsError) -> Account {
        guard !subject.utf8.contains(0) else { throw .invalidText(field: "subject") }
        do {
            if let known = try await readers.perform(subject, in: reads.accountBySubject) { return known }
            let made = try await writers.perform(subject, in: writes.account)
            return Account(id: made.id, subject: subject, createdAt: made.createdAt)
        } catch {
            throw RecordsError(error)
        }
    }

    public func account(id: Int64) async throws(RecordsError) -> Account? {
        do {
            return try await readers.perform(id, in: reads.accountByID)
        } catch {
            throw RecordsError(error)
        }
    }
}

extension PostgresStore: BundleRepository {
    public func store(bundle hash: String, archive: String) async throws(RecordsError) {
        guard !hash.utf8.contains(0) else { throw .invalidText(field: "hash") }
        guard !archive.utf8.contains(0) else { throw .invalidText(field: "archive") }
        do {
            try await writers.perform(StoredBundle(hash: hash, archive: archive), in: writes.bundle)
        } catch {
            throw RecordsError(error)
        }
    }

    public func archive(ofBundle hash: String) async throws(RecordsError) -> String? {
        guard !hash.utf8.contains(0) else { throw .invalidText(field: "hash") }
        do {
            return try await readers.perform(hash, in: reads.bundle)
        } catch {
            throw RecordsError(error)
        }
    }
}

struct StoredBundle: Sendable {
    var hash: String
    var archive: String
}

extension BatchVerb where Input == String, Output == (id: Int64, createdAt: Int64) {
    /// Repeatable: a subject that was seen has its account.
    static let account = BatchVerb(
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

extension BatchVerb where Input == StoredBundle, Output == Void {
    /// Repeatable: a bundle that is there stays.
    static let bundle = BatchVerb(
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
