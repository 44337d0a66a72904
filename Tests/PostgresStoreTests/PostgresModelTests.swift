import SQLSupport
import Foundation
import StoreConformance
import Testing

/// Random sequences on PostgreSQL, compared with the reference model. `make model-test` runs many more of them.
@Suite struct PostgresModelTests {
    @Test(arguments: ModelTestSeeds.queues)
    func behavesLikeTheModel(_ queue: ModelTestSeeds) async throws {
        // Each call is a round trip, so there are fewer sequences unless a run by hand asks for more.
        let isByHand = ProcessInfo.processInfo.environment["MODEL_SEQUENCES"] != nil
        try await ModelTest.run(on: PostgresFixture.self, seeds: Array(queue.seeds.prefix(isByHand ? .max : 8)))
    }
}
