internal import Glibc
internal import JSON
internal import JobQueue
internal import Synchronization

/// The jobs and workers that benchmarks use.
enum BenchmarkJobs {
    static let users = 1000
    /// The number of tasks that submit at the same time.
    static let clients = 200
    /// Workers that claim at the same time.
    static let workers = (0..<4).map { WorkerID(rawValue: "benchmark-\($0)") }
    /// The number of jobs in one claim.
    static let claimed = 50
    /// The approximate number of jobs that all workers run together.
    static let concurrency = 2000

    private static let firstUser: Int64 = 1_000_000

    /// The user of the job with an index, so that users take turns.
    static func user(_ index: Int) -> UserID { UserID(rawValue: firstUser + Int64(index % users)) }

    /// The new job with an index. Times come from the machine's clock, since a query for the store's time would be part
    /// of the measurement.
    static func job(_ index: Int, cost: Int) -> NewJob {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let now = Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        var generator = SystemRandomNumberGenerator()
        return NewJob(
            id: JobID(at: now, using: &generator), user: user(index), kind: "benchmark", input: ["ticker": "AAPL"],
            bundle: "benchmark", cost: cost, deadline: now + .seconds(3600), startingCredits: 1_000_000)
    }

    /// Submits a number of jobs by many tasks at the same time.
    static func submit(_ count: Int, to store: any JobStore, make: @escaping @Sendable (Int) -> NewJob) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<clients {
                group.addTask {
                    for index in stride(from: client, to: count, by: clients) {
                        _ = try await store.submit(make(index))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Lets all workers claim until a number of jobs was claimed, and runs each job in a task of its own.
    static func claim(
        _ count: Int, from store: any JobStore, run: @escaping @Sendable (ClaimedJob) async throws -> Void
    ) async throws {
        let (batches, claimed) = AsyncStream<[ClaimedJob]>.makeStream()
        let running = Counter()
        try await withThrowingTaskGroup(of: Void.self) { claims in
            for worker in workers {
                claims.addTask {
                    defer { claimed.finish() }
                    var signals = store.changes(.ready).makeAsyncIterator()
                    while !Task.isCancelled {
                        if running.value >= concurrency {
                            try? await Task.sleep(for: .milliseconds(1))
                            continue
                        }
                        let batch = try await store.claim(for: worker, upTo: [.background: Self.claimed]).jobs
                        running.add(batch.count)
                        if batch.isEmpty { _ = await signals.next() } else { claimed.yield(batch) }
                    }
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { runs in
                var done = 0
                for await batch in batches {
                    for job in batch {
                        runs.addTask {
                            try await run(job)
                            running.add(-1)
                        }
                    }
                    done += batch.count
                    if done >= count { break }
                }
                try await runs.waitForAll()
            }
            claims.cancelAll()
            try await claims.waitForAll()
        }
    }

    /// Registers the workers while the body runs.
    static func withWorkers<Value>(
        in store: any JobStore, _ body: () async throws -> Value
    ) async throws -> Value {
        for worker in workers {
            try await store.register(
                WorkerRegistration(id: worker, host: "benchmark", processID: 1, concurrency: 1000))
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        for worker in workers { try await store.deregister(worker) }
        return try result.get()
    }
}

extension JobStore {
    /// Takes a claimed job to its result, without any work.
    func runThrough(_ job: ClaimedJob) async throws {
        try await report([ProgressReport(lease: job.lease, progress: 30, currentStep: "draft")])
        for name in ["gather", "draft"] {
            let step = Step(name: name, occurrence: 0, inputHash: "h", output: [:])
            _ = try await append(step, replacingFrom: nil, effects: [], under: job.lease)
        }
        try await complete(job.lease, with: [:], effects: [])
    }
}

/// A number that many tasks change.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add(_ number: Int) { count.withLock { $0 += number } }
}
