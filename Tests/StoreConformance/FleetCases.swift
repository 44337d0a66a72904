import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Current content and the ticks of schedules.
    package static let fleet: [ConformanceCase] = [
        ConformanceCase("the bundle that was adopted last is the current one, for every process") { harness in
            let other = try await harness.fixture.open()
            #expect(try await harness.store.currentBundle() == nil)
            try await harness.store.adopt(bundle: "one", limits: [:])
            try await other.adopt(bundle: "two", limits: [:])
            #expect(try await harness.store.currentBundle() == "two")
        },
        ConformanceCase("a new schedule fires from its next tick on") { harness in
            #expect(try await harness.fire("daily", 0).isRecorded)
            #expect(try await harness.fire("daily", 0).isAlreadyEnqueued)
            let job = try #require(try await harness.fire("daily", 60).submitted)
            #expect(try await harness.job(job.id).user == .system)
            #expect(try await harness.fire("daily", 60).isAlreadyEnqueued)
        },
        ConformanceCase("ticks that were missed fire as one, and an old one never") { harness in
            _ = try await harness.fire("hourly", 0)
            #expect(try await harness.fire("hourly", 7200).submitted != nil)
            #expect(try await harness.fire("hourly", 3600).isAlreadyEnqueued)
            #expect(try await harness.count(of: .system) == 1)
        },
        ConformanceCase("schedules do not know of each other") { harness in
            _ = try await harness.fire("a", 0)
            _ = try await harness.fire("b", 0)
            #expect(try await harness.fire("a", 60).submitted != nil)
            #expect(try await harness.fire("b", 60).submitted != nil)
        },
        ConformanceCase("a hundred workers at once fire a tick once") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            _ = try await harness.fire("daily", 0)
            for tick in 1...3 {
                let fired = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for place in 0..<100 {
                        group.addTask {
                            try await harness.fire("daily", tick * 60, at: handles[place % 2]).submitted != nil
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(fired == 1)
            }
            #expect(try await harness.count(of: .system) == 3)
        },
        ConformanceCase("a tick whose last job is unfinished makes no second one") { harness in
            _ = try await harness.fire("daily", 0)
            let first = try #require(try await harness.fire("daily", 60, uniqueKey: "daily").submitted)
            let second = try await harness.fire("daily", 120, uniqueKey: "daily")
            guard case .submitted(.existing(let job)) = second else { throw BenchFailure("a second job was made") }
            #expect(job.id == first.id)
            #expect(try await harness.fire("daily", 120, uniqueKey: "daily").isAlreadyEnqueued)
            _ = try await harness.store.cancel(first.id, of: nil)
            #expect(try await harness.fire("daily", 180, uniqueKey: "daily").submitted != nil)
        },
        ConformanceCase("a tick that is refused is not used up") { harness in
            _ = try await harness.fire("daily", 0)
            let refused = try await harness.fire("daily", 60, cost: 1)
            guard case .submitted(.insufficientCredits) = refused else { throw BenchFailure("it was not refused") }
            #expect(try await harness.fire("daily", 60).submitted != nil)
        },
        ConformanceCase("the system's account has the system's number") { harness in
            let system = try await harness.store.account(for: "system")
            #expect(system.id == UserID.system)
            let known = try await harness.store.account(id: .system)
            #expect(known?.subject == "system")
            let other = try await harness.store.account(for: "-1")
            #expect(other.id > 0)
        },
        ConformanceCase("a healthy store says so, and counts its jobs") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { try await harness.limited(fleet: 2) }
            try await harness.submit { $0.runAt = harness.clock.now + .seconds(9) }
            try await harness.submit { $0.concurrencyKey = "k" }
            try await harness.submit { $0.concurrencyKey = "k" }
            _ = try await harness.claimOne(worker)
            let readings = try await harness.store.health()
            #expect(readings.filter { !$0.isGood } == [])
            var counts: [String: Int64] = [:]
            for reading in readings { counts[reading.name] = reading.value }
            #expect(counts["jobs_ready"] == 2 && counts["jobs_scheduled"] == 1 && counts["jobs_waiting"] == 1)
            #expect(counts["jobs_blocked"] == 1 && counts["leases"] == 1 && counts["jobs_lost"] == 0)
            #expect(counts["oldest_unfinished_seconds"] == 0)
        },
        ConformanceCase("jobs that nobody ends in time are an operator's business") { harness in
            try await harness.submit()
            harness.clock.advance(by: .seconds(661))
            let bad = try await harness.store.health().filter { !$0.isGood }
            #expect(bad.map(\.name) == ["jobs_overdue"] && bad.first?.value == 1)
        },
    ]
}

/// Why a case cannot go on.
struct BenchFailure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension StoreHarness {
    /// Fires a schedule's tick, so many seconds after the start.
    func fire(
        _ schedule: String, _ seconds: Int, cost: Int = 0, uniqueKey: String? = nil, at store: (any DossierStore)? = nil
    ) async throws -> ScheduledRunOutcome {
        let timestamp = Timestamp(milliseconds: 1_800_000_000_000 + Int64(seconds) * 1000)
        let job = job(UserID.system.rawValue, cost: cost) { job in
            job.uniqueKey = uniqueKey
            job.startingCredits = 0
        }
        return try await (store ?? self.store).enqueueScheduledRun(
            ScheduledRun(schedule: schedule, timestamp: timestamp), submitting: job)
    }

    func count(of user: UserID) async throws -> Int { try await store.jobs(JobListQuery(user: user)).total }
}

extension ScheduledRunOutcome {
    var isRecorded: Bool {
        if case .recorded = self { true } else { false }
    }

    var isAlreadyEnqueued: Bool {
        if case .alreadyEnqueued = self { true } else { false }
    }

    var submitted: Job? {
        if case .submitted(let submission) = self { submission.accepted } else { nil }
    }
}
