import JSON
import JobQueue
import Synchronization
import TestSupport
import Testing

/// A store under test, with the actions that many cases need.
final class StoreHarness: Sendable {
    let store: any DossierStore
    let clock: ManualStoreClock
    let fixture: any StoreFixture
    private let made = Mutex(0)
    private let discrepancies = Mutex(false)

    init(store: any DossierStore, clock: ManualStoreClock, fixture: any StoreFixture) {
        self.store = store
        self.clock = clock
        self.fixture = fixture
    }

    /// Whether the case leaves a ledger that does not balance.
    var expectsDiscrepancies: Bool {
        get { discrepancies.withLock { $0 } }
        set { discrepancies.withLock { $0 = newValue } }
    }

    /// A new id, later than all earlier ones.
    func makeID() -> JobID {
        let count = made.withLock {
            $0 += 1; return $0
        }
        var generator = SystemRandomNumberGenerator()
        return JobID(at: Timestamp(milliseconds: clock.now.milliseconds + Int64(count)), using: &generator)
    }

    func job(_ user: Int64 = 1, cost: Int = 0, _ change: (inout NewJob) -> Void = { _ in }) -> NewJob {
        var job = NewJob(
            id: makeID(), user: UserID(rawValue: user), kind: "research",
            input: ["ticker": "AAPL", "weight": .number(JSONNumber(1))], bundle: "b1", cost: cost,
            deadline: clock.now + .seconds(600), startingCredits: 10)
        job.subject = "AAPL as Warren Buffett"
        change(&job)
        return job
    }

    /// Submits a job and requires that it is accepted.
    @discardableResult
    func submit(
        _ user: Int64 = 1, cost: Int = 0, sourceLocation: SourceLocation = #_sourceLocation,
        _ change: (inout NewJob) -> Void = { _ in }
    ) async throws -> Job {
        let submission = try await store.submit(job(user, cost: cost, change))
        return try #require(submission.accepted, sourceLocation: sourceLocation)
    }

    /// Registers a worker.
    func worker(_ name: String = "w1") async throws -> WorkerID {
        let id = WorkerID(rawValue: name)
        try await store.register(WorkerRegistration(id: id, host: "here", processID: 7, concurrency: 100))
        return id
    }

    func claim(_ worker: WorkerID, _ count: Int = 1, queue: QueueName = .background) async throws -> [ClaimedJob] {
        try await store.claim(for: worker, upTo: [queue: count]).jobs
    }

    /// Claims one job and requires that there is one.
    func claimOne(
        _ worker: WorkerID, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ClaimedJob {
        let jobs = try await claim(worker)
        return try #require(jobs.first, sourceLocation: sourceLocation)
    }

    /// Submits and claims a job, and returns its lease.
    func running(
        by user: Int64 = 1, cost: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Lease {
        try await submit(user, cost: cost)
        return try await claimOne(try await worker(), sourceLocation: sourceLocation).lease
    }

    func job(_ id: JobID, sourceLocation: SourceLocation = #_sourceLocation) async throws -> Job {
        let job = try await store.job(id, of: nil)
        return try #require(job, sourceLocation: sourceLocation)
    }

    func balance(_ user: Int64 = 1) async throws -> CreditBalance {
        try await store.balance(of: UserID(rawValue: user), startingCredits: 10)
    }

    /// The readings of the store's health that need an operator. Servers for tests do without the settings that keep
    /// commits over a crash of the machine.
    package func badReadings() async throws -> [HealthReading] {
        let settings: Set = ["fsync", "full_page_writes", "synchronous_commit"]
        return try await store.health().filter { !$0.isGood && !settings.contains($0.name) }
    }

    func expect(
        _ error: StoreError, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        await #expect(throws: error, sourceLocation: sourceLocation) { try await body() }
    }

    /// A failure that gives the job up.
    static let giveUp = JobFailure(error: anError, next: .giveUp)

    static func retry(after pause: Duration, dropStepsFrom sequence: Int64? = nil) -> JobFailure {
        JobFailure(error: anError, next: .retry(after: pause), dropStepsFrom: sequence)
    }

    static let anError = JobError(code: "EXT_4004", message: "overloaded", userMessage: "Please try again.")

    static func step(_ name: String, occurrence: Int = 0, hash: String = "h", output: JSON = ["x": 1]) -> Step {
        Step(name: name, occurrence: occurrence, inputHash: hash, output: output)
    }
}

extension Submission {
    var accepted: Job? {
        if case .accepted(let job) = self { job } else { nil }
    }

    var existing: Job? {
        if case .existing(let job) = self { job } else { nil }
    }

    var isConflict: Bool {
        if case .conflict = self { true } else { false }
    }

    var missing: (balance: CreditBalance, required: Int)? {
        if case .insufficientCredits(let balance, let required) = self { (balance, required) } else { nil }
    }
}
