import BrokerClient
import DossierAPI
import Foundation
import JSON
import Simulator
import Testing

extension SystemTests.Surface {
    /// Annual reports are read once for all users, by real processes.
    @Suite(.serialized) struct FilingReadingTests {
        @Test(.timeLimit(.minutes(10)))
        func reportsOfManyUsersShareOneReadingAlsoWhenAWorkerIsKilled() async throws {
            try await Fleet.with { fleet in
                let home = try fleet.copyContent { kind in
                    kind.replacing("filing_readings: false", with: "filing_readings: true")
                        .replacing("deadline: 170 s", with: "deadline: 1 h")
                }
                let variables = ["DOSSIER_HOME": home]
                try await fleet.startBroker(variables: variables)
                let worker = try await fleet.startWorker(variables: variables)
                var jobs: [String] = []
                for user in 1...6 { jobs.append(try await fleet.submit(user: user).id) }
                try await eventually("a reading is bought") { !fleet.calls(of: -1).isEmpty }
                worker.signal(SIGKILL)
                _ = try await worker.ended()
                _ = try await fleet.startWorker(variables: variables)
                for (place, id) in jobs.enumerated() {
                    let job = try await fleet.end(of: id, user: place + 1)
                    #expect(job.status == "completed", "\(job)")
                    let result = try await fleet.result(of: id, user: place + 1)
                    let readings = result["provenance"]?["filing_readings"]?.array ?? []
                    #expect(readings.compactMap { $0["item"]?.string } == ["1", "1A", "7"])
                    try await fleet.expectBalance(user: place + 1, used: 1)
                }
                // A call that was under way when its worker died has no answer in the journal and is made again.
                let readings = fleet.calls(of: -1)
                #expect(Set(readings.map(\.bodyHash)).count == 3)
                #expect(readings.count <= 6)
                let costs = try await fleet.run("costs", "--by", "kind")
                #expect(costs.output.contains("filing-reading"), "\(costs.output) \(costs.errors)")
                try await fleet.expectCleanAudit()
            }
        }
    }
}
