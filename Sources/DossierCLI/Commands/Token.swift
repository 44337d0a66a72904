import Broker
import JSON

extension Command {
    static let tokenIssue = Command(
        path: ["token", "issue"], summary: "Make an access token for a user, for operators and tests",
        arguments: [Argument(name: "USER", help: "Who the token is for: the `sub` that the service will see")],
        options: [
            Option("--hours", "N", "How long the access token holds (default 24)"),
            Option("--email", "TEXT", "Passed on in the token"), Option("--tier", "TEXT", "Passed on in the token"),
            .json,
        ],
        notes: """
            Needs DOSSIER_JWT_SECRET or, with DOSSIER_AUTH=gateway, DOSSIER_GATEWAY_SECRET. Prints the access token alone; \
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
