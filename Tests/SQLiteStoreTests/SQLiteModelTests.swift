import SQLSupport
import Foundation
import StoreConformance
import Testing

/// Random sequences on SQLite, held against the reference model. `make model-test` runs many more of them.
@Suite struct SQLiteModelTests {
    @Test(arguments: ModelTestSeeds.queues)
    func doesWhatTheModelDoes(_ queue: ModelTestSeeds) async throws {
        try await ModelTest.run(on: SQLiteFixture.self, seeds: queue.seeds)
    }
}
