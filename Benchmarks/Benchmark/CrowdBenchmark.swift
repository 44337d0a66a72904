package import JobQueue

/// Measures how much one user's jobs that cannot run yet slow down everybody else's.
///
/// It leaves these jobs unfinished.
package struct CrowdBenchmark: Sendable {
    private static let rounds = 40
    /// Jobs behind each serial key of the crowd.
    private static let line = 100
    private static let holder = WorkerID(rawValue: "benchmark-holder")

    private let store: any JobStore
    private let jobs: Int
    private let crowd: Int

    /// - Parameters:
    ///   - store: What is measured; no unfinished jobs of others may be in it.
    ///   - jobs: How many life cycles each round has.
    ///   - crowd: How many jobs wait: for their time, behind a serial key, or for a slot of their kind.
    package init(store: any JobStore, jobs: Int, crowd: Int = 100_000) {
        self.store = store
        self.jobs = jobs
        self.crowd = crowd
    }

    /// Life cycles of others, before and after the crowd came: of each the best round of several, since whatever else
    /// runs on the machine only makes rounds slower.
    package func run() async throws(StoreError) -> [Measurement] {
        do {
            return try await BenchmarkJobs.withWorkers(in: store) {
                // Makes the tables what they are in a database that is in use. In a fresh one everything becomes slower
                // with each job, finished or not, which would be taken for the crowd's doing.
                for _ in 0..<max(crowd / jobs, 1) { _ = try await round("warm_up") }
                let alone = try await best("beside_nobody")
                try await gather()
                let beside = try await best("beside_crowd")
                return [alone, beside]
            }
        } catch {
            throw error as? StoreError ?? .unexpected(reason: "the benchmark broke off")
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

    /// A third each waits for its time, behind a serial key, and for a slot of a kind; what could run of them is in the
    /// hands of a worker that does nothing about it.
    private func gather() async throws {
        let lines = max(crowd / 3 / Self.line, 1)
        try await BenchmarkJobs.submit(crowd, to: store) { place in
            var job = BenchmarkJobs.job(0, cost: 0)
            job.user = UserID(rawValue: 1)
            switch place % 3 {
            case 0: job.runAt = job.deadline + .seconds(-1)
            case 1: job.concurrencyKey = "line \(place / 3 % lines)"
            default:
                job.kind = "limited"
                job.limits = ConcurrencyLimits(perUser: 1)
            }
            return job
        }
        try await store.register(
            WorkerRegistration(id: Self.holder, host: "benchmark", processID: 1, concurrency: lines + 1))
        _ = try await store.claim(for: Self.holder, upTo: [.background: lines + 1])
    }
}
