import StoreConformance
import Testing

/// The conformance suite on PostgreSQL.
@Suite struct PostgresConformanceTests {
    @Test(arguments: ConformanceSuite.all)
    func keepsThePromise(_ promise: ConformanceCase) async throws { try await promise.run(on: PostgresFixture.self) }
}
