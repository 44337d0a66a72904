import Foundation
import StoreConformance
import Testing

/// Random sequences on SQLite, held against the reference model. `make model-test` runs many more of them.
@Suite struct SQLiteModelTests {
    @Test(arguments: ModelTestSeeds.lanes)
    func doesWhatTheModelDoes(_ lane: ModelTestSeeds) async throws {
        try await ModelTest.run(on: SQLiteFixture.self, seeds: lane.seeds)
    }
}
