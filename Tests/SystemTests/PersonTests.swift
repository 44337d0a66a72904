import BrokerClient
import DossierAPI
import Foundation
import Glibc
import HTTP
import JSON
import Simulator
import Testing

@testable import DossierCLI

extension SystemTests.Surface {
    /// The command line as a person uses it: versions, inputs from files, a watch that is interrupted, hints.
    @Suite(.serialized) struct PersonTests {
        @Test(.timeLimit(.minutes(10)))
        func theVersionIsThatOfTheChangelogAndOfTheTypeScriptClient() async throws {
            try await Fleet.with { fleet in
                let version = BuildInfo.version
                for words in [["--version"], ["version"]] {
                    let result = try await fleet.run(words)
                    #expect(result.exit == .code(0) && result.output.hasPrefix("dossier \(version) (commit "))
                }
                let json = try JSON(parsing: try await fleet.run("version", "--json").output)
                #expect(json["version"]?.string == version && json["commit"]?.string?.isEmpty == false)
                let package = try text("clients/typescript/package.json")
                #expect(try JSON(parsing: package)["version"]?.string == version)
                // A heading of the changelog names the version, without a zero at its end before it is released.
                let headings = try text("CHANGELOG.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
                let names = [" \(version)", version.hasSuffix(".0") ? " \(version.dropLast(2))" : " \(version)"]
                #expect(headings.contains { heading in names.contains { heading.hasSuffix($0) } }, "\(headings)")
            }
        }

        private func text(_ path: String) throws -> String {
            try String(contentsOfFile: Fleet.package + "/" + path, encoding: .utf8)
        }

        @Test(.timeLimit(.minutes(10)))
        func theInputComesFromAFileOrFromStandardInput() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let file = fleet.folder + "/input.json"
                try #"{"ticker": "AAPL", "persona": "buffett"}"#.write(toFile: file, atomically: true, encoding: .utf8)
                let words = ["submit", "research", "--no-wait", "--server", fleet.url, "--input"]
                let fromFile = try await fleet.run(words + ["@" + file])
                #expect(fromFile.exit == .code(0), "\(fromFile)")
                let shell = try fleet.start(words + ["-"], by: ["/bin/sh", "-c", #""$0" "$@" <"# + file])
                #expect(try await shell.ended() == .code(0), "\(shell.errors.text)")
                for id in [fromFile.output, shell.output.text] {
                    let input = try await fleet.send(.get, "/api/v1/jobs/\(id)/input").data
                    #expect(input["input"]?["ticker"] == "AAPL" || input["ticker"] == "AAPL", "\(input)")
                }
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aRepeatWithTheSameKeyIsTheSameJobAndBeginsAtItsTime() async throws {
            try await Fleet.with { fleet in
                try await fleet.startBroker()
                let time = Date(timeIntervalSinceNow: 3600).formatted(.iso8601)
                let words = [
                    "submit", "research", "--input", #"{"ticker": "AAPL", "persona": "buffett"}"#, "--no-wait",
                    "--idempotency-key", "first-try", "--run-at", time, "--priority", "-7", "--server", fleet.url,
                ]
                let first = try await fleet.run(words)
                let second = try await fleet.run(words)
                #expect(first.exit == .code(0) && !first.output.isEmpty && first.output == second.output, "\(first)")
                let job = try await fleet.send(.get, "/api/v1/jobs/\(first.output)").data
                #expect(job["blocked_by"]?["reason"] == "run_at", "\(job)")
                #expect(job["blocked_by"]?["until"]?.string?.prefix(19) == time.prefix(19), "\(job)")
                let priorities = try await fleet.query("SELECT priority FROM job")
                #expect(priorities == ["-7"])
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func anInterruptedWatchSaysThatTheJobGoesOnAndHowToFindIt() async throws {
            try await Fleet.with(pacing: Pacing(tokensPerSecond: 1500, deltaLength: 80)) { fleet in
                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                fleet.tempo.hold(after: 15)
                let watch = try fleet.start(["research", "AAPL", "--user", "7", "--server", fleet.url])
                for await line in watch.output.follow() where line.contains("Writing the report") { break }
                watch.signal(SIGINT)
                #expect(try await watch.ended() == .code(130), "\(watch.errors.text)")
                let id = try #require(watch.output.all.first { $0.hasPrefix("Job ") }?.dropFirst(4))
                let commands = ["watch", "cancel"].map { "dossier jobs \($0) \(id) --user 7 --server \(fleet.url)" }
                #expect(watch.errors.text.contains("the job goes on"))
                for command in commands { #expect(watch.errors.text.contains(command), "\(watch.errors.text)") }
                fleet.tempo.release()
                #expect(try await fleet.end(of: String(id), user: 7).status == "completed")
            }
        }

        @Test(.timeLimit(.minutes(10)))
        func aServiceAtATerminalSaysWhatToOpenAndTryAndOtherwiseNothing() async throws {
            try await Fleet.with { fleet in
                // `script` gives a command a terminal, which it closes when it ends.
                let shell = #"exec script -qefc "exec $0 $*" /dev/null"#
                let service = try fleet.start(
                    ["serve", "--listen", "127.0.0.1:0"], variables: ["ANTHROPIC_API_KEY": nil],
                    by: ["/bin/sh", "-c", shell])
                var shown: [String] = []
                for await line in service.output.follow() {
                    shown.append(line)
                    if line.contains("Models") { break }
                }
                let text = shown.joined(separator: "\n")
                for words in ["Ctrl-C", "/console/", "/docs", "dossier research AAPL", "dossier simulate"] {
                    #expect(text.contains(words), "no '\(words)' in \(text)")
                }
                let address = String(try #require(text.firstMatch(of: /(http:\/\/127\.0\.0\.1:[0-9]+)\/console/)).1)
                #expect(try await fleet.send(.get, "/health", at: address).status == 200)
                service.signal(SIGKILL)
                _ = try await service.ended()
                // Its terminal is closed, and nobody asks the service to end.
                while (try? await fleet.send(.get, "/health", at: address)) != nil {}

                let broker = try await fleet.startBroker()
                broker.signal(SIGTERM)
                #expect(try await broker.ended() == .code(0))
                #expect(broker.output.text.isEmpty, "\(broker.output.text)")
            }
        }
    }
}
