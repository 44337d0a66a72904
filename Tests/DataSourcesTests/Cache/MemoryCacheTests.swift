import TestSupport
import Testing

@testable import DataSources

@Suite struct MemoryCacheTests {
    private func cache(capacity: Int = 10, time: ManualTime = ManualTime()) -> MemoryCache<String, Int> {
        MemoryCache(lifetime: .seconds(60), capacity: capacity, time: time.source)
    }

    @Test func concurrentCallersShareOneFetch() async throws {
        let gate = Gate()
        let cache = cache()
        let results = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await cache.value(for: "a") { () async throws(DataSourceError) in
                        await gate.pass()
                        return 7
                    }
                }
            }
            await gate.waitForArrivals(1)
            await gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: 7, count: 20))
        #expect(await gate.arrivals == 1)
    }

    @Test func aFailureIsNotCached() async throws {
        let cache = cache()
        await #expect(throws: DataSourceError.timedOut(.edgar)) {
            try await cache.value(for: "a") { () async throws(DataSourceError) in throw .timedOut(.edgar) }
        }
        #expect(try await cache.value(for: "a") { () async throws(DataSourceError) in 3 } == 3)
    }

    @Test func aCancelledWaiterReturnsAndTheOthersGetTheirValue() async throws {
        let gate = Gate()
        let cache = cache()
        let ask: @Sendable () async throws -> Int = {
            try await cache.value(for: "a") { () async throws(DataSourceError) in
                await gate.pass()
                return 7
            }
        }
        let first = Task { try await ask() }
        await gate.waitForArrivals(1)
        let second = Task { try await ask() }
        first.cancel()
        await #expect(throws: DataSourceError.cancelled) { try await first.value }
        await gate.open()
        #expect(try await second.value == 7)
    }

    @Test func expiredAndLeastRecentlyUsedValuesAreFetchedAgain() async throws {
        let time = ManualTime()
        let cache = cache(capacity: 2, time: time)
        func ask(_ key: String, _ value: Int) async throws -> Int {
            time.advance(by: .seconds(1))
            return try await cache.value(for: key) { () async throws(DataSourceError) in value }
        }
        _ = try await ask("a", 1)
        _ = try await ask("b", 1)
        #expect(try await ask("a", 2) == 1)
        _ = try await ask("c", 1)
        #expect(try await ask("a", 3) == 1)
        #expect(try await ask("b", 4) == 4)
        time.advance(by: .seconds(60))
        #expect(try await ask("b", 5) == 5)
    }
}
