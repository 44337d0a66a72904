import DossierAPI
import JSON
import Testing

@testable import DossierCLI

extension SystemTests.Surface {
    @Suite(.serialized) struct CommandLineTests {
        static let commands = DossierCommand.commands.map(\.path)

        @Test(.timeLimit(.minutes(10)))
        func helpOnlyPrintsForEveryCommand() async throws {
            try await Fleet.with { fleet in
                let overview = try await fleet.run("help")
                #expect(overview.exit == .code(0) && overview.errors.isEmpty)
                for command in Self.commands {
                    let name = command.joined(separator: " ")
                    #expect(overview.output.contains("  " + name), "the overview lacks \(name)")
                    let help = try await fleet.run(command + ["--help"])
                    #expect(help.exit == .code(0) && help.errors.isEmpty, "\(name): \(help)")
                    #expect(help.output.contains("Usage: dossier \(name)"), "\(name): \(help.output)")
                    // `--help` also works beside wrong arguments.
                    let among = try await fleet.run(command + ["--nonsense", "--help"])
                    #expect(among.exit == .code(0), "\(name): \(among)")
                }
                #expect(try fleet.files() == [], "help made files")
            }
        }

        /// The arguments, and the part that the line on standard error must name.
        static let wrong: [([String], String)] = [
            (["frobnicate"], "frobnicate"), (["srve"], "did you mean 'serve'"),
            (["watch", "1"], "did you mean 'jobs watch'"),
            (["jobs", "lst"], "did you mean 'jobs list'"), (["serve", "--verbos"], "did you mean --verbose"),
            (["completion", "tcsh"], "tcsh"), (["submit", "research", "--input", "@none.json"], "none.json"),
            (["submit", "research", "--input", "-"], "--input"), (["submit", "x", "--priority", "101"], "--priority"),
            (["submit", "x", "--run-at", "tomorrow"], "--run-at"),
            (["submit", "x", "--idempotency-key", "a b"], "--idempotency-key"),
            (["jobs", "frob"], "frob"), (["serve", "--frob"], "--frob"),
            (["serve", "--workers"], "--workers"), (["serve", "--workers", "x"], "--workers"),
            (["serve", "--workers=-1"], "--workers"), (["serve", "--listen", "nonsense"], "--listen"),
            (["serve", "--listen", "127.0.0.1:99999"], "--listen"), (["serve", "--listen", "0.0.0.0:0"], "0.0.0.0"),
            (["serve", "extra"], "extra"), (["worker", "--concurrency", "many"], "--concurrency"),
            (["worker", "--concurrency", "0"], "--concurrency"), (["worker", "--database", "mysql:x"], "--database"),
            (["worker", "--verbose=yes"], "--verbose"), (["credits", "show"], "USER"),
            (["credits", "grant", "1"], "N"), (["credits", "grant", "1", "x"], "'x'"),
            (["credits", "grant", "1", "0"], "'0'"), (["costs", "--by", "planet"], "--by"),
            (["costs", "--days", "0"], "--days"), (["jobs", "list", "--page", "0"], "--page"),
            (["jobs", "show"], "ID"), (["jobs", "cancel", "a", "b"], "'b'"), (["research"], "TICKER"),
            (["submit", "research", "--input", "{"], "--input"), (["submit", "research", "--input", "[]"], "--input"),
            (["prompts", "render"], "NAME"), (["prompts", "render", "research", "--input", "nope"], "--input"),
            (["simulate", "--listen", "x"], "--listen"), (["simulate", "--faults", "boom=1"], "--faults"),
            (["simulate", "--limits", "claude"], "--limits"), (["simulate", "--latency", "slow"], "--latency"),
            (["simulate", "--batches", "seconds -1"], "--batches"),
            (["simulate", "--tokens-per-second", "fast"], "--tokens-per-second"), (["demo", "--live=1"], "--live"),
            (["jobs", "list", "--status", "sleeping"], "--status"),
            (["jobs", "list", "--server", "nonsense"], "--server"), (["fetch"], "URL"),
            (["jobs", "list", "--all", "--user", "5"], "--user"), (["worker", "--metrics", "foo"], "--metrics"),
            (["jobs", "list", "--database", "sqlite:x"], "--all"),
            (["fetch", "no-address"], "no-address"),
            (["fetch", "http://example.com/", "--language", "?"], "--language"),
        ]

        @Test(.timeLimit(.minutes(10)))
        func aWrongCallIsRefusedInOneLineThatNamesWhatIsWrong() async throws {
            try await Fleet.with { fleet in
                for (words, name) in Self.wrong {
                    try await expectRefused(words, [:], naming: name, in: fleet)
                    #expect(try fleet.files() == [], "\(words) made files")
                }
            }
        }

        static let wrongVariables: [(String, String)] = [
            ("DOSSIER_TYPO", "1"), ("DOSSIER_DATABASE_URL", "mysql:x"), ("DOSSIER_DATABASE_URL", "sqlite:"),
            ("DOSSIER_LISTEN", "abc"), ("DOSSIER_RATE_LIMIT", "-1"), ("DOSSIER_RATE_LIMIT", "fast"),
            ("DOSSIER_ADMIN_LISTEN", "5001"), ("DOSSIER_CORS_ORIGINS", "*"),
            ("DOSSIER_CORS_ORIGINS", "https://app.example.com/"), ("DOSSIER_CORS_ORIGINS", "https://a,app.example.com"),
            ("DOSSIER_TRUSTED_PROXIES", "10.0.0.0/33"), ("DOSSIER_TRUSTED_PROXIES", "proxy"),
            ("DOSSIER_CONNECTIONS_PER_ADDRESS", "-1"), ("DOSSIER_UNFINISHED_BODY_MEBIBYTES", "0"),
            ("DOSSIER_STREAM_LIFETIME", "15"), ("DOSSIER_STREAM_LIFETIME", "0 s"),
            ("DOSSIER_KEEP_JOBS", "30"), ("DOSSIER_KEEP_JOBS", "12 h"), ("DOSSIER_KEEP_JOURNALS", "-1 d"),
            ("DOSSIER_KEEP_MODEL_CALLS", "9999999999999999999 d"),
            ("DOSSIER_STARTING_CREDITS", "ten"), ("DOSSIER_AUTH", "none"), ("DOSSIER_AUTH", "gateway"),
            ("ANTHROPIC_BASE_URL", "ftp://x"), ("GEMINI_BASE_URL", "nonsense"), ("SEC_BASE_URL", "x"),
        ]

        @Test(.timeLimit(.minutes(10)))
        func anInvalidVariableStopsTheStart() async throws {
            try await Fleet.with { fleet in
                for (name, value) in Self.wrongVariables {
                    for command in [["serve"], ["worker"], ["credits", "audit"], ["jobs", "list"]] {
                        try await expectRefused(command, [name: value], naming: name, in: fleet)
                    }
                }
                #expect(try fleet.files() == [], "a refused start made files")
            }
        }

        private func expectRefused(
            _ words: [String], _ variables: Fleet.Variables, naming name: String, in fleet: Fleet
        ) async throws {
            let result = try await fleet.run(words, variables: variables)
            let call = "\(variables) \(words.joined(separator: " "))"
            #expect(result.exit == .code(2), "\(call): \(result)")
            #expect(result.output.isEmpty, "\(call): \(result.output)")
            #expect(!result.errors.contains("\n") && result.errors.contains(name), "\(call): \(result.errors)")
        }
    }
}
