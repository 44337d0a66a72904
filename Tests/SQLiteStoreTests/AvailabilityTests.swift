import Foundation
import JSON
import JobQueue
import Testing

@testable import SQLiteStore
@testable import StoreConformance

/// A locked, full, damaged or missing database file.
@Suite(.timeLimit(.minutes(5))) struct AvailabilityTests {
    /// Random bytes in the root page of the journal: the first job that reads it shows the damage.
    @Test func damageClosesTheStoreForNewWorkAndKeepsRunningJobs() async throws {
        let fixture = SQLiteFixture()
        let sound = try await fixture.openStore()
        let before = StoreHarness(store: sound, clock: fixture.clock, fixture: fixture)
        let lease = try await before.running(by: 1, cost: 1)
        try await before.submit(2)
        _ = try await sound.append(StoreHarness.step("a"), replacingFrom: nil, effects: [], under: lease)
        await sound.close()
        try Self.damage("step", in: fixture.path)

        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let worker = WorkerID(rawValue: "w1")
        var events = store.events().makeAsyncIterator()
        #expect(store.availability == .available, "nobody has read the page yet")
        for _ in 0..<3 {
            let error = await #expect(throws: StoreError.self) { _ = try await store.steps(of: lease) }
            guard case .damaged = error else { throw HarnessFailure("\(String(describing: error))") }
        }
        guard case .damaged = await events.next() else { throw HarnessFailure("nobody told of the damage") }
        guard case .damaged = store.availability else { throw HarnessFailure("the store believes in its file") }
        let errors = [
            await #expect(throws: StoreError.self) { _ = try await store.submit(harness.job(3)) },
            await #expect(throws: StoreError.self) { _ = try await harness.claim(worker) },
            await #expect(throws: StoreError.self) { _ = try await store.retry(lease.job, of: nil) },
        ]
        for error in errors {
            guard case .damaged = error else { throw HarnessFailure("\(String(describing: error))") }
        }
        // The job keeps its lease and its worker its heartbeat; nothing failed.
        try await store.heartbeat(worker)
        #expect(try await store.leases(of: worker) == [lease])
        #expect(try await harness.job(lease.job).status == .processing)
        await store.close()
        #expect(await events.next() == nil, "the damage was told again")
        await fixture.remove()
    }

    @Test func callersWithLittleTimeHearSoonThatAnotherProcessHoldsTheLock() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        var events = store.events().makeAsyncIterator()
        let other = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        try other.execute("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        await #expect(throws: StoreError.self) {
            try await StoreTimeout.$current.withValue(.milliseconds(300)) { _ = try await harness.submit() }
        }
        #expect(.now - start < .seconds(3), "the store itself waits for five seconds")
        // One that has time waits for longer, which shows that this is no ordinary commit.
        async let patient = harness.submit(2)
        guard case .unavailable = await events.next() else { throw HarnessFailure("nobody told of the lock") }
        try other.execute("ROLLBACK")
        _ = try? await patient
        try await harness.submit(3)
        guard case .available = await events.next() else { throw HarnessFailure("nobody told of its end") }
        #expect(store.availability == .available)
        #expect(try await store.jobs(JobListQuery(user: UserID(rawValue: 1))).jobs.isEmpty, "it was answered in vain")
        await fixture.remove()
    }

    @Test func aFullDiskIsToldUntilThereIsSpaceAgain() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore(maxPages: 700)
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        var events = store.events().makeAsyncIterator()
        var leases: [Lease] = []
        let worker = try await harness.worker()
        await #expect(throws: StoreError.full) {
            while true {
                // Text that no compression makes smaller.
                let text = (0..<5000).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
                try await harness.submit { $0.input = .string(text) }
                leases += try await harness.claim(worker).map(\.lease)
            }
        }
        guard case .unavailable = store.availability else { throw HarnessFailure("the store sees space") }
        guard case .unavailable = await events.next() else { throw HarnessFailure("nobody told of the full disk") }
        // A heartbeat needs no new page.
        try await store.heartbeat(worker)
        guard case .available = await events.next() else { throw HarnessFailure("nobody told of the space") }
        await fixture.remove()
    }

    @Test func aCommandThatReadsLeavesAMissingDatabaseAlone() async throws {
        let fixture = SQLiteFixture()
        let missing = await #expect(throws: StoreError.self) {
            _ = try await SQLiteStore.open(path: fixture.path, migrations: .refuse)
        }
        #expect(missing == .unexpected(reason: "there is no such database; run 'dossier migrate'"))
        #expect(!FileManager.default.fileExists(atPath: fixture.path))
        await (try await fixture.openStore()).close()
        await (try await SQLiteStore.open(path: fixture.path, migrations: .refuse)).close()
        await fixture.remove()
    }

    /// Only these codes concern the values of an operation.
    @Test func onlyRefusedValuesEndAJob() {
        for code in Int32(1)...28 {
            let error = SQLiteError(code: code, extended: code, message: "m").storeError
            switch error {
            case .invalidValue: #expect([18, 19, 20].contains(code), "\(code)")
            case .damaged: #expect([10, 11, 26].contains(code), "\(code)")
            case .unavailable, .full, .unexpected: break
            default: Issue.record("\(code): \(error)")
            }
        }
    }

    /// Fills the root page of a table with random bytes.
    private static func damage(_ table: String, in path: String) throws {
        let database = try SQLiteConnection(path: path, readOnly: false, busyTimeout: 60_000)
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let size = try #require(Int(try database.word("PRAGMA page_size")))
        let page = try #require(Int(try database.word("SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'")))
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64((page - 1) * size))
        var generator = SystemRandomNumberGenerator()
        try file.write(contentsOf: Data((0..<size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
        try file.close()
    }
}
