import SQLSupport
import JobQueue
import Testing

@testable import SQLiteStore
@testable import StoreConformance

/// How news travels between processes. The two paths are tried apart: each must do alone.
@Suite struct ChangeTests {
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            WALWatcher.Ways(listens: true, pollMilliseconds: -1), WALWatcher.Ways(listens: false, pollMilliseconds: 10),
        ])
    func eachWayAloneCarriesNewsToOtherProcesses(_ ways: WALWatcher.Ways) async throws {
        let fixture = SQLiteFixture()
        let bench = Bench(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let other = try await fixture.openStore(watching: ways)
        for topic in ChangeTopic.allCases {
            var signals = other.changes(topic).makeAsyncIterator()
            _ = await signals.next()
            // The first look of a watcher is a signal too; five cannot come of it.
            for _ in 0..<5 {
                try await bench.submit()
                #expect(await signals.next() != nil)
            }
        }
        await fixture.remove()
    }

    @Test func aBeatIsNoNews() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let bench = Bench(store: store, clock: fixture.clock, fixture: fixture)
        let worker = try await bench.worker()
        let database = try DatabaseFile.openForReading(fixture.path)
        let before = try database.words("SELECT ready || '/' || visible FROM pulse")
        try await store.beat(worker)
        _ = try await bench.claim(worker, 5)
        #expect(try database.words("SELECT ready || '/' || visible FROM pulse") == before)
        await fixture.remove()
    }

    @Test func aClaimIsVisibleButMakesNothingReady() async throws {
        let fixture = SQLiteFixture()
        let bench = Bench(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await bench.worker()
        try await bench.submit()
        let database = try DatabaseFile.openForReading(fixture.path)
        #expect(try database.words("SELECT ready || '/' || visible FROM pulse") == ["1/1"])
        _ = try await bench.claimOne(worker)
        #expect(try database.words("SELECT ready || '/' || visible FROM pulse") == ["1/2"])
        await fixture.remove()
    }
}
