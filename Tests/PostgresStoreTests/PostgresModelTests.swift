import SQLSupport
import Foundation
import StoreConformance
import Testing

/// Random sequences on PostgreSQL, held against the reference model. `make model-test` runs many more of them.
@Suite struct PostgresModelTests {
    @Test(arguments: ModelTestSeeds.queues)
    func doesWhatTheModelDoes(_ queue: ModelTestSeeds) async throws {
        // A round trip for each call: fewer of them, unless asked for by hand.
        let isByHand = ProcessInfo.processInfo.environment["MODEL_SEQUENCES"] != nil
        try await ModelTest.run(on: PostgresFixture.self, seeds: Array(queue.seeds.prefix(isByHand ? .max : 8)))
    }
}
