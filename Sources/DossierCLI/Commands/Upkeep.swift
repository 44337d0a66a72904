import Foundation
import HTTP
import JSON
import JobQueue
import LanguageModels
import Observability
import Prompts

extension Command {
    static let migrate = Command(
        path: ["migrate"], summary: "Bring the database up to date and say what was done", options: [.database, .json]
    ) { invocation in
        try await withStore(invocation) { store, _ in
            let migrations = try await store.migrations()
            if invocation.has("--json") {
                for migration in migrations { Terminal.print(migration.json.compact) }
            } else {
                for migration in migrations { Terminal.print(migration.text) }
                Terminal.print("the database is up to date")
            }
        }
    }

    static let doctor = Command(
        path: ["doctor"], summary: "Check settings, content files, database and providers", options: [.database, .json]
    ) { invocation in
        let findings = await Doctor(invocation).examine()
        for finding in findings {
            Terminal.print(
                invocation.has("--json") ? finding.json.compact : "\(finding.isGood ? "ok  " : "FAIL") \(finding.text)")
        }
        if findings.contains(where: { !$0.isGood }) { throw CommandFailure.silent }
    }
}

extension AppliedMigration {
    private var timestamp: String { ISO8601.text(milliseconds: appliedAt.milliseconds) }

    fileprivate var text: String { "\(version)  \(name), applied \(timestamp)" }

    fileprivate var json: JSON {
        ["version": JSON(version), "name": JSON(name), "applied_at": JSON(timestamp)]
    }
}

extension CommandFailure {
    var text: String {
        switch self {
        case .usage(let problem), .failed(let problem): problem
        case .silent: "failed"
        }
    }
}
