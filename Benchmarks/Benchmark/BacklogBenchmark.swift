package import JobQueue

/// Measures the slowdown of other users' jobs by a backlog of one user's jobs that cannot run yet.
///
/// The backlog stays unfinished.
package struct BacklogBenchmark: Sendable {
    private static let rounds = 40
    /// The number of jobs with each concurrency key of the backlog.
    private static let jobsPerKey = 100
    private static let holder = WorkerID(rawValue: "benchmark-holder")

    private let store: any JobStore
    private let jobs: Int
    private let backlog: Int

    /// - Parameters:
    ///   - store: The measured store, without unfinished jobs.
    ///   - jobs: The number of life cycles in each round.
    ///   - backlog: The number of jobs that wait for their time, for a concurrency key, or for a permit of their kind.
    package init(store: any JobStore, jobs: Int, backlog: Int = 100_000) {
        self.store = store
        self.jobs = jobs
        self.backlog = backlog
    }

    /// Measures life cycles without and with the backlog, each by the best of several rounds, since other work on the
    /// machine only slows rounds down.
    package func run() async throws(StoreError) -> [Measurement] {
        do {
            return try await BenchmarkJobs.withWorkers(in: store) {
                // A fresh database becomes slower with each job, finished or not, which would be attributed to the
                // backlog. The first rounds bring the tables to their size in use.
                for _ in 0..<max(backlog / jobs, 1) { _ = try await round("warm_up") }
                let alone = try await best("beside_nobody")
                try await submitBacklog()
                let beside = try await best("beside_crowd")
                return [alone, beside]
            }
        } catch {
            throw error as? StoreError ?? .unexpected(reason: "the benchmark was interrupted")
        }
    }

    private func best(_ name: String) async throws -> Measurement {
        var best = try await round(name)
        for _ in 1..<Self.rounds {
            let next = try await round(name)
            best.perSecond = max(best.perSecond ?? 0, next.perSecond ?? 0)
            best.processorMicroseconds = min(best.processorMicroseconds, next.processorMicroseconds)
        }
        return best
    }

    private func round(_ name: String) async throws -> Measurement {
        let watch = Stopwatch()
        async let submitted: Void = BenchmarkJobs.submit(jobs, to: store) { BenchmarkJobs.job($0, cost: 1) }
        try await BenchmarkJobs.claim(jobs, from: store) { try await store.runThrough($0) }
        try await submitted
        return watch.measurement(name, jobs)
    }

    /// Submits the backlog: a third each waits for its time, for a concurrency key and for a permit. A worker claims
    /// those that could run, and does not run them.
    private func submitBacklog() async throws {
        let keys = max(backlog / 3 / Self.jobsPerKey, 1)
        try await BenchmarkJobs.submit(backlog, to: store) { index in
            var job = BenchmarkJobs.job(0, cost: 0)
            job.user = UserID(rawValue: 1)
            switch index % 3 {
            case 0: job.runAt = job.deadline + .seconds(-1)
            case 1: job.concurrencyKey = "line \(index / 3 % keys)"
            default:
                job.kind = "limited"
                job.limits = ConcurrencyLimits(perUser: 1)
            }
            return job
        }
        try await store.register(
            WorkerRegistration(id: Self.holder, host: "benchmark", processID: 1, concurrency: keys + 1))
        _ = try await store.claim(for: Self.holder, upTo: [.background: keys + 1])
    }
}
