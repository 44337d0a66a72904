import JSON
import JobQueue
import Observability

extension Command {
    static let migrate = Command(
        path: ["migrate"], summary: "Migrate the database and list the applied migrations", options: [.database, .json]
    ) { invocation in
        try await withStore(invocation, migrations: .apply) { store, _ in
            let migrations = try await store.migrations()
            if invocation.has("--json") {
                for migration in migrations { Terminal.print(migration.json.compact) }
            } else {
                for migration in migrations { Terminal.print(migration.text) }
                Terminal.print(
                    store.schema.isCurrent ? "the database is up to date" : store.schema.reading.text)
            }
        }
    }
}

extension AppliedMigration {
    private var timestamp: String { ISO8601.text(milliseconds: appliedAt.milliseconds) }

    fileprivate var text: String { "\(version)  \(name), applied \(timestamp)" }

    fileprivate var json: JSON {
        ["version": JSON(version), "name": JSON(name), "applied_at": JSON(timestamp)]
    }
}
