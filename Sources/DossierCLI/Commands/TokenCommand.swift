import Broker
import Foundation
import JSON
import JobQueue

extension Command {
    static let tokenIssue = Command(
        path: ["token", "issue"], summary: "Issue an access token for a user, for operators and tests",
        arguments: [Argument(name: "USER", help: "The user of the token, its `sub` claim")],
        options: [
            Option("--hours", "N", "The lifetime of the access token in hours (default 24)"),
            Option("--email", "TEXT", "The `email` claim"), Option("--tier", "TEXT", "The `tier` claim"),
            Option(
                "--role", "ROLE", "The `role` claim: viewer, operator or admin",
                choices: ["viewer", "operator", "admin"]), .database, .json,
        ],
        notes: """
            Needs DOSSIER_JWT_SECRET or, with DOSSIER_AUTH=gateway, DOSSIER_GATEWAY_SECRET. The token belongs to no
            session: it holds until it expires or the user is signed out everywhere. It reads from the database how
            often that was, if there is one.
            """
    ) { invocation in
        let settings = SettingReader(environment: invocation.environment, flags: [:])
        let tokens = try Settings.tokens(settings)
        let hours = try invocation.integer("--hours", in: 1...8760, default: 24)
        var profile = SessionTokens.Profile(
            email: invocation.options["--email"], tier: invocation.options["--tier"])
        if let role = invocation.options["--role"] {
            profile.role = OperatorRole(rawValue: role)
            if profile.role == nil { throw CommandFailure.usage("--role must be viewer, operator or admin") }
        }
        let subject = try invocation.argument("USER")
        let token = try tokens.issue(
            to: subject, profile: profile, accessLifetime: Int64(hours) * 3600,
            generation: try await generation(of: subject, invocation))
        let json: JSON = [
            "access_token": JSON(token.accessToken), "expires_in": JSON(token.expiresIn), "token_type": "Bearer",
        ]
        Terminal.print(invocation.has("--json") ? json.compact : token.accessToken)
    }

    /// The generation of a user, 0 where there is no database yet.
    private static func generation(of subject: String, _ invocation: Invocation) async throws -> Int64 {
        let settings = try Settings(environment: invocation.environment, flags: invocation.options)
        if case .sqlite(let path) = settings.database, !FileManager.default.fileExists(atPath: path) { return 0 }
        var generation: Int64 = 0
        try await withStore(invocation) { store, _ in generation = try await store.generation(of: subject) }
        return generation
    }

    static let usersSignOut = Command(
        path: ["users", "sign-out"], summary: "End all sessions and tokens of a user",
        arguments: [Argument(name: "SUBJECT", help: "The user's id, as in X-User-ID or the `sub` of a token")],
        options: [.database, .json]
    ) { invocation in
        try await withStore(invocation) { store, _ in
            let subject = try invocation.argument("SUBJECT")
            guard let account = try await store.knownAccount(of: subject) else {
                throw CommandFailure.failed("there is no user \(subject)")
            }
            let now = try await store.now()
            let audit = AuditEntry.commandLine("users.sign_out", at: now, target: account.subject, user: account.id)
            let (ended, _) = try await store.endSessions(of: account.id, at: now, audit: audit)
            let json: JSON = ["sessions_ended": JSON(ended)]
            Terminal.print(invocation.has("--json") ? json.compact : "sessions ended: \(ended)")
        }
    }
}
