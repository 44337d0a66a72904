internal import JSON
public import JobQueue

/// Measures a store from inside one process: what a broker and a worker ask of it, by many tasks at once.
///
/// It claims whatever is ready, so the store must hold no unfinished jobs of anybody else. It leaves finished jobs of
/// users from a million up.
public struct StoreBenchmark: Sendable {
    public enum Part: String, Sendable, CaseIterable {
        case lifeCycle = "life_cycle"
        case submit
        case claimComplete = "claim_complete"
        case pickup
        case poll
    }

    private static let users = 100
    private static let clients = 200
    private static let firstUser: Int64 = 1_000_000
    private static let worker = WorkerID(rawValue: "benchmark")
    /// Jobs whose time from submit to claim is taken.
    private static let pickups = 300

    private let store: any JobStore
    private let jobs: Int

    /// - Parameters:
    ///   - store: What is measured.
    ///   - jobs: How many jobs each part takes.
    public init(store: any JobStore, jobs: Int) {
        self.store = store
        self.jobs = jobs
    }

    /// Runs one part and measures it; what it needs before is done outside of the measurement.
    public func run(_ part: Part) async throws(StoreError) -> Measurement {
        try await store.register(
            WorkerRegistration(id: Self.worker, host: "benchmark", processID: 1, concurrency: 1000))
        let result: Result<Measurement, StoreError>
        do {
            result = .success(try await measure(part))
        } catch {
            result = .failure(error as? StoreError ?? .unexpected(reason: "the benchmark broke off"))
        }
        try await store.deregister(Self.worker)
        return try result.get()
    }

    private func measure(_ part: Part) async throws -> Measurement {
        switch part {
        case .lifeCycle:
            try await giveCredits()
            let watch = Stopwatch()
            async let submitted: Void = submitAll(cost: 1)
            try await claimAll { job in
                try await store.report([ProgressReport(lease: job.lease, progress: 30, currentStep: "draft")])
                for name in ["gather", "draft"] {
                    let step = Step(name: name, occurrence: 0, inputHash: "h", output: [:])
                    _ = try await store.append(step, replacingFrom: nil, effects: [], under: job.lease)
                }
                try await store.complete(job.lease, with: [:], effects: [])
            }
            try await submitted
            return watch.measurement(part.rawValue, jobs)
        case .submit:
            try await giveCredits()
            let watch = Stopwatch()
            try await submitAll(cost: 1)
            let measurement = watch.measurement(part.rawValue, jobs)
            try await claimAll { try await store.complete($0.lease, with: [:], effects: []) }
            return measurement
        case .claimComplete:
            try await submitAll(cost: 0)
            let watch = Stopwatch()
            try await claimAll { try await store.complete($0.lease, with: [:], effects: []) }
            return watch.measurement(part.rawValue, jobs)
        case .pickup: return try await pickup()
        case .poll: return try await poll()
        }
    }

    private func giveCredits() async throws {
        for user in 0..<Self.users {
            let id = UserID(rawValue: Self.firstUser + Int64(user))
            _ = try await store.grant(jobs, to: id, note: "benchmark", startingCredits: 0)
        }
    }

    private func submitAll(cost: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<Self.clients {
                group.addTask {
                    for place in stride(from: client, to: jobs, by: Self.clients) {
                        _ = try await store.submit(try await Self.job(place, cost: cost, on: store))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Claims by fifty until all jobs were there, and runs each in a task of its own.
    private func claimAll(_ run: @escaping @Sendable (ClaimedJob) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var claimed = 0
            var signals = store.changes(.ready).makeAsyncIterator()
            while claimed < jobs {
                let batch = try await store.claim(for: Self.worker, upTo: [.background: 50]).jobs
                claimed += batch.count
                for job in batch { group.addTask { try await run(job) } }
                if batch.isEmpty { _ = await signals.next() }
            }
            try await group.waitForAll()
        }
    }

    /// From the call of a submit to the job in the hands of a worker that had nothing to do.
    private func pickup() async throws -> Measurement {
        var times: [Duration] = []
        var signals = store.changes(.ready).makeAsyncIterator()
        let watch = Stopwatch()
        for place in 0..<Self.pickups {
            let job = try await Self.job(place, cost: 0, on: store)
            let start = ContinuousClock.now
            async let submitted = store.submit(job)
            var claimed: [ClaimedJob] = []
            while claimed.isEmpty {
                _ = await signals.next()
                claimed = try await store.claim(for: Self.worker, upTo: [.background: 1]).jobs
            }
            times.append(ContinuousClock.now - start)
            _ = try await submitted
            for job in claimed { try await store.complete(job.lease, with: [:], effects: []) }
        }
        return watch.measurement(Part.pickup.rawValue, Self.pickups, times: times)
    }

    private func poll() async throws -> Measurement {
        let (user, count) = (UserID(rawValue: Self.firstUser), jobs * 4)
        for place in 0..<100 {
            _ = try await store.submit(try await Self.job(place * Self.users, cost: 0, on: store))
        }
        let ids = try await store.jobs(JobListQuery(user: user, perPage: 100)).jobs.map(\.id)
        guard !ids.isEmpty else { throw StoreError.unexpected(reason: "the jobs to poll are not there") }
        let watch = Stopwatch()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 0..<64 {
                group.addTask {
                    for turn in stride(from: client, to: count, by: 64) {
                        _ = try await store.job(ids[turn % ids.count], of: user)
                    }
                }
            }
            try await group.waitForAll()
        }
        let measurement = watch.measurement(Part.poll.rawValue, count)
        for id in ids { _ = try await store.cancel(id, of: nil) }
        return measurement
    }

    private static func job(_ place: Int, cost: Int, on store: any JobStore) async throws -> NewJob {
        let now = try await store.now()
        var generator = SystemRandomNumberGenerator()
        return NewJob(
            id: JobID(at: now, using: &generator), user: UserID(rawValue: firstUser + Int64(place % users)),
            kind: "benchmark", input: ["ticker": "AAPL"], bundle: "benchmark", cost: cost,
            deadline: now + .seconds(3600), startingCredits: 0)
    }
}
