import JSON
import JobQueue
import Testing

extension ConformanceSuite {
    /// Current content and the ticks of schedules.
    package static let fleet: [ConformanceCase] = [
        ConformanceCase("the bundle that was adopted last is the current one, for every process") { bench in
            let other = try await bench.fixture.open()
            #expect(try await bench.store.currentBundle() == nil)
            try await bench.store.adopt(bundle: "one", limits: [:])
            try await other.adopt(bundle: "two", limits: [:])
            #expect(try await bench.store.currentBundle() == "two")
        },
        ConformanceCase("a new schedule fires from its next tick on") { bench in
            #expect(try await bench.fire("daily", 0).isRecorded)
            #expect(try await bench.fire("daily", 0).isAlreadyEnqueued)
            let job = try #require(try await bench.fire("daily", 60).submitted)
            #expect(try await bench.job(job.id).user == .system)
            #expect(try await bench.fire("daily", 60).isAlreadyEnqueued)
        },
        ConformanceCase("ticks that were missed fire as one, and an old one never") { bench in
            _ = try await bench.fire("hourly", 0)
            #expect(try await bench.fire("hourly", 7200).submitted != nil)
            #expect(try await bench.fire("hourly", 3600).isAlreadyEnqueued)
            #expect(try await bench.count(of: .system) == 1)
        },
        ConformanceCase("schedules do not know of each other") { bench in
            _ = try await bench.fire("a", 0)
            _ = try await bench.fire("b", 0)
            #expect(try await bench.fire("a", 60).submitted != nil)
            #expect(try await bench.fire("b", 60).submitted != nil)
        },
        ConformanceCase("a hundred workers at once fire a tick once") { bench in
            let handles = [bench.store, try await bench.fixture.open()]
            _ = try await bench.fire("daily", 0)
            for tick in 1...3 {
                let fired = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for place in 0..<100 {
                        group.addTask {
                            try await bench.fire("daily", tick * 60, at: handles[place % 2]).submitted != nil
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(fired == 1)
            }
            #expect(try await bench.count(of: .system) == 3)
        },
        ConformanceCase("a tick whose last job is unfinished makes no second one") { bench in
            _ = try await bench.fire("daily", 0)
            let first = try #require(try await bench.fire("daily", 60, uniqueKey: "daily").submitted)
            let second = try await bench.fire("daily", 120, uniqueKey: "daily")
            guard case .submitted(.existing(let job)) = second else { throw BenchFailure("a second job was made") }
            #expect(job.id == first.id)
            #expect(try await bench.fire("daily", 120, uniqueKey: "daily").isAlreadyEnqueued)
            _ = try await bench.store.cancel(first.id, of: nil)
            #expect(try await bench.fire("daily", 180, uniqueKey: "daily").submitted != nil)
        },
        ConformanceCase("a tick that is refused is not used up") { bench in
            _ = try await bench.fire("daily", 0)
            let refused = try await bench.fire("daily", 60, cost: 1)
            guard case .submitted(.insufficientCredits) = refused else { throw BenchFailure("it was not refused") }
            #expect(try await bench.fire("daily", 60).submitted != nil)
        },
        ConformanceCase("the system's account has the system's number") { bench in
            let system = try await bench.store.account(for: "system")
            #expect(system.id == UserID.system.rawValue)
            let known = try await bench.store.account(id: UserID.system.rawValue)
            #expect(known?.subject == "system")
            let other = try await bench.store.account(for: "-1")
            #expect(other.id > 0)
        },
        ConformanceCase("a healthy store says so, and counts its jobs") { bench in
            let worker = try await bench.worker()
            for _ in 0..<3 { try await bench.limited(fleet: 2) }
            try await bench.submit { $0.runAt = bench.clock.now + .seconds(9) }
            try await bench.submit { $0.concurrencyKey = "k" }
            try await bench.submit { $0.concurrencyKey = "k" }
            _ = try await bench.claimOne(worker)
            let readings = try await bench.store.health()
            #expect(readings.filter { !$0.isGood } == [])
            var counts: [String: Int64] = [:]
            for reading in readings { counts[reading.name] = reading.value }
            #expect(counts["jobs_ready"] == 2 && counts["jobs_scheduled"] == 1 && counts["jobs_waiting"] == 1)
            #expect(counts["jobs_blocked"] == 1 && counts["leases"] == 1 && counts["jobs_lost"] == 0)
            #expect(counts["oldest_unfinished_seconds"] == 0)
        },
        ConformanceCase("jobs that nobody ends in time are an operator's business") { bench in
            try await bench.submit()
            bench.clock.advance(by: .seconds(661))
            let bad = try await bench.store.health().filter { !$0.isGood }
            #expect(bad.map(\.name) == ["jobs_overdue"] && bad.first?.value == 1)
        },
    ]
}

/// Why a case cannot go on.
struct BenchFailure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension Bench {
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
