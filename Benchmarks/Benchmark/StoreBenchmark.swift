internal import JSON
package import JobQueue

/// Measures the operations that a broker and workers need, from one process with many tasks.
///
/// It claims every ready job, so the store must have no unfinished jobs. It leaves finished jobs of users from number
/// 1,000,000 on.
package struct StoreBenchmark: Sendable {
    package enum Part: String, Sendable, CaseIterable {
        case lifeCycle = "life_cycle"
        case submit
        case claimComplete = "claim_complete"
        case pickup
        case pickupElsewhere = "pickup_elsewhere"
        case poll
    }

    /// The number of jobs whose time from submit to claim is measured.
    private static let pickups = 1000

    private let store: any JobStore
    private let other: any JobStore
    private let jobs: Int

    /// - Parameters:
    ///   - store: The measured store.
    ///   - other: A second store of the same database, as in another process, for the worker of `pickupElsewhere`.
    ///   - jobs: The number of jobs in each part.
    package init(store: any JobStore, other: any JobStore, jobs: Int) {
        self.store = store
        self.other = other
        self.jobs = jobs
    }

    /// Measures one part; its preparation is outside the measurement.
    package func run(_ part: Part) async throws(StoreError) -> Measurement {
        do {
            return try await BenchmarkJobs.withWorkers(in: store) { try await measure(part) }
        } catch {
            throw error as? StoreError ?? .unexpected(reason: "the benchmark was interrupted")
        }
    }

    private func measure(_ part: Part) async throws -> Measurement {
        switch part {
        case .lifeCycle:
            let watch = Stopwatch()
            async let submitted: Void = submitAll(cost: 1)
            try await BenchmarkJobs.claim(jobs, from: store) { try await store.runThrough($0) }
            try await submitted
            return watch.measurement(part.rawValue, jobs)
        case .submit:
            let watch = Stopwatch()
            try await submitAll(cost: 1)
            let measurement = watch.measurement(part.rawValue, jobs)
            try await completeAll()
            return measurement
        case .claimComplete:
            try await submitAll(cost: 0)
            let watch = Stopwatch()
            try await completeAll()
            return watch.measurement(part.rawValue, jobs)
        case .pickup: return try await pickup(part, by: store)
        case .pickupElsewhere: return try await pickup(part, by: other)
        case .poll: return try await poll()
        }
    }

    private func submitAll(cost: Int) async throws {
        try await BenchmarkJobs.submit(jobs, to: store) { BenchmarkJobs.job($0, cost: cost) }
    }

    private func completeAll() async throws {
        try await BenchmarkJobs.claim(jobs, from: store) { try await store.complete($0.lease, with: [:], effects: []) }
    }

    /// Measures the time from the call of a submit to its claim by an idle worker.
    private func pickup(_ part: Part, by workers: any JobStore) async throws -> Measurement {
        var times: [Duration] = []
        let watch = Stopwatch()
        for index in 0..<Self.pickups {
            let worker = IdleWorker(BenchmarkJobs.workers[0], on: workers)
            let start = ContinuousClock.now
            async let submitted = store.submit(BenchmarkJobs.job(index, cost: 0))
            let claimed = try await worker.jobs()
            times.append(ContinuousClock.now - start)
            _ = try await submitted
            for job in claimed { try await workers.complete(job.lease, with: [:], effects: []) }
        }
        return watch.measurement(part.rawValue, Self.pickups, times: times)
    }

    private func poll() async throws -> Measurement {
        let (user, count) = (BenchmarkJobs.user(0), jobs * 4)
        for index in 0..<100 {
            _ = try await store.submit(BenchmarkJobs.job(index * BenchmarkJobs.users, cost: 0))
        }
        let ids = try await store.jobs(JobListQuery(user: user, perPage: 100)).jobs.map(\.id)
        guard !ids.isEmpty else { throw StoreError.unexpected(reason: "the jobs to poll are missing") }
        let watch = Stopwatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<64 {
                group.addTask {
                    for round in stride(from: client, to: count, by: 64) {
                        _ = try await store.job(ids[round % ids.count], of: user)
                    }
                }
            }
            try await group.waitForAll()
        }
        let measurement = watch.measurement(Part.poll.rawValue, count)
        for id in ids { _ = try await store.cancel(id, of: nil) }
        return measurement
    }
}
