internal import Agents
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Observability
internal import Prompts

/// One attempt of one job, from claim to the write that ends it.
struct JobRun: Sendable {
    let job: ClaimedJob
    let store: any JobStore
    let bundles: BundleCache
    let agents: [String: any Agent]
    let reporter: ProgressReporter
    let isLive: @Sendable () -> Bool
    let isDraining: @Sendable () -> Bool
    /// Whether the store says that this worker still holds the job; true when it cannot be asked.
    let isHeld: @Sendable () async -> Bool
    let logger: Logger
    var tracer: Tracer?

    func run() async {
        logger.info("attempt started")
        guard let trace = tracer.map({ JobTrace(job: job, tracer: $0) }) else {
            let outcome = await attempt()
            reporter.forget(job.lease.job)
            return await end(outcome)
        }
        let outcome = await TraceScope.$current.withValue(trace.scope) { await attempt() }
        reporter.forget(job.lease.job)
        await end(outcome)
        trace.end(outcome.result, isLast: outcome.isLast)
    }

    /// Indirect, so that little room is set aside for it while the agent works.
    private indirect enum Outcome {
        case completed(AgentResult)
        case failed(AgentFailure, RetryPolicy)
        case postponed(Duration, reason: String)
        case interrupted

        /// In a word, for traces.
        var result: String {
            switch self {
            case .completed: "completed"
            case .failed(let failure, _): failure.error.code.rawValue
            case .postponed: "postponed"
            case .interrupted: "interrupted"
            }
        }

        /// Whether the job has ended with it, as far as can be told here.
        var isLast: Bool {
            switch self {
            case .completed: true
            case .failed(let failure, _): !failure.isTransient
            case .postponed, .interrupted: false
            }
        }
    }

    private func attempt() async -> Outcome {
        let bundle: Bundle
        do {
            bundle = try await bundles.bundle(job.bundle)
        } catch {
            return outcome(of: error)
        }
        guard let kind = bundle.kinds[job.kind], let agent = agents[kind.agent] else {
            return .failed(.internalFailure("this version runs no jobs of kind '\(job.kind)'"), .none)
        }
        do {
            let journal = try await Journal(of: job.lease, in: store)
            let context = JobContext(
                job: job, kind: kind, bundle: bundle, journal: journal, isLive: isLive,
                report: { [reporter, lease = job.lease] percent, says in
                    reporter.add(ProgressReport(lease: lease, progress: percent, currentStep: says))
                })
            return .completed(try await agent.run(context))
        } catch {
            switch error {
            case .failed(let failure): return .failed(failure, kind.retries)
            case .postponed(let pause, let reason): return .postponed(pause, reason: reason)
            case .interrupted: return .interrupted
            }
        }
    }

    private func outcome(of failure: BundleCache.Failure) -> Outcome {
        switch failure {
        case .unavailable(let error): .postponed(.seconds(1), reason: error.description)
        case .missing(let hash): .failed(.internalFailure("the bundle \(hash) is not in the database"), .none)
        case .unreadable(let problems): .failed(.internalFailure("the job's bundle cannot be read: \(problems)"), .none)
        }
    }

    // MARK: The write that ends the attempt

    private func end(_ outcome: Outcome) async {
        switch outcome {
        case .completed(let result):
            let refusal = await write("attempt completed") { () async throws(StoreError) in
                try await store.complete(job.lease, with: result.body, effects: result.records.map { .record($0) })
            }
            if let refusal { await end(.failed(.internalFailure(refusal.description), .none)) }
        case .failed(let failure, let policy):
            let next = await decide(failure, policy)
            let record = JobFailure(
                error: failure.error, next: next, dropStepsFrom: failure.dropStepsFrom, effects: failure.effects)
            logger.warning(
                "attempt failed",
                ["code": .string(failure.error.code.rawValue), "reason": .string(failure.error.message), "next": "\(next)"])
            _ = await write("failure stored") { () async throws(StoreError) in
                try await store.fail(job.lease, with: record)
            }
        case .postponed(let pause, let reason):
            logger.info("attempt postponed", ["reason": .string(reason)])
            await snooze(after: pause)
        case .interrupted:
            if isDraining() {
                await snooze(after: .zero)
            } else if Task.isCancelled {
                logger.info("attempt stopped: the job was taken away")
            } else {
                // Nobody stopped it: if the job is still ours, it would stay nobody's work until its deadline, since
                // this worker lives.
                logger.info("attempt interrupted")
                await snooze(after: .seconds(1))
            }
        }
    }

    private func decide(_ failure: AgentFailure, _ policy: RetryPolicy) async -> JobFailure.Next {
        var generator = SystemRandomNumberGenerator()
        let now = (try? await store.now()) ?? job.createdAt
        return policy.next(
            afterAttempt: job.attempt, isTransient: failure.isTransient, retryAfter: failure.retryAfter,
            remaining: job.deadline - now, using: &generator)
    }

    private func snooze(after pause: Duration) async {
        // The store would pass over a job that is no longer ours, and the log would claim otherwise.
        guard await isHeld() else { return logger.info("attempt stopped: the job was taken away") }
        _ = await write("handed back") { () async throws(StoreError) in
            try await store.snooze([job.lease], after: pause)
        }
    }

    /// Writes until the store has taken it or says that the job is no longer ours: what a model was paid for must not
    /// be lost to a database that is away for a minute. Returns why the store will never take it, if so.
    private func write(_ what: StaticString, _ body: () async throws(StoreError) -> Void) async -> StoreError? {
        var pause: Duration = .milliseconds(50)
        while true {
            do {
                try await body()
                logger.info(what)
                return nil
            } catch {
                switch error {
                case .unavailable, .full:
                    logger.error("a state write failed; trying again", ["reason": .string(error.description)])
                    // A cancelled task has lost its lease or the grace of a drain; what it did stands in its journal.
                    guard (try? await Task.sleep(for: pause)) != nil else { return nil }
                    pause = min(pause * 2, .seconds(2))
                case .leaseLost, .workerUnknown:
                    logger.info("the job was taken away before its outcome was written")
                    return nil
                case .invalidText, .unexpected:
                    logger.error("a state write was refused", ["reason": .string(error.description)])
                    return error
                }
            }
        }
    }
}

extension AgentFailure {
    fileprivate static func internalFailure(_ message: String) -> AgentFailure {
        AgentFailure(JobError.internalFailure(message), isTransient: false)
    }
}

extension RetryPolicy {
    fileprivate static let none = RetryPolicy(attempts: 1, initialPause: .zero, longestPause: .zero)
}

/// The part of a job's trace that one attempt makes. The trace has the job's id; its first span is the job from submit to
/// end, below it stand the attempts, below them steps and model calls.
struct JobTrace: Sendable {
    let job: ClaimedJob
    let tracer: Tracer
    private let start: Int64
    private let trace: TraceID

    init(job: ClaimedJob, tracer: Tracer) {
        self.job = job
        self.tracer = tracer
        start = tracer.now()
        trace = TraceID(high: job.lease.job.high, low: job.lease.job.low)
    }

    /// What the attempt's parts hang below.
    var scope: TraceScope { TraceScope(tracer: tracer, trace: trace, span: attempt) }

    private var attempt: SpanID { trace.child(job.lease.epoch) }

    /// The attempt has ended; with the last one, the job.
    func end(_ result: String, isLast: Bool) {
        let now = tracer.now()
        let problem = ["completed", "postponed", "interrupted"].contains(result) ? nil : result
        tracer.record(
            Span(
                trace: trace, id: attempt, parent: trace.root, name: "attempt \(job.kind)", kind: .consumer,
                start: start,
                end: now,
                attributes: [
                    ("dossier.job.id", .text(job.lease.job.description)), ("dossier.job.kind", .text(job.kind)),
                    ("dossier.attempt", .integer(Int64(job.attempt))), ("dossier.outcome", .text(result)),
                ], problem: problem))
        guard isLast else { return }
        tracer.record(
            Span(
                trace: trace, id: trace.root, parent: nil, name: "job \(job.kind)",
                start: job.createdAt.milliseconds * 1_000_000, end: now,
                attributes: [
                    ("dossier.job.id", .text(job.lease.job.description)), ("dossier.job.kind", .text(job.kind)),
                ], problem: problem))
    }
}
