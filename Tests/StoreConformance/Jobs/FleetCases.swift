import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// The current bundle and the runs of schedules.
    package static let fleet: [ConformanceCase] = [
        ConformanceCase("the bundle that was adopted last is the current one in every process") { harness in
            let other = try await harness.fixture.open()
            #expect(try await harness.store.currentBundle() == nil)
            try await harness.store.adopt(bundle: "one", limits: [:])
            try await other.adopt(bundle: "two", limits: [:])
            #expect(try await harness.store.currentBundle() == "two")
        },
        ConformanceCase("a new schedule is recorded first and enqueued from its next run on") { harness in
            #expect(try await harness.enqueueRun("daily", 0).isRecorded)
            #expect(try await harness.enqueueRun("daily", 0).isAlreadyEnqueued)
            let job = try #require(try await harness.enqueueRun("daily", 60).submitted)
            #expect(try await harness.job(job.id).user == .system)
            #expect(try await harness.enqueueRun("daily", 60).isAlreadyEnqueued)
        },
        ConformanceCase("missed runs are enqueued as one, and an old run never") { harness in
            _ = try await harness.enqueueRun("hourly", 0)
            #expect(try await harness.enqueueRun("hourly", 7200).submitted != nil)
            #expect(try await harness.enqueueRun("hourly", 3600).isAlreadyEnqueued)
            #expect(try await harness.count(of: .system) == 1)
        },
        ConformanceCase("schedules are independent of each other") { harness in
            _ = try await harness.enqueueRun("a", 0)
            _ = try await harness.enqueueRun("b", 0)
            #expect(try await harness.enqueueRun("a", 60).submitted != nil)
            #expect(try await harness.enqueueRun("b", 60).submitted != nil)
        },
        ConformanceCase("a hundred concurrent workers enqueue a run once") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            _ = try await harness.enqueueRun("daily", 0)
            for run in 1...3 {
                let enqueued = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for place in 0..<100 {
                        group.addTask {
                            try await harness.enqueueRun("daily", run * 60, at: handles[place % 2]).submitted != nil
                        }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(enqueued == 1)
            }
            #expect(try await harness.count(of: .system) == 3)
        },
        ConformanceCase("a run does not enqueue a second job while the last one is unfinished") { harness in
            _ = try await harness.enqueueRun("daily", 0)
            let first = try #require(try await harness.enqueueRun("daily", 60, uniqueKey: "daily").submitted)
            let second = try await harness.enqueueRun("daily", 120, uniqueKey: "daily")
            guard case .submitted(.existing(let job)) = second else { throw HarnessFailure("a second job was made") }
            #expect(job.id == first.id)
            #expect(try await harness.enqueueRun("daily", 120, uniqueKey: "daily").isAlreadyEnqueued)
            _ = try await harness.store.cancel(first.id, of: nil)
            #expect(try await harness.enqueueRun("daily", 180, uniqueKey: "daily").submitted != nil)
        },
        ConformanceCase("a refused run can be enqueued later") { harness in
            _ = try await harness.enqueueRun("daily", 0)
            let refused = try await harness.enqueueRun("daily", 60, cost: 1)
            guard case .submitted(.insufficientCredits) = refused else { throw HarnessFailure("it was not refused") }
            #expect(try await harness.enqueueRun("daily", 60).submitted != nil)
        },
        ConformanceCase("the account of the system has the system's number") { harness in
            let system = try await harness.store.account(for: "system")
            #expect(system.id == UserID.system)
            let known = try await harness.store.account(id: .system)
            #expect(known?.subject == "system")
            let other = try await harness.store.account(for: "-1")
            #expect(other.id > 0)
        },
        ConformanceCase("a healthy store reports its state and counts its jobs") { harness in
            let worker = try await harness.worker()
            for _ in 0..<3 { try await harness.limited(fleet: 2) }
            try await harness.submit { $0.runAt = harness.clock.now + .seconds(9) }
            try await harness.submit { $0.concurrencyKey = "k" }
            try await harness.submit { $0.concurrencyKey = "k" }
            _ = try await harness.claimOne(worker)
            let readings = try await harness.store.health()
            #expect(try await harness.badReadings().isEmpty)
            var counts: [String: Int64] = [:]
            for reading in readings { counts[reading.name] = reading.value }
            #expect(counts["jobs_ready"] == 2 && counts["jobs_scheduled"] == 1 && counts["jobs_waiting"] == 1)
            #expect(counts["jobs_blocked"] == 1 && counts["leases"] == 1 && counts["jobs_lost"] == 0)
            #expect(counts["oldest_unfinished_seconds"] == 0)
        },
        ConformanceCase("jobs that are not ended in time are reported to the operator") { harness in
            _ = try await harness.worker()
            try await harness.submit()
            harness.clock.advance(by: .seconds(661))
            let bad = try await harness.badReadings()
            #expect(bad.map(\.name) == ["jobs_overdue"] && bad.first?.value == 1)
        },
    ]
}

/// The reason why a case cannot continue.
struct HarnessFailure: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension StoreHarness {
    /// Enqueues the run of a schedule a number of seconds after the start.
    func enqueueRun(
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

extension ConformanceSuite {
    /// Shared budgets at model providers.
    package static let budgets: [ConformanceCase] = [
        ConformanceCase("a call that began at one process is counted at another") { harness in
            let other = try await harness.fixture.open()
            let mark = try #require(try await harness.begin(1, input: 100, of: nil).mark)
            let reading = LimitReading([.input: .init(limit: 60_000, remaining: 59_900, fullIn: .milliseconds(100))])
            _ = try await harness.begin(0, input: 0, of: nil, reports: [.head(reading, mark)])
            #expect(try await harness.begin(16, input: 3000, of: nil).granted == 16)
            let second = try await harness.begin(1, input: 20_000, of: nil, as: "other", at: other)
            #expect(second.granted == 0 && second.wait > .seconds(5))
            // The first process is dead: its loan returns.
            harness.clock.advance(by: .seconds(5))
            #expect(try await harness.begin(1, input: 20_000, of: nil, as: "other", at: other).granted == 1)
        },
        ConformanceCase("a call that was not made is available again") { harness in
            let grant = try await harness.begin(1, input: 4500, of: 60_000)
            let mark = try #require(grant.mark)
            #expect(try await harness.begin(1, input: 4500, of: 60_000).granted == 0)
            let back = BudgetReport.returned(BudgetAmount(requests: 1, input: 4500), mark)
            #expect(try await harness.begin(1, input: 4500, of: 60_000, reports: [back]).granted == 1)
        },
        ConformanceCase("what a head tells one process holds for every process") { harness in
            let other = try await harness.fixture.open()
            let first = try await harness.begin(1, input: 100, of: nil)
            let mark = try #require(first.mark)
            let reading = LimitReading([
                .requests: .init(limit: 1000, remaining: 999, fullIn: .milliseconds(60)),
                .input: .init(limit: 60_000, remaining: 2000, fullIn: .seconds(58)),
            ])
            _ = try await harness.begin(0, input: 0, of: nil, reports: [.head(reading, mark)])
            let large = try await harness.begin(1, input: 9000, of: nil, as: "other", at: other)
            #expect(large.granted == 0 && large.wait > .seconds(6) && large.tellsLimits == true)
            #expect(try await harness.begin(1, input: 500, of: nil, as: "other", at: other).granted == 1)
        },
        ConformanceCase("a refusal reaches every process with its next request, and ends") { harness in
            let other = try await harness.fixture.open()
            let refused = BudgetReport.refused(after: .seconds(20), LimitReading())
            _ = try await harness.begin(0, input: 0, of: nil, reports: [refused])
            let blocked = try await harness.begin(1, input: 1, of: nil, as: "other", at: other)
            #expect(blocked.granted == 0 && blocked.blockedFor == .seconds(20))
            #expect(try await harness.begin(1, input: 1, of: nil, budget: "claude/haiku", at: other).granted == 1)
            harness.clock.advance(by: .seconds(20))
            #expect(try await harness.begin(1, input: 1, of: nil, as: "other", at: other).granted == 1)
        },
        ConformanceCase("an open circuit breaker is known to every process until it closes") { harness in
            let other = try await harness.fixture.open()
            func report(_ event: BreakerReport.Event, at store: any BudgetStore) async throws -> BudgetReply {
                var request = BudgetRequest(budget: "claude/sonnet", limits: BudgetLimits())
                request.breakers = [BreakerReport(.model("sonnet"), event)]
                let replies = try await store.exchange([request])
                return try #require(replies.first)
            }
            let opened = try await report(.opened, at: harness.store).openings
            #expect(opened.map(\.scope) == [.model("sonnet")] && opened.map(\.length) == [.seconds(30)])
            let known = try await harness.begin(1, input: 1, of: nil, at: other).openings
            #expect(known.map(\.scope) == [.model("sonnet")])
            let haiku = try await harness.begin(1, input: 1, of: nil, budget: "claude/haiku")
            #expect(haiku.openings.isEmpty)
            let early = try await report(.wantsProbe, at: other)
            #expect(early.probes.isEmpty)
            harness.clock.advance(by: .seconds(30))
            let first = try await report(.wantsProbe, at: other)
            let second = try await report(.wantsProbe, at: harness.store)
            #expect(first.probes == [.model("sonnet")] && second.probes.isEmpty)
            let closed = try await report(.closed, at: other)
            #expect(closed.openings.isEmpty)
            let last = try await harness.begin(1, input: 1, of: nil)
            #expect(last.openings.isEmpty)
        },
        ConformanceCase("requests for several budgets are answered in order") { harness in
            let orders = ["b", "a", "c"].map { name in
                BudgetRequest(
                    budget: name, limits: BudgetLimits(inputTokensPerMinute: name == "a" ? 12 : 60_000),
                    holder: BudgetHolder(id: "x"),
                    calls: Array(repeating: CallNeed(input: 1, output: 1, isInteractive: true), count: 2))
            }
            _ = try await harness.store.exchange([orders[1]])
            let replies = try await harness.store.exchange(orders)
            #expect(replies.map(\.granted) == [2, 0, 2])
        },
        ConformanceCase("many processes together get no more than the limit") { harness in
            let handles = [harness.store, try await harness.fixture.open()]
            let granted = try await withThrowingTaskGroup(of: Int.self) { group in
                for place in 0..<200 {
                    group.addTask {
                        try await harness.begin(1, input: 1000, of: 120_000, as: "p\(place)", at: handles[place % 2])
                            .granted
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 }
            }
            // The bucket holds the tokens of five seconds, less those of a quarter of a second.
            #expect(granted == 9)
        },
    ]
}

extension StoreHarness {
    /// Asks for interactive calls under a ceiling of input tokens a minute.
    func begin(
        _ count: Int, input: Int64, of limit: Int64?, as holder: String = "a", budget: String = "claude/sonnet",
        reports: [BudgetReport] = [], at store: (any DossierStore)? = nil
    ) async throws -> BudgetReply {
        let request = BudgetRequest(
            budget: budget, limits: BudgetLimits(inputTokensPerMinute: limit), holder: BudgetHolder(id: holder),
            calls: Array(repeating: CallNeed(input: input, output: 10, isInteractive: true), count: count),
            reports: reports)
        let reply = try await (store ?? self.store).exchange([request]).first
        return try #require(reply)
    }
}
