import DossierAPI
import Foundation
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// From live answers of several models to a job that the chosen one answers.
    @Suite(.serialized) struct PromptRouteTests {
        private static let haiku = "claude-haiku-5-5"
        private static let opus = "claude-opus-5-5"

        /// A home whose report asks for less certainty, so that a few answers are enough.
        private func home(of fleet: Fleet) throws -> String {
            let home = fleet.folder + "/route-home"
            try Fleet.copyContent(to: home)
            let file = home + "/prompts/research.prompt"
            let prompt = try String(contentsOfFile: file, encoding: .utf8)
            try prompt.replacing("\ndossier.checks:", with: "\ndossier.floor: 0.05\ndossier.checks:")
                .write(toFile: file, atomically: true, encoding: .utf8)
            return home
        }

        /// Runs a command in the fleet's folder, where it keeps its runs.
        private func run(_ words: [String], home: String, in fleet: Fleet) async throws -> Fleet.CommandResult {
            let child = try fleet.start(
                words, variables: ["DOSSIER_HOME": home], by: ["/usr/bin/env", "-C", fleet.folder])
            let exit = try await child.ended()
            return Fleet.CommandResult(exit: exit, output: child.output.text, errors: child.errors.text)
        }

        private func live(_ more: [String], home: String, in fleet: Fleet) async throws -> JSON {
            let words = [
                "prompts", "live", "--simulator", "--filter", "research/apple-brief", "--model",
                "\(Self.opus),\(Self.haiku)", "--repeat", "8", "--json",
            ]
            let result = try await run(words + more, home: home, in: fleet)
            #expect(result.exit == .code(0), "\(result)")
            return try JSON(parsing: result.output)
        }

        @Test(.timeLimit(.minutes(10)))
        func liveAnswersBecomeARouteThatJobsTake() async throws {
            try await Fleet.with { fleet in
                let home = try home(of: fleet)
                let live = try await live(["--repair", "--faults", "invented_figure=0.4"], home: home, in: fleet)
                let sides = live["prompts"]?.array ?? []
                #expect(Set(sides.map { $0["provider"]?.string }) == [Self.haiku, Self.opus])
                let repairs = sides.compactMap { $0["repairs"]?["asked"]?.integer }
                #expect(repairs.reduce(0, +) > 0, "no draft was repaired: \(live.compact)")

                let route = try await run(["prompts", "route", "--json"], home: home, in: fleet)
                let tables = try JSON(parsing: route.output)["prompts"]?.array ?? []
                let table = try #require(tables.first { $0["prompt"] == "research" })
                let models = table["models"]?.array ?? []
                #expect(models.map { $0["model"]?.string } == [Self.haiku, Self.opus], "\(table.compact)")
                #expect(models.allSatisfy { $0["simulated"] == true && $0["asked"] == 8 && $0["eligible"] == true })
                // No real model was asked.
                #expect(table["missing"]?.array?.isEmpty == false)

                let refused = try await run(["prompts", "route", "--write"], home: home, in: fleet)
                #expect(refused.exit == .code(1) && refused.errors.contains("--write --simulated"), "\(refused)")
                #expect(!FileManager.default.fileExists(atPath: home + "/routes.yaml"))
                let written = try await run(["prompts", "route", "--write", "--simulated"], home: home, in: fleet)
                #expect(written.exit == .code(0), "\(written)")
                let text = try String(contentsOfFile: home + "/routes.yaml", encoding: .utf8)
                #expect(
                    text.contains("research:\n  - {model: \(Self.haiku), passes: ") && text.contains("simulated: true"))
                let lint = try await run(["prompts", "lint"], home: home, in: fleet)
                #expect(lint.exit == .code(0) && lint.output.contains("says nothing about real models"), "\(lint)")

                // The report's tier would ask Sonnet.
                try await fleet.startBroker(variables: ["DOSSIER_HOME": home])
                _ = try await fleet.startWorker(variables: ["DOSSIER_HOME": home])
                let job = try await fleet.end(of: try await fleet.submit().id)
                #expect(job.status == "completed", "\(job)")
                #expect(Set(fleet.calls().map { $0.body?["model"]?.string }) == [Self.haiku])
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aRouteToAModelThatIsNotThereIsRefusedEverywhere() async throws {
            try await Fleet.with { fleet in
                let home = try home(of: fleet)
                try "summary:\n  - {model: claude-haiku-9}\n".write(
                    toFile: home + "/routes.yaml", atomically: true, encoding: .utf8)
                for words in [["prompts", "lint"], ["doctor"], ["serve", "--listen", "127.0.0.1:0"]] {
                    let result = try await run(words, home: home, in: fleet)
                    #expect(result.exit == .code(1), "\(words): \(result)")
                    let said = result.output + result.errors
                    #expect(said.contains("routes.yaml:2: 'summary' names the model 'claude-haiku-9'"), "\(said)")
                }
                for (words, name) in [
                    (["live", "--model", "claude-haiku-9", "--simulator"], "claude-haiku-9"),
                    (["route", "--simulated"], "--write"),
                ] {
                    try FileManager.default.removeItem(atPath: home + "/routes.yaml")
                    let result = try await run(["prompts"] + words, home: home, in: fleet)
                    #expect(result.exit == .code(2) && result.errors.contains(name), "\(result)")
                    try "".write(toFile: home + "/routes.yaml", atomically: true, encoding: .utf8)
                }
            }
        }
    }
}
