import SQLSupport
import JobQueue
import Testing

@testable import SQLiteStore
@testable import StoreConformance

/// Notification of commits between processes. Each of the two paths must work alone.
@Suite struct ChangeTests {
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            WALWatcher.Options(usesInotify: true, pollMilliseconds: -1),
            WALWatcher.Options(usesInotify: false, pollMilliseconds: 10),
        ])
    func eachPathAloneNotifiesOtherProcesses(_ options: WALWatcher.Options) async throws {
        let fixture = SQLiteFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let other = try await fixture.openStore(watching: options)
        for topic in ChangeTopic.allCases {
            var signals = other.changes(topic).makeAsyncIterator()
            _ = await signals.next()
            // The first look of a watcher is one signal, so the other four come from commits.
            for _ in 0..<5 {
                try await harness.submit()
                #expect(await signals.next() != nil)
            }
        }
        await fixture.remove()
    }

    @Test func aHeartbeatNotifiesNoOtherProcess() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        let database = try DatabaseFile.openForReading(fixture.path)
        let before = try database.words("SELECT ready || '/' || visible FROM commit_counter")
        try await store.heartbeat(worker)
        _ = try await harness.claim(worker, 5)
        #expect(try database.words("SELECT ready || '/' || visible FROM commit_counter") == before)
        await fixture.remove()
    }

    @Test func aClaimIsVisibleButMakesNothingReady() async throws {
        let fixture = SQLiteFixture()
        let harness = StoreHarness(store: try await fixture.openStore(), clock: fixture.clock, fixture: fixture)
        let worker = try await harness.worker()
        try await harness.submit()
        let database = try DatabaseFile.openForReading(fixture.path)
        #expect(try database.words("SELECT ready || '/' || visible FROM commit_counter") == ["1/1"])
        _ = try await harness.claimOne(worker)
        #expect(try database.words("SELECT ready || '/' || visible FROM commit_counter") == ["1/2"])
        await fixture.remove()
    }
}
