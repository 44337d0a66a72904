import Broker
import Foundation
import JobQueue
import JSON

extension Command {
    /// API keys, without the service: the command line may give every scope.
    static let keys: [Command] = [
        Command(
            path: ["keys", "create"], summary: "Make an API key for a server; its text is shown this once",
            options: [
                Option("--name", "NAME", "What the key is for"),
                Option(
                    "--scope", "SCOPE", "A scope; may come more than once", repeats: true,
                    choices: Scope.allCases.map(\.rawValue)),
                Option("--days", "N", "The days until it expires (default: never)"), .database, .json,
            ],
            notes: "The scopes are \(Scope.allCases.map(\.rawValue).joined(separator: ", "))."
        ) { invocation in
            let request = try keyRequest(invocation)
            try await withStore(invocation) { store, _ in
                let now = try await store.now()
                var request = request
                if let days = try invocation.optionalInteger("--days", in: 1...3650) {
                    request.expiresAt = now + .seconds(days * 86_400)
                }
                let made = APIKeyMaker().make(request, at: now, by: .commandLine)
                let audit = AuditEntry.commandLine(
                    "keys.create", at: now, target: made.stored.key.id, details: made.stored.key.auditDetails)
                guard case .created(let key) = try await store.createKey(made.stored, audit: audit) else {
                    throw CommandFailure.failed("there are \(APIKey.most) keys already; revoke one first")
                }
                var json = key.json
                json["key"] = JSON(made.text)
                Terminal.print(invocation.has("--json") ? json.compact : made.text)
            }
        },
        Command(
            path: ["keys", "list"], summary: "List API keys without their texts", options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, _ in
                var keys: [APIKey] = []
                var cursor: TimeCursor?
                while true {
                    let page = try await store.keys(after: cursor, limit: 200)
                    keys += page
                    guard page.count == 200, let last = page.last else { break }
                    cursor = TimeCursor(at: last.createdAt, id: last.id)
                }
                if invocation.has("--json") {
                    Terminal.print(JSON.array(keys.map(\.json)).compact)
                } else {
                    for key in keys { Terminal.print(key.line) }
                }
            }
        },
        Command(
            path: ["keys", "revoke"], summary: "End an API key",
            arguments: [Argument(name: "ID", help: "The key's id, as keys list prints it")],
            options: [.database, .json]
        ) { invocation in
            try await withStore(invocation) { store, _ in
                let id = try invocation.argument("ID")
                let audit = AuditEntry.commandLine("keys.revoke", at: try await store.now(), target: id)
                guard let key = try await store.revokeKey(id, audit: audit) else {
                    throw CommandFailure.failed("there is no key with this id")
                }
                Terminal.print(invocation.has("--json") ? key.json.compact : key.line)
            }
        },
    ]

    private static func keyRequest(_ invocation: Invocation) throws(CommandFailure) -> APIKeyRequest {
        guard let name = invocation.options["--name"] else { throw .usage("--name is missing") }
        guard APIKeyRequest.isName(name) else {
            throw .usage("--name must be 1 to \(APIKey.longestName) printable characters")
        }
        var scopes: Set<Scope> = []
        for word in (invocation.options["--scope"] ?? "").split(separator: ",") {
            guard let scope = Scope(rawValue: String(word)) else {
                throw .usage(
                    "--scope '\(word)' is not a scope; there are "
                        + Scope.allCases.map(\.rawValue).joined(separator: ", "))
            }
            scopes.insert(scope)
        }
        guard !scopes.isEmpty else { throw .usage("--scope is missing") }
        return APIKeyRequest(name: name, scopes: scopes)
    }
}

extension APIKey {
    /// One line for people.
    fileprivate var line: String {
        let lastUse = json["last_used_at"]?.string.map { "last used \($0)" } ?? "never used"
        let state = revokedAt != nil ? "revoked" : lastUse
        return "\(id)  \(prefix)…  \(name)  \(scopes.map(\.rawValue).sorted().joined(separator: ","))  \(state)"
    }
}

extension AuditActor {
    /// The user of this machine who runs a command.
    static var commandLine: AuditActor {
        let name = ProcessInfo.processInfo.userName
        return AuditActor(.cli, id: name, name: name)
    }
}

extension AuditEntry {
    /// An entry about a write of the command line.
    static func commandLine(
        _ action: String, at now: Timestamp, target: String? = nil, user: UserID? = nil, details: JSON = [:]
    ) -> AuditEntry {
        var generator = SystemRandomNumberGenerator()
        return AuditEntry(
            id: JobID(at: now, using: &generator), at: now, actor: .commandLine, action: action, target: target,
            user: user, details: details)
    }
}
