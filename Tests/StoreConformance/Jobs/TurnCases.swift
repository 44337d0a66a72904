import JSON
import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// The turns of users, whatever became of their jobs' earlier runs.
    package static let turns: [ConformanceCase] = [
        ConformanceCase("a user's jobs that return from an outage do not go before another user's job") { harness in
            let worker = try await harness.worker()
            for _ in 0..<60 { try await harness.submit(1) }
            for claimed in try await harness.claim(worker, 60) {
                try await harness.store.fail(claimed.lease, with: StoreHarness.retry(after: .seconds(30)))
            }
            harness.clock.advance(by: .seconds(31))
            // Makes the due jobs ready, and takes none.
            #expect(try await harness.claim(worker, 0).isEmpty)
            try await harness.submit(2)
            let users = try await harness.claim(worker, 3).map(\.user.rawValue)
            #expect(users.contains(2), "\(users)")
        },
        ConformanceCase("returned jobs of several users are claimed in turn") { harness in
            let worker = try await harness.worker("dying")
            for user in 1...3 { for _ in 0..<20 { try await harness.submit(Int64(user)) } }
            #expect(try await harness.claim(worker, 60).count == 60)
            #expect(try await harness.rescue(worker).requeued.count == 60)
            let users = try await harness.claim(try await harness.worker("living"), 30).map(\.user.rawValue)
            for user in 1...3 { #expect((9...11).contains(users.filter { $0 == user }.count), "\(users)") }
        },
        ConformanceCase("a returned job is claimed before the later jobs of its user") { harness in
            let worker = try await harness.worker()
            let first = try await harness.submit(1).id
            let lease = try await harness.claimOne(worker).lease
            for _ in 0..<20 { try await harness.submit(1) }
            try await harness.store.snooze([lease], after: .zero)
            #expect(try await harness.claimOne(worker).lease.job == first)
        },
        ConformanceCase("between two starts of a waiting user no other user starts more than two jobs") { harness in
            for _ in 0..<4 {
                var history = TurnHistory(harness)
                try await history.run(rounds: 60)
            }
        },
    ]
}

/// A random history of submits, failures, postponements and rescues, in which the turns of users are counted.
private struct TurnHistory {
    /// The largest number of starts of one user between two starts of a user that has ready jobs all the while.
    private static let bound = 2
    private static let users: [Int64] = [1, 2, 3, 4]

    private let harness: StoreHarness
    private var random = SeededRandom()
    private var running: [ClaimedJob] = []
    /// The users with ready jobs, with the number of starts of each other user since their own last one.
    private var waiting: [Int64: [Int64: Int]] = [:]
    private var ready: [Int64: Int] = [:]
    /// The users of jobs that wait for their time, with these times.
    private var scheduled: [(user: Int64, due: Timestamp)] = []
    private var worker: WorkerID
    private var workers = 0

    init(_ harness: StoreHarness) {
        self.harness = harness
        worker = WorkerID(rawValue: "turns-0")
    }

    mutating func run(rounds: Int) async throws {
        worker = try await harness.worker("turns-\(random.seed)-0")
        for _ in 0..<rounds {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: try await submit()
            case 3...6: try await claim()
            case 7...8: try await endRuns()
            default: try await passTime()
            }
        }
        // Nothing may be left to the next history.
        while !ready.isEmpty || !scheduled.isEmpty || !running.isEmpty {
            harness.clock.advance(by: .seconds(40))
            try await claim()
            for job in running { try await harness.store.complete(job.lease, with: 1, effects: []) }
            running = []
        }
    }

    private mutating func submit() async throws {
        let user = Self.users.randomElement(using: &random) ?? 1
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let priority = Int.random(in: 0...1, using: &random)
            try await harness.submit(user) { $0.priority = priority }
            becameReady(user)
        }
    }

    private mutating func becameReady(_ user: Int64) {
        ready[user, default: 0] += 1
        if waiting[user] == nil { waiting[user] = [:] }
    }

    private mutating func claim() async throws {
        let now = harness.clock.now
        for entry in scheduled where entry.due <= now { becameReady(entry.user) }
        scheduled.removeAll { $0.due <= now }
        let jobs = try await harness.claim(worker, Int.random(in: 1...6, using: &random))
        for job in jobs { try started(job.user.rawValue) }
        running += jobs
    }

    private mutating func started(_ user: Int64) throws {
        ready[user, default: 0] -= 1
        waiting[user] = ready[user] == 0 ? nil : [:]
        if ready[user] == 0 { ready[user] = nil }
        for other in waiting.keys where other != user {
            waiting[other]?[user, default: 0] += 1
            let starts = waiting[other]?[user] ?? 0
            if starts > Self.bound {
                throw Mismatch(
                    "user \(user) started \(starts) jobs while user \(other) waited (seed \(random.seed))")
            }
        }
    }

    /// Ends some runs by failures, postponements and completions, or all by the worker's death.
    private mutating func endRuns() async throws {
        if Int.random(in: 0..<4, using: &random) == 0 {
            let beat = try #require(try await harness.store.heartbeats().first { $0.worker == worker })
            let rescue = try await harness.store.rescue(beat)
            for job in running where rescue.requeued.contains(job.lease.job) {
                let block = try await harness.job(job.lease.job).blockedBy
                if case .notBefore(let due) = block {
                    scheduled.append((job.user.rawValue, due))
                } else {
                    becameReady(job.user.rawValue)
                }
            }
            running = []
            workers += 1
            worker = try await harness.worker("turns-\(random.seed)-\(workers)")
            return
        }
        running.shuffle(using: &random)
        for job in running.prefix(Int.random(in: 0...running.count, using: &random)) {
            let pause = Duration.seconds([0, 0, 5, 30].randomElement(using: &random) ?? 0)
            let end = Int.random(in: 0..<3, using: &random)
            switch end {
            case 0: try await harness.store.fail(job.lease, with: StoreHarness.retry(after: pause))
            case 1: try await harness.store.snooze([job.lease], after: pause)
            default: try await harness.store.complete(job.lease, with: 1, effects: [])
            }
            running.removeAll { $0.lease == job.lease }
            if end == 2 { continue }
            if pause == .zero {
                becameReady(job.user.rawValue)
            } else {
                scheduled.append((job.user.rawValue, harness.clock.now + pause))
            }
        }
    }

    private mutating func passTime() async throws {
        harness.clock.advance(by: .seconds(Int.random(in: 1...35, using: &random)))
    }
}
