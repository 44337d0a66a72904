/// The migrations that a program knows, and the databases that it can serve.
///
/// A migration adds first, and what no program needs any more is removed a release later. So a program serves a database
/// that lacks the newest migrations, down to `oldestSchema`, and one that has newer migrations, as long as those say that
/// programs of this age may go on: each migrated database keeps the oldest program that it lets in.
package struct SchemaVersions: Sendable {
    /// A migration: its number, and the digest of its text.
    package struct Migration: Sendable, Equatable {
        package var version: Int64
        package var digest: String

        package init(version: Int64, digest: String) {
            self.version = version
            self.digest = digest
        }
    }

    /// What a database is to the program.
    package enum State: Sendable, Equatable {
        case current
        /// It lacks migrations.
        case older(newest: Int64, isServed: Bool)
        /// It has migrations that the program does not know.
        case newer(newest: Int64, isServed: Bool)
    }

    /// The migrations of the program, oldest first.
    package let known: [Migration]
    /// The newest migration that a database must have at least.
    package let oldestSchema: Int64

    package init(known: [Migration], oldestSchema: Int64) {
        self.known = known
        self.oldestSchema = oldestSchema
    }

    /// The newest migration of the program.
    package var newest: Int64 { known.last?.version ?? 0 }

    /// The newest migrations of the databases that the program serves without a further look at them.
    package var served: ClosedRange<Int64> { min(oldestSchema, newest)...newest }

    /// Compares a database with the program.
    ///
    /// - Parameters:
    ///   - applied: The migrations of the database, oldest first.
    ///   - oldestProgram: The newest migration that a program must know to use the database; read only when it has
    ///     migrations that this one does not know, and `nil` where the database does not say.
    /// - Returns: What the database is, or the migration whose text is another one.
    /// - Throws: The error of `oldestProgram`.
    package func compare<Failure: Error>(
        _ applied: [Migration], oldestProgram: () throws(Failure) -> Int64?
    ) throws(Failure) -> Result<State, OtherMigration> {
        for (known, found) in zip(known, applied) where known != found {
            return .failure(OtherMigration(version: found.version))
        }
        let newestApplied = applied.last?.version ?? 0
        if applied.count < known.count {
            return .success(.older(newest: newestApplied, isServed: newestApplied >= oldestSchema))
        }
        if applied.count == known.count { return .success(.current) }
        let isServed = try oldestProgram().map { $0 <= newest } ?? false
        return .success(.newer(newest: newestApplied, isServed: isServed))
    }

    /// A migration of a database that is not the program's of that number.
    package struct OtherMigration: Error, Equatable {
        package var version: Int64

        package var reason: String { "its migration \(version) is not the one of this version of Dossier" }
    }
}

extension SchemaVersions.State {
    /// The reason why the program refuses the database; `nil` when it can serve it.
    package var refusal: String? {
        switch self {
        case .current, .older(_, isServed: true), .newer(_, isServed: true): nil
        case .older: "it was made by an older version of Dossier; run 'dossier migrate'"
        case .newer(let newest, _):
            "it was made by a newer version of Dossier, as of migration \(newest), which this one does not serve; run the "
                + "newer program, or restore a backup from before its 'migrate'"
        }
    }

    /// The newest migration of the database.
    package func newest(known: Int64) -> Int64 {
        switch self {
        case .current: known
        case .older(let newest, _), .newer(let newest, _): newest
        }
    }
}
