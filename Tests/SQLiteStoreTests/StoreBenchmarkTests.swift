import SQLSupport
import Benchmark
import JobQueue
import StoreConformance
import Testing

@testable import SQLiteStore

/// Each part of the benchmark does the work that it measures.
@Suite struct StoreBenchmarkTests {
    @Test(arguments: StoreBenchmark.Part.allCases)
    func aPartDoesItsWorkAndLeavesNothingUnfinished(_ part: StoreBenchmark.Part) async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let other = try await fixture.openStore()
        let measurement = try await StoreBenchmark(store: store, other: other, jobs: 120).run(part)
        #expect(measurement.name == part.rawValue && measurement.count > 0)
        let health = try await store.health()
        let unfinished = ["jobs_ready", "jobs_scheduled", "jobs_waiting", "jobs_blocked", "leases", "workers"]
        #expect(health.filter { unfinished.contains($0.name) && ($0.value ?? 0) > 0 } == [])
        #expect(try await store.auditCredits() == [])
        await fixture.remove()
    }
}
