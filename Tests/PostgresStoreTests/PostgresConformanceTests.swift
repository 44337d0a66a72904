import StoreConformance
import Testing

/// The conformance suite on PostgreSQL.
@Suite struct PostgresConformanceTests {
    @Test(arguments: ConformanceSuite.jobs)
    func keepsThePromise(_ promise: ConformanceCase) async throws { try await promise.run(on: PostgresFixture.self) }
}

/// The other half, in a suite of its own: each half takes minutes, and both can run beside each other.
@Suite struct PostgresRepositoryConformanceTests {
    @Test(arguments: ConformanceSuite.repositories)
    func keepsThePromiseOfRecords(_ promise: ConformanceCase) async throws {
        try await promise.run(on: PostgresFixture.self)
    }
}
