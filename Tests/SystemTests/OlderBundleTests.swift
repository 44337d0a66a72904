import DossierAPI
import Foundation
import Glibc
import JSON
import Testing

extension SystemTests.Surface {
    /// A job whose prompts are not those of the program that runs it.
    @Suite(.serialized) struct OlderBundleTests {
        @Test(.timeLimit(.minutes(10)))
        func aJobFromBeforeAnUpgradeRunsAfterItWithItsOwnPrompts() async throws {
            try await Fleet.with { fleet in
                let older = fleet.folder + "/older"
                try Fleet.copyContent(to: older)
                for name in ["research", "research-repair"] {
                    let file = "\(older)/prompts/\(name).prompt"
                    let text = try String(contentsOfFile: file, encoding: .utf8)
                    // As a release whose agents gave less, and something else.
                    let edited = text.replacing(
                        "      change?: string, how a risk changed\n", with: "      rumour?: string\n")
                    try #require(edited != text)
                    try edited.write(toFile: file, atomically: true, encoding: .utf8)
                }
                let before = try await fleet.startBroker(variables: ["DOSSIER_HOME": older])
                let first = try await fleet.submit().id
                before.signal(SIGTERM)
                #expect(try await before.ended() == .code(0))
                try FileManager.default.removeItem(atPath: older)

                try await fleet.startBroker()
                _ = try await fleet.startWorker()
                let second = try await fleet.submit().id
                var bundles: Set<String> = []
                for id in [first, second] {
                    #expect(try await fleet.end(of: id).status == "completed")
                    let result = try await fleet.result(of: id)
                    bundles.insert(try #require(result["provenance"]?["bundle"]?.string, "\(result)"))
                }
                #expect(bundles.count == 2)
            }
        }
    }
}
