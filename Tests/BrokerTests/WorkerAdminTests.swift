import BrokerClient
import HTTP
import JobQueue
import SQLSupport
import SQLiteStore
import JSON
import Testing

@testable import Broker

@Suite(.timeLimit(.minutes(10))) struct WorkerAdminTests {
    @Test func workersAreListedDrainedAndResumed() async throws {
        try await TestService.with { service in
            let store = service.store
            for (name, process, version) in [("w1", Int32(11), ""), ("w2", 12, "0.1.0")] {
                try await store.register(
                    WorkerRegistration(
                        id: WorkerID(rawValue: name), host: "machine", processID: process, concurrency: 7,
                        version: version, abilities: WorkerAbilities(kinds: ["research"], providers: ["claude"])))
            }
            let job = try await service.submit()
            let claim = try await store.claim(for: WorkerID(rawValue: "w1"), upTo: [.background: 1])
            #expect(claim.jobs.count == 1)
            let list = try await service.ask(.get, "/api/v1/admin/workers")
            let workers = list["data"]?.array ?? []
            #expect(workers.map { $0["id"]?.string } == ["w2", "w1"])
            #expect(workers[1]["jobs"] == [JSON(job.description)] && workers[1]["busy"] == 1)
            #expect(workers[0]["jobs"] == [] && workers[0]["places"] == 7 && workers[0]["host"] == "machine")
            #expect(workers[0]["kinds"] == ["research"] && workers[0]["providers"] == ["claude"])
            #expect(workers[0]["process_id"] == 12 && workers[0]["draining"] == false)
            #expect(workers[0]["version"] == "0.1.0" && workers[1]["version"] == .null)
            let first = try await service.ask(.get, "/api/v1/admin/workers?per_page=1")
            let cursor = try #require(first["pagination"]?["next_cursor"]?.string)
            let second = try await service.ask(.get, "/api/v1/admin/workers?per_page=1&cursor=\(cursor)")
            #expect(second["data"]?.array?.map { $0["id"]?.string } == ["w1"])
            for _ in 0..<2 {
                let drained = try await service.ask(.post, "/api/v1/admin/workers/w1/drain", ["note": "new disk"])
                #expect(drained.status == 200 && drained["data"]?["draining"] == true)
            }
            #expect(try await store.isDraining(WorkerID(rawValue: "w1")))
            #expect(try await !store.isDraining(WorkerID(rawValue: "w2")))
            let resumed = try await service.ask(.post, "/api/v1/admin/workers/w1/resume")
            #expect(resumed["data"]?["draining"] == false)
            #expect(try await service.ask(.post, "/api/v1/admin/workers/none/drain").status == 404)
            let wrong = try await service.ask(.post, "/api/v1/admin/workers/w1/drain", ["notes": "x"])
            #expect(wrong.status == 422 && wrong.field == "notes")
            let entries = try await store.auditEntries(AuditFilter(), after: nil, limit: 100)
            // A drain that is there already changes nothing.
            #expect(entries.map(\.action) == ["workers.resume", "workers.drain"])
            #expect(entries.last?.target == "w1" && entries.last?.details == ["note": "new disk"])
        }
    }
}
