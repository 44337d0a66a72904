import Broker
import JobQueue
import JSON

extension Command {
    /// What operators do with users, without a broker: the commands read and write the database.
    static let users: [Command] = [
        usersSignOut, usersExport,
        Command(
            path: ["users", "bar"], summary: "Bar a user from signing in and from every request, or end that",
            arguments: [Argument(name: "SUBJECT", help: "The user's id, as in X-User-ID or the `sub` of a token")],
            options: [
                Option("--lift", nil, "Let the user in again"), Option("--note", "TEXT", "The reason, for the audit"),
                .database, .json,
            ],
            notes: "It holds at every broker within two seconds. Jobs that run go on."
        ) { invocation in
            let (subject, isBarred) = (try invocation.argument("SUBJECT"), !invocation.has("--lift"))
            try await withStore(invocation) { store, _ in
                guard let account = try await store.knownAccount(of: subject), account.id != .system else {
                    throw CommandFailure.failed("there is no user '\(subject)'")
                }
                var details: JSONObject = ["barred": JSON(isBarred)]
                if let note = invocation.options["--note"] { details["note"] = JSON(note) }
                let audit = AuditEntry.commandLine(
                    "users.bar", at: try await store.now(), target: subject, user: account.id,
                    details: .object(details))
                try await store.setBar(isBarred, of: account.id, audit: audit)
                let json: JSON = [
                    "id": JSON(account.id.rawValue), "subject": JSON(subject), "barred": JSON(isBarred),
                ]
                Terminal.print(
                    invocation.has("--json") ? json.compact : "\(subject) is \(isBarred ? "barred" : "let in again")")
            }
        },
        Command(
            path: ["users", "erase"], summary: "Erase a user and everything of the user; nothing brings it back",
            arguments: [Argument(name: "SUBJECT", help: "The user's id, as in X-User-ID or the `sub` of a token")],
            options: [Option("--yes", nil, "Erase; nothing is done without it"), .database, .json],
            notes: """
                The ledger and the costs of model calls stay, under a number that is made for the erasure. The command
                waits until the erasure has completed. When it is interrupted, a broker goes on with it.
                """
        ) { invocation in
            let subject = try invocation.argument("SUBJECT")
            guard invocation.has("--yes") else {
                throw CommandFailure.usage("--yes is missing: nothing brings an erased user back")
            }
            try await withStore(invocation) { store, _ in
                guard let account = try await store.knownAccount(of: subject), account.id != .system else {
                    throw CommandFailure.failed("there is no user '\(subject)'")
                }
                let audit = AuditEntry.commandLine(
                    "users.erase", at: try await store.now(), target: subject, user: account.id)
                let eraser = UserEraser(store, store)
                guard let begun = try await eraser.start(account.id, subject: subject, audit: audit) else {
                    throw CommandFailure.failed("there is no user '\(subject)'")
                }
                guard let erasure = try await completed(begun, eraser, store) else {
                    throw CommandFailure.failed("the erasure \(begun.id) goes on: run the command again, or a broker")
                }
                let json: JSON = [
                    "deletion_id": JSON(erasure.id), "status": "completed",
                    "completed_at": erasure.completedAt.map { JSON($0.iso8601) } ?? .null,
                ]
                Terminal.print(invocation.has("--json") ? json.compact : "erased, as number \(erasure.number.rawValue)")
            }
        },
    ]

    /// Goes on with an erasure until it has completed, by this process or by a broker; `nil` when its time is over.
    private static func completed(
        _ begun: Erasure, _ eraser: UserEraser, _ store: any Store
    ) async throws -> Erasure? {
        let end = ContinuousClock.now + Erasure.limit
        while ContinuousClock.now < end {
            guard let erasure = try await store.erasure(begun.id) else { return nil }
            if erasure.completedAt != nil { return erasure }
            if try await !eraser.proceed(erasure) { try await Task.sleep(for: .milliseconds(200)) }
        }
        return nil
    }
}
