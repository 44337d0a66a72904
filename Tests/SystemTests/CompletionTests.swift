import Foundation
import Testing

@testable import DossierCLI

extension SystemTests.Surface {
    /// The scripts that complete the command line, in the shells themselves.
    @Suite(.serialized) struct CompletionTests {
        /// The words so far, the last of them begun, and what bash must offer, and must not.
        static let cases: [(words: [String], offers: [String], not: [String])] = [
            (["se"], ["serve"], ["submit"]),
            ([""], ["serve", "jobs", "help", "version"], ["list", "--json"]),
            (["jobs", ""], ["list", "show", "watch", "cancel", "retry"], ["serve"]),
            (["jobs", "list", "--st"], ["--status"], ["--json"]),
            (["submit", "research", "--"], ["--input", "--idempotency-key", "--priority", "--run-at"], ["--persona"]),
            (["serve", "--verbose", "--l"], ["--listen"], []),
            (["completion", ""], ["bash", "zsh", "fish"], ["serve"]),
            (["jobs", "list", "--status", "p"], ["pending", "processing"], ["completed", "prompts"]),
            (["admin", "pause", "--lane", ""], ["interactive", "background"], ["--kind"]),
            (["admin", "jobs", "--status", "f"], ["failed"], ["pending", "fetch"]),
            (["credits", "grant", "1", "5", "--source", ""], ["gift", "purchase"], ["--note"]),
        ]

        @Test(.timeLimit(.minutes(10)))
        func bashOffersTheCommandsAndFlagsThatFit() async throws {
            try await Fleet.with { fleet in
                for (words, offers, not) in Self.cases {
                    // Bash takes an empty word only in quotes.
                    let list = (["dossier"] + words).map { "'\($0)'" }.joined(separator: " ")
                    let script = """
                        source <("$0" completion bash); COMP_WORDS=(\(list)); COMP_CWORD=\(words.count)
                        _dossier; printf '%s\\n' "${COMPREPLY[@]}"
                        """
                    let bash = try fleet.start([], by: ["/bin/bash", "-c", script])
                    #expect(try await bash.ended() == .code(0) && bash.errors.text.isEmpty, "\(bash.errors.text)")
                    let offered = Set(bash.output.all)
                    #expect(offered.isSuperset(of: offers), "\(words): \(offered)")
                    #expect(offered.isDisjoint(with: not), "\(words): \(offered)")
                }
            }
        }

        @Test(
            .timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
        func theManualPageHasEveryCommandAndFlagAndIsFreeOfWarnings() async throws {
            try await Fleet.with { fleet in
                let script = #"$0 manual | exec groff -man -Tutf8 -ww -P-c -P-b -P-u -rLL=200n"#
                let groff = try fleet.start([], by: ["/bin/sh", "-c", script])
                #expect(try await groff.ended() == .code(0) && groff.errors.text.isEmpty, "\(groff.errors.text)")
                let page = groff.output.text.split { $0.isWhitespace }.joined(separator: " ")
                for command in DossierCommand.commands {
                    #expect(page.contains("dossier \(command.path.joined(separator: " "))"), "\(command.path)")
                    for option in command.options { #expect(page.contains(option.name), "\(option.name)") }
                }
            }
        }

        @Test(
            .timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/fish")))
        func fishOffersTheCommandsAndFlagsThatFit() async throws {
            try await Fleet.with { fleet in
                for (words, offers, not) in Self.cases {
                    let line = (["dossier"] + words).joined(separator: " ")
                    let script = "$0 completion fish | source; complete -C '\(line)'".replacing(
                        "$0", with: Fleet.executable)
                    let fish = try fleet.start(
                        [], variables: ["HOME": fleet.folder], by: ["/usr/bin/fish", "--no-config", "-c", script])
                    #expect(try await fish.ended() == .code(0), "\(fish.errors.text)")
                    let offered = Set(fish.output.all.compactMap { $0.split(separator: "\t").first.map(String.init) })
                    #expect(offered.isSuperset(of: offers), "\(words): \(offered)")
                    #expect(offered.isDisjoint(with: not), "\(words): \(offered)")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/zsh")))
        func zshReadsItsScriptAndHasEveryFlag() async throws {
            try await Fleet.with { fleet in
                let path = fleet.folder + "/_dossier"
                let script = try await fleet.run("completion", "zsh").output
                try script.write(toFile: path, atomically: true, encoding: .utf8)
                // It defines its function, and calls it where the completion system does.
                let zsh = try fleet.start(
                    [],
                    by: [
                        "/usr/bin/zsh", "-fc",
                        "autoload -Uz compinit; compinit -D -u; source \(path); print $_comps[dossier]",
                    ])
                #expect(try await zsh.ended() == .code(0) && zsh.errors.text.isEmpty, "\(zsh.errors.text)")
                #expect(zsh.output.text == "_dossier")
                for option in DossierCommand.commands.flatMap(\.options) {
                    #expect(script.contains(option.name), "\(option.name)")
                }
            }
        }
    }
}
