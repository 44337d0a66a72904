import Foundation
import JSON
import SQLiteStore
import Synchronization

extension Command {
    static let backup = Command(
        path: ["backup"], summary: "Copy the SQLite database into a file, while it is in use",
        arguments: [Argument(name: "FILE", help: "The file that is written, for its owner alone")],
        options: [Option("--replace", nil, "Replace a file of that name"), .database, .json],
        notes: """
            The file is the database as of one moment. It appears when it is whole, checked and on the disk. A PostgreSQL
            database is backed up by PostgreSQL's own programs.
            """
    ) { invocation in
        let file = try invocation.argument("FILE")
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        let path: String
        switch settings.database {
        case .sqlite(let file): path = file
        case .postgres(let url):
            throw CommandFailure.failed(
                "\(url) is a PostgreSQL database: use pg_dump --format=custom --file=FILE, "
                    + "or pg_basebackup for a restore to any moment; see docs/operations.md")
        }
        let start = ContinuousClock.now
        let shown = Mutex(-1)
        let summary: SQLiteBackup.Summary
        do {
            summary = try await SQLiteBackup(of: path, to: file, replacing: invocation.has("--replace")).write { part in
                guard Terminal.isInteractive else { return }
                let percent = Int(part * 100)
                let isNew = shown.withLock { shown in
                    defer { shown = percent }
                    return shown != percent
                }
                if isNew { Terminal.redraw(percent < 100 ? "copied \(percent) %" : "checking the copy") }
            }
        } catch {
            if Terminal.isInteractive { Terminal.redraw("") }
            throw CommandFailure.failed("no backup of \(path) in \(file): \(error)")
        }
        if Terminal.isInteractive { Terminal.redraw("") }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if invocation.has("--json") {
            let record: JSON = [
                "file": JSON(file), "bytes": JSON(summary.bytes), "jobs": JSON(summary.jobs),
                "schema": JSON(summary.schema), "seconds": JSON((seconds * 1000).rounded() / 1000),
            ]
            Terminal.print(record.compact)
        } else {
            let size = Double(summary.bytes) / 1_048_576
            Terminal.print(
                String(
                    format: "%@: %.1f MiB, %lld jobs, sound, in %.1f s", file, size, summary.jobs, seconds))
        }
    }
}
