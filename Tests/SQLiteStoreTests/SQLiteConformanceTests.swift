import StoreConformance
import Testing

/// The conformance suite on SQLite.
@Suite struct SQLiteConformanceTests {
    @Test(arguments: ConformanceSuite.all)
    func keepsThePromise(_ promise: ConformanceCase) async throws { try await promise.run(on: SQLiteFixture.self) }
}

/// Random programs on SQLite, compared with the reference model. `make model-test` runs many more of them.
@Suite struct SQLiteModelTests {
    @Test(arguments: ModelTestSeeds.queues)
    func agreesWithTheReferenceModel(_ queue: ModelTestSeeds) async throws {
        try await ModelTest.run(on: SQLiteFixture.self, seeds: queue.seeds)
    }
}
