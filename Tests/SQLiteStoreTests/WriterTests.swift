import Basics
import JobQueue
import JSON
import SQLSupport
import TestSupport
import Testing

@testable import SQLiteStore
@testable import StoreConformance

@Suite struct WriterTests {
    @Test func aRequestThatFailsFailsAloneInItsGroup() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let gate = Gate()
        async let blocked: Void = store.writer.perform { _ in gate.wait() }
        let outcomes = await withTaskGroup(of: (Int, StoreError?).self) { group in
            for place in 0..<50 {
                group.addTask {
                    do throws(StoreError) {
                        try await store.writer.perform { transaction in
                            try transaction.database.runScript(
                                "bundle_insert", [.text("\(place)"), .text("a"), .integer(0)])
                            switch place {
                            case 13: try transaction.database.execute("INSERT INTO balance VALUES (1, -1, 0, 0)")
                            case 31: throw StoreError.leaseLost
                            default: break
                            }
                        }
                        return (place, nil)
                    } catch {
                        return (place, error)
                    }
                }
            }
            gate.open()
            return await group.reduce(into: [Int: StoreError]()) { $0[$1.0] = $1.1 }
        }
        try await blocked
        #expect(outcomes.keys.sorted() == [13, 31] && outcomes[31] == .leaseLost)
        for place in 0..<50 {
            let isStored = try await store.archive(ofBundle: "\(place)") != nil
            #expect(isStored == (place != 13 && place != 31))
        }
        await fixture.remove()
    }

    @Test func aDatabaseThatStaysBusyIsUnavailableAndLosesNothing() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let failing = try await SQLiteWriter.start(
            limits: .init(timeout: .milliseconds(20)),
            counter: CommitCounter(changes: ChangeBroadcaster(), logPath: fixture.path + "-wal"),
            threads: ThreadGroup(),
            clock: StoreClock(now: { Timestamp(milliseconds: WallClock.milliseconds()) })
        ) { [path = fixture.path] in
            try DatabaseFile.openForWriting(
                path, maxPages: nil, migrations: .apply, now: Timestamp(milliseconds: WallClock.milliseconds()))
        }
        let blocker = try SQLiteConnection(path: fixture.path, readOnly: false, busyTimeout: 60_000)
        try blocker.execute("BEGIN IMMEDIATE")
        let busy = StoreError.unavailable(reason: "it is busy")
        await #expect(throws: busy) {
            try await failing.perform {
                try $0.database.runScript("bundle_insert", [.text("h"), .text("a"), .integer(0)])
            }
        }
        async let waiting: Void = store.store(bundle: "h", archive: "a")
        try blocker.execute("COMMIT")
        try await waiting
        #expect(try await store.archive(ofBundle: "h") == "a")
        failing.close()
        await fixture.remove()
    }

    @Test func aFullDatabaseReportsItAndStaysSound() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore(maxPages: 300)
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        _ = try await store.grant(10_000, to: UserID(rawValue: 1), note: "", startingCredits: 10)
        let outcomes = await withTaskGroup(of: StoreError?.self) { group in
            for number in 0..<400 {
                // Texts that hardly become shorter when they are compressed.
                var random = SeededRandom(seed: UInt64(number))
                let text = (0..<400).map { _ in String(UInt64.random(in: .min ... .max, using: &random), radix: 36) }
                let job = harness.job(cost: 1) { $0.input = .string(text.joined()) }
                group.addTask {
                    do throws(StoreError) {
                        _ = try await store.submit(job)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [StoreError?]()) { $0.append($1) }
        }
        let accepted = outcomes.filter { $0 == nil }.count
        #expect(accepted > 10 && accepted < 400)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .full })
        #expect(try await harness.balance().held == accepted)
        #expect(try await store.jobs(JobListQuery(user: UserID(rawValue: 1), perPage: 1)).total == accepted)
        #expect(try await store.auditCredits() == [])
        let database = try DatabaseFile.openForReading(fixture.path)
        #expect(try database.word("PRAGMA integrity_check") == "ok")
        await fixture.remove()
    }

    @Test func aClosedStoreFinishesQueuedRequestsAndRefusesLaterOnes() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        let signals = store.changes(.ready)
        try await store.store(bundle: "h", archive: "a")
        await store.close()
        await store.close()
        let closed = StoreError.unavailable(reason: "the store is closed")
        await #expect(throws: closed) { _ = try await store.auditCredits() }
        await #expect(throws: closed) { try await store.heartbeat(WorkerID(rawValue: "w")) }
        for await _ in signals {}
        for await _ in store.changes(.visible) {}
        let again = try await fixture.openStore()
        #expect(try await again.archive(ofBundle: "h") == "a")
        await fixture.remove()
    }

    @Test func aTextWithANULIsRefusedWhenItIsBound() async throws {
        let fixture = SQLiteFixture()
        let store = try await fixture.openStore()
        await #expect(throws: StoreError.invalidValue(code: "SQLite 20", detail: "a text holds a NUL character")) {
            try await store.writer.perform {
                try $0.database.runScript("bundle_insert", [.text("a\0"), .text(""), .integer(0)])
            }
        }
        await fixture.remove()
    }
}

/// Holds a thread until it is opened.
private final class Gate: Sendable {
    private let queue = WorkQueue<Bool>()

    func wait() { _ = queue.wait() }

    func open() { _ = queue.append(true) }
}
