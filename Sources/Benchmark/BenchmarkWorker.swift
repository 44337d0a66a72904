internal import JSON
public import JobQueue

/// Workers whose jobs compute nothing: what is left is the cost of the queue.
public struct BenchmarkWorker: Sendable {
    private static let id = WorkerID(rawValue: "benchmark-worker")
    private static let concurrency = 2000
    /// As many jobs of a second as a tenth of a second brings together are one claim: they do not mind.
    private static let pause: Duration = .milliseconds(100)
    private static let beat: Duration = .seconds(3)

    private let store: any JobStore

    public init(store: any JobStore) { self.store = store }

    /// Runs what is ready, as many jobs as it can, for so long.
    ///
    /// - Returns: The jobs that were completed.
    /// - Throws: `StoreError`.
    public func drain(for time: Duration) async throws -> Measurement {
        try await BenchmarkJobs.withWorkers(in: store) {
            let watch = Stopwatch()
            let count = try await BenchmarkJobs.claim(.max, within: time, from: store) {
                try await store.runThrough($0)
            }
            return watch.measurement("drain", count)
        }
    }

    /// Runs what is ready for so long, a second for each job.
    ///
    /// - Returns: The jobs that were completed.
    /// - Throws: `StoreError`.
    public func run(for time: Duration) async throws -> Measurement {
        let watch = Stopwatch()
        let end = ContinuousClock.now + time
        var nextBeat = ContinuousClock.now
        try await store.register(
            WorkerRegistration(id: Self.id, host: "benchmark", processID: 1, concurrency: Self.concurrency))
        let completed = try await withThrowingTaskGroup(of: Void.self) { group in
            var (running, completed) = (0, 0)
            while ContinuousClock.now < end {
                if ContinuousClock.now >= nextBeat {
                    nextBeat = .now + Self.beat
                    try await store.beat(Self.id)
                }
                let claim = try await store.claim(for: Self.id, upTo: [.background: Self.concurrency - running])
                for job in claim.jobs { group.addTask { try await work(on: job) } }
                running += claim.jobs.count
                try await Task.sleep(for: Self.pause)
                while running > Self.concurrency / 2, try await group.next() != nil {
                    running -= 1
                    completed += 1
                }
            }
            while try await group.next() != nil { completed += 1 }
            return completed
        }
        try await store.deregister(Self.id)
        return watch.measurement("work", completed)
    }

    private func work(on job: ClaimedJob) async throws {
        for (place, name) in ["gather", "draft"].enumerated() {
            try await Task.sleep(for: .milliseconds(500))
            let report = ProgressReport(lease: job.lease, progress: 40 * (place + 1), currentStep: name)
            try await store.report([report])
            let step = Step(name: name, occurrence: 0, inputHash: "h", output: [:])
            _ = try await store.append(step, replacingFrom: nil, effects: [], under: job.lease)
        }
        try await store.complete(job.lease, with: [:], effects: [])
    }
}
