import Foundation
import StoreConformance
import Testing

/// Random sequences on PostgreSQL, held against the reference model. `make model-test` runs many more of them.
@Suite struct PostgresModelTests {
    @Test(arguments: ModelTestSeeds.lanes)
    func doesWhatTheModelDoes(_ lane: ModelTestSeeds) async throws {
        try await ModelTest.run(on: PostgresFixture.self, seeds: lane.seeds)
    }
}
