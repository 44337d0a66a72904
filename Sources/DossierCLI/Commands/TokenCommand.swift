import Broker
import JSON

extension Command {
    static let tokenIssue = Command(
        path: ["token", "issue"], summary: "Issue an access token for a user, for operators and tests",
        arguments: [Argument(name: "USER", help: "The user of the token, its `sub` claim")],
        options: [
            Option("--hours", "N", "The lifetime of the access token in hours (default 24)"),
            Option("--email", "TEXT", "The `email` claim"), Option("--tier", "TEXT", "The `tier` claim"),
            .json,
        ],
        notes: """
            Needs DOSSIER_JWT_SECRET or, with DOSSIER_AUTH=gateway, DOSSIER_GATEWAY_SECRET. Prints the access token;
            --json adds the refresh token.
            """
    ) { invocation in
        let settings = SettingReader(environment: invocation.environment, flags: [:])
        let tokens = try Settings.tokens(settings)
        let hours = try invocation.integer("--hours", in: 1...8760, default: 24)
        let profile = SessionTokens.Profile(
            email: invocation.options["--email"], tier: invocation.options["--tier"])
        let pair = try tokens.issue(
            to: try invocation.argument("USER"), profile: profile, accessLifetime: Int64(hours) * 3600)
        Terminal.print(invocation.has("--json") ? pair.json.compact : pair.accessToken)
    }
}
