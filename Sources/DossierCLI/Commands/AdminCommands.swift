import Basics
import Broker
import JobQueue
import JSON
import Observability
import Prompts

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
                path: ["admin", "resume"], summary: "Let a drained worker claim again, or end a pause",
                arguments: [Argument(name: "ID", help: "The id of the worker or of the pause")],
                options: [note, .database, .json]
            ) { invocation in
                if try await !endPause(invocation) { try await setDraining(false, invocation) }
            },
            Command(
                path: ["admin", "pause"], summary: "Let nothing of a kind or a lane be claimed; list the pauses",
                options: [
                    Option("--kind", "KIND", "The kind of jobs"),
                    Option("--lane", "LANE", "interactive or background", choices: ["interactive", "background"]),
                    Option("--until", "TIME", "When it ends by itself, such as 2026-12-31T00:00:00Z"), note, .database,
                    .json,
                ]
            ) { invocation in try await pause(invocation) },
        ]

    // MARK: Pauses

    /// Begins a pause, or lists the pauses when the command names nothing.
    private static func pause(_ invocation: Invocation) async throws {
        let (kind, name) = (invocation.options["--kind"], invocation.options["--lane"])
        if kind != nil, name != nil { throw CommandFailure.usage("give --kind or --lane, not both") }
        let queue = try name.map { name in
            guard let queue = QueueName(rawValue: name) else {
                throw CommandFailure.usage("--lane must be interactive or background")
            }
            return queue
        }
        try await withStore(invocation) { store, settings in
            let now = try await store.now()
            if let kind {
                let known = try Composition(settings: settings, logger: .silent).loadBundle().kinds.keys.sorted()
                guard known.contains(where: kind.hasSameBytes) else {
                    throw CommandFailure.usage("--kind must be one of \(known.joined(separator: ", ")), not '\(kind)'")
                }
            }
            guard let target = queue.map({ Pause.Target.queue($0) }) ?? kind.map({ .kind($0) }) else {
                let pauses = try await store.pauses()
                if pauses.isEmpty, !invocation.has("--json") { Terminal.print("nothing is paused") }
                for pause in pauses { show(pause, invocation) }
                return
            }
            let until = try invocation.options["--until"].map { text in
                guard let time = Timestamp(iso8601: text), time > now, time < .never else {
                    throw CommandFailure.usage("--until must be a time to come, such as 2026-12-31T00:00:00Z")
                }
                return time
            }
            var generator = SystemRandomNumberGenerator()
            let pause = Pause(
                id: JobID(at: now, using: &generator).description, target: target, note: invocation.options["--note"],
                by: AuditActor.commandLine.name, since: now, until: until)
            let audit = AuditEntry.commandLine(
                "pauses.create", at: now, target: pause.id, details: pause.auditDetails)
            guard let made = try await store.begin(pause, audit: audit) else {
                throw CommandFailure.failed("there are \(Pause.most) pauses, as many as may be")
            }
            try await store.settlePauses()
            show(made.pause, invocation)
        }
    }

    /// Whether the id is one of a pause, which then ends.
    private static func endPause(_ invocation: Invocation) async throws -> Bool {
        let id = try invocation.argument("ID")
        let details: JSON = invocation.options["--note"].map { ["note": JSON($0)] } ?? [:]
        return try await withStore(invocation) { store, _ in
            let audit = AuditEntry.commandLine(
                "pauses.delete", at: try await store.now(), target: id, details: details)
            guard let ended = try await store.endPause(id, audit: audit) else { return false }
            try await store.settlePauses()
            show(ended, invocation)
            return true
        }
    }

    private static func show(_ pause: Pause, _ invocation: Invocation) {
        Terminal.print(invocation.has("--json") ? pause.json.compact : OperatorPrinter.pause(pause.json))
    }

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
