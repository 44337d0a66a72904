import JSON
import JobQueue
import TestSupport
import Testing

/// A random history of submits, cancels, failures, postponements and rescues, in which the turns of users are counted.
struct TurnHistory {
    /// The largest number of starts of one user between two starts of a user that has ready jobs all the while.
    private static let bound = 2
    private static let users: [Int64] = [1, 2, 3, 4]

    private let harness: StoreHarness
    private var random = SeededRandom()
    private var running: [ClaimedJob] = []
    /// The users with ready jobs, with the number of starts of each other user since their own last one.
    private var waiting: [Int64: [Int64: Int]] = [:]
    private var ready: [Int64: [JobID]] = [:]
    /// The jobs that wait for their time, with their users and these times.
    private var scheduled: [(user: Int64, job: JobID, due: Timestamp)] = []
    private var worker: WorkerID
    private var workers = 0

    init(_ harness: StoreHarness) {
        self.harness = harness
        worker = WorkerID(rawValue: "turns-0")
    }

    mutating func run(rounds: Int) async throws {
        worker = try await harness.worker("turns-\(random.seed)-0")
        for _ in 0..<rounds {
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2: try await submit()
            case 3...6: try await claim()
            case 7...8: try await endRuns()
            case 9...10: try await cancel()
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
            becameReady(user, try await harness.submit(user) { $0.priority = priority }.id)
        }
    }

    /// Cancels some ready jobs of a user.
    private mutating func cancel() async throws {
        guard let user = ready.keys.sorted().randomElement(using: &random) else { return }
        let jobs = (ready[user] ?? []).shuffled(using: &random)
        for job in jobs.prefix(Int.random(in: 1...jobs.count, using: &random)) {
            _ = try await harness.store.cancel(job, of: nil)
            left(user, job)
        }
    }

    private mutating func left(_ user: Int64, _ job: JobID) {
        ready[user]?.removeAll { $0 == job }
        if ready[user]?.isEmpty == true { ready[user] = nil }
        if ready[user] == nil { waiting[user] = nil }
    }

    private mutating func becameReady(_ user: Int64, _ job: JobID) {
        ready[user, default: []].append(job)
        if waiting[user] == nil { waiting[user] = [:] }
    }

    private mutating func claim() async throws {
        let now = harness.clock.now
        for entry in scheduled where entry.due <= now { becameReady(entry.user, entry.job) }
        scheduled.removeAll { $0.due <= now }
        let jobs = try await harness.claim(worker, Int.random(in: 1...6, using: &random))
        for job in jobs { try started(job.user.rawValue, job.lease.job) }
        running += jobs
    }

    private mutating func started(_ user: Int64, _ job: JobID) throws {
        left(user, job)
        if ready[user] != nil { waiting[user] = [:] }
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
                    scheduled.append((job.user.rawValue, job.lease.job, due))
                } else {
                    becameReady(job.user.rawValue, job.lease.job)
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
                becameReady(job.user.rawValue, job.lease.job)
            } else {
                scheduled.append((job.user.rawValue, job.lease.job, harness.clock.now + pause))
            }
        }
    }

    private mutating func passTime() async throws {
        harness.clock.advance(by: .seconds(Int.random(in: 1...35, using: &random)))
    }
}
