import DossierAPI
import DossierClient
import Glibc
import HTTP
import JSON
import Testing

extension SystemTests.Surface {
    @Suite(.serialized) struct ReloadTests {
        @Test(.timeLimit(.minutes(10)))
        func changedContentHoldsForJobsToComeAndBrokenContentForNone() async throws {
            try await Fleet.with { fleet in
                let home = try fleet.copyContent { $0.replacing("estimate: 30 s", with: "estimate: 31 s") }
                let broker = try await fleet.startBroker(variables: ["DOSSIER_HOME": home])
                let old = try await fleet.submit().id
                try fleet.changeKind(in: home) { $0.replacing("credits: 1", with: "credits: 2") }
                broker.signal(SIGHUP)
                _ = try await broker.errors.record("took up the content files")
                let new = try await fleet.submit().id
                try await fleet.expectBalance(used: 0, held: 3)
                try fleet.changeKind(in: home) { $0 + "nonsense: [" }
                broker.signal(SIGHUP)
                let refusal = try await broker.errors.record("kept the old content files")
                #expect(refusal["reason"]?.string?.contains("jobs/research.yaml") == true)
                let later = try await fleet.submit().id
                // The worker sees the broken files, too; each job brings the content that it was submitted with.
                _ = try await fleet.startWorker(variables: ["DOSSIER_HOME": home])
                var bundles: [String?] = []
                for id in [old, new, later] {
                    #expect(try await fleet.end(of: id).status == "completed")
                    bundles.append(try await fleet.result(of: id)["provenance"]?["bundle"]?.string)
                }
                #expect(bundles[0] != bundles[1] && bundles[1] == bundles[2])
                try await fleet.expectBalance(used: 5)
                try await fleet.expectCleanAudit()
            }
        }
    }
}
