import SQLSupport
import JobQueue
@testable import StoreConformance
import Synchronization
import Testing

@testable import SQLiteStore

/// The clock that the processes of one database share.
@Suite struct SharedClockTests {
    /// A machine whose clocks a test sets.
    final class Machine: Sendable {
        private let reading = Mutex(MachineClock.Reading(wall: 1_800_000_000_000, sinceBoot: 5_000_000))

        var clock: MachineClock { MachineClock(boot: "one") { self.reading.withLock { $0 } } }

        func pass(_ milliseconds: Int64) {
            reading.withLock { reading in
                reading.wall += milliseconds
                reading.sinceBoot += milliseconds
            }
        }

        /// The machine for a process whose wall clock is wrong.
        func clock(offBy milliseconds: Int64) -> MachineClock {
            MachineClock(boot: "one") {
                self.reading.withLock { .init(wall: $0.wall + milliseconds, sinceBoot: $0.sinceBoot) }
            }
        }
    }

    private let reading = MachineClock.Reading(wall: 1_800_000_000_000, sinceBoot: 5_000_000)

    @Test func aProcessWithAWrongClockSnoozesJobsByTheSharedClock() async throws {
        let (fixture, machine) = (SQLiteFixture(), Machine())
        let right = try await open(fixture, machine.clock)
        let wrong = try await open(fixture, machine.clock(offBy: 600_000))
        let before = try await right.now()
        #expect(try await wrong.now() == before)
        let harness = StoreHarness(store: wrong, clock: fixture.clock, fixture: fixture)
        let job = try await harness.submit { $0.deadline = before + .seconds(600) }
        #expect(job.createdAt == before)
        let worker = try await harness.worker()
        let lease = try await harness.claimOne(worker).lease
        try await wrong.snooze([lease], after: .seconds(2))
        machine.pass(1900)
        #expect(try await right.claim(for: worker, upTo: [.background: 1]).jobs.isEmpty)
        machine.pass(1500)
        #expect(try await right.claim(for: worker, upTo: [.background: 1]).jobs.map(\.lease.job) == [lease.job])
        for store in [right, wrong] { await store.close() }
        await fixture.remove()
    }

    @Test func theTimeFollowsTheWallClocksByAnEighthAndNeverRunsBackwards() async throws {
        let (fixture, machine) = (SQLiteFixture(), Machine())
        let first = try await open(fixture, machine.clock)
        let start = try await first.now()
        await first.close()
        // The machine's clock is set back by a minute.
        let store = try await open(fixture, machine.clock(offBy: -60_000))
        var last = start
        for _ in 0..<200 {
            machine.pass(1000)
            _ = try await store.store(bundle: "h", archive: "a") as Void
            let now = try await store.now()
            #expect(now - last >= .milliseconds(800) && now - last <= .milliseconds(1000))
            last = now
        }
        #expect(last == start + .milliseconds(200_000 - 25_000))
        await store.close()
        await fixture.remove()
    }

    @Test func aDifferenceOfHoursIsACorrectedClock() {
        let stored = ClockAnchor(boot: "one", offset: 0, setAt: 4_000_000)
        let opened = ClockAnchor.next(after: stored, boot: "one", reading, isOpening: true)
        #expect(opened == ClockAnchor(boot: "one", offset: 1_799_995_000_000, setAt: 5_000_000))
        let later = ClockAnchor.next(after: stored, boot: "one", reading, isOpening: false)
        #expect(later.offset == 250)
    }

    @Test func anotherBootSetsANewAnchor() {
        let stored = ClockAnchor(boot: "earlier", offset: 1_700_000_000_000, setAt: 9_000_000)
        let next = ClockAnchor.next(after: stored, boot: "one", reading, isOpening: false)
        #expect(next == ClockAnchor(boot: "one", offset: 1_799_995_000_000, setAt: 5_000_000))
    }

    @Test func smallDifferencesChangeNothing() {
        let stored = ClockAnchor(boot: "one", offset: 1_799_995_000_050, setAt: 0)
        #expect(ClockAnchor.next(after: stored, boot: "one", reading, isOpening: true) == stored)
    }

    @Test func theMachineHasABootIDAndARunningClock() {
        let machine = MachineClock.system
        let (one, two) = (machine.read(), machine.read())
        #expect(machine.boot.count == 36 && one.sinceBoot > 0 && two.sinceBoot >= one.sinceBoot)
    }

    private func open(_ fixture: SQLiteFixture, _ machine: MachineClock) async throws -> SQLiteStore {
        let options = SQLiteStore.Options(watching: .init(usesInotify: false, pollMilliseconds: 20), machine: machine)
        return try await SQLiteStore.open(path: fixture.path, options: options)
    }
}
