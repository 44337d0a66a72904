import Broker
import JobQueue
import JSON

extension Command {
    private static let workerID = Argument(name: "ID", help: "The worker's id, as admin workers prints it")
    private static let note = Option("--note", "TEXT", "The reason, for the audit")

    /// What operators see and do without a broker: the commands read and write the database.
    static let admin: [Command] =
        jobAdmin + [
            Command(
                path: ["admin", "workers"], summary: "List the registered workers, newest first",
                options: [Option("--limit", "N", "The number of lines, up to 1000 (default 200)"), .database, .json]
            ) { invocation in
                let limit = try invocation.integer("--limit", in: 1...1000, default: 200)
                try await withStore(invocation) { store, _ in
                    let found = try await store.workers(below: .max, limit: limit, id: nil, at: try await store.now())
                    for (_, worker) in found {
                        Terminal.print(invocation.has("--json") ? worker.json.compact : worker.line)
                    }
                }
            },
            Command(
                path: ["admin", "drain"], summary: "Let a worker claim nothing while it stays", arguments: [workerID],
                options: [note, .database, .json]
            ) { invocation in try await setDraining(true, invocation) },
            Command(
                path: ["admin", "resume"], summary: "Let a drained worker claim again", arguments: [workerID],
                options: [note, .database, .json]
            ) { invocation in try await setDraining(false, invocation) },
        ]

    private static func setDraining(_ isDraining: Bool, _ invocation: Invocation) async throws {
        let id = WorkerID(rawValue: try invocation.argument("ID"))
        try await withStore(invocation) { store, _ in
            let now = try await store.now()
            var details: JSONObject = [:]
            if let note = invocation.options["--note"] { details["note"] = JSON(note) }
            let audit = AuditEntry.commandLine(
                isDraining ? "workers.drain" : "workers.resume", at: now, target: id.rawValue,
                details: .object(details))
            try await store.setDraining(isDraining, of: id, audit: audit)
            guard let found = try await store.workers(below: .max, limit: 1, id: id, at: now).first else {
                throw CommandFailure.failed("there is no worker \(id.rawValue)")
            }
            Terminal.print(invocation.has("--json") ? found.worker.json.compact : found.worker.line)
        }
    }
}

extension WorkerRecord {
    fileprivate var line: String {
        let state = !isAlive ? "silent" : isDraining ? "draining" : "working"
        return "\(id.rawValue)  \(host)  process \(processID)  \(state)  \(busy) of \(places) places"
    }
}
