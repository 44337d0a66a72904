import JobQueue
import PostgresTesting
import Testing

@testable import PostgresStore
@testable import StoreConformance

/// Steps of the database server's clock.
@Suite struct ClockGuardTests {
    private let start = ContinuousClock.now
    private let wall = Timestamp(milliseconds: 1_000_000_000)

    @Test func anEvenClockIsFollowed() {
        var clock = ClockGuard()
        for second in 0..<100 {
            let now = start + .seconds(second)
            // It runs fast by a percent.
            let read = wall + .milliseconds(second * 1010)
            #expect(clock.observe(read, at: now, wall: wall + .seconds(second)) == nil)
            #expect(clock.latest(at: now, wall: wall) == read + ClockGuard.tolerance)
        }
    }

    @Test func aForwardStepIsBelievedAfterTenEvenMinutesOnly() {
        var clock = ClockGuard()
        _ = clock.observe(wall, at: start, wall: wall)
        var steps: [Duration] = []
        for second in 1..<600 {
            let now = start + .seconds(second)
            let read = wall + .seconds(7200 + second)
            if let step = clock.observe(read, at: now, wall: wall) { steps.append(step) }
            #expect(clock.latest(at: now, wall: wall) <= wall + .seconds(second) + ClockGuard.tolerance)
        }
        #expect(steps == [.seconds(7200)], "it is told once")
        _ = clock.observe(wall + .seconds(7200 + 601), at: start + .seconds(601), wall: wall)
        #expect(clock.latest(at: start + .seconds(601), wall: wall) >= wall + .seconds(7200 + 601))
    }

    @Test func aStepThatIsTakenBackChangesNothing() {
        var clock = ClockGuard()
        _ = clock.observe(wall, at: start, wall: wall)
        _ = clock.observe(wall + .seconds(7201), at: start + .seconds(1), wall: wall)
        #expect(clock.observe(wall + .seconds(2), at: start + .seconds(2), wall: wall) == nil)
        #expect(clock.latest(at: start + .seconds(2), wall: wall) == wall + .seconds(2) + ClockGuard.tolerance)
        #expect(clock.observe(wall + .seconds(7203), at: start + .seconds(3), wall: wall) != nil, "it is another step")
    }

    @Test func aProcessThatStartsAfterAStepTrustsItsOwnClockToo() {
        var clock = ClockGuard()
        #expect(clock.observe(wall + .seconds(7200), at: start, wall: wall) != nil)
        #expect(clock.latest(at: start, wall: wall) == wall + ClockGuard.tolerance)
    }

    /// Two hours forward, for all jobs in flight: none ends, and a deadline that really passed still counts.
    @Test func noJobInFlightEndsWhenTheServersClockSteps() async throws {
        let fixture = try await PostgresFixture()
        let store = try await PostgresStore.open(
            try PostgresURL(fixture.database.url), options: PostgresFixture.options)
        let harness = StoreHarness(store: store, clock: fixture.clock, fixture: fixture)
        let now = try await store.now()
        let long = harness.job { $0.deadline = now + .seconds(3600) }
        let short = harness.job(2) { $0.deadline = now + .milliseconds(1) }
        for job in [long, short] { _ = try await store.submit(job) }
        var events = store.events().makeAsyncIterator()
        try await fixture.database.sql(
            """
            CREATE OR REPLACE FUNCTION store_now() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE
            AS $$ SELECT floor(extract(EPOCH FROM clock_timestamp()) * 1000)::bigint + 7200000 $$
            """)
        var expired: [JobID] = []
        // The tolerance of the guard is two seconds.
        while expired.isEmpty {
            expired += try await store.expire(limit: 10)
            _ = try await fixture.database.sql("SELECT pg_sleep(0.2)")
        }
        for _ in 0..<3 { expired += try await store.expire(limit: 10) }
        #expect(expired == [short.id])
        #expect(try await harness.job(long.id).status == .pending)
        guard case .clockStepped(let step) = await events.next() else {
            throw HarnessFailure("nobody told of the step")
        }
        #expect(step > .seconds(7000))
        await store.close()
        await fixture.remove()
    }
}
