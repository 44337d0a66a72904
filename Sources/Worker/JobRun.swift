internal import Basics
internal import Agents
internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Observability
internal import Prompts

/// One attempt of one job, from the claim to the write that ends it.
struct JobRun: Sendable {
    let job: ClaimedJob
    let store: any JobStore
    let bundles: BundleCache
    let agents: [String: any Agent]
    let reporter: ProgressReporter
    let postponements: PostponementLog
    let abilities: Abilities
    /// Tells the worker that its abilities have changed.
    let announce: @Sendable () async -> Void
    let isLive: @Sendable () -> Bool
    let isDraining: @Sendable () -> Bool
    /// Whether this worker still holds the job according to the store; true when the store is unavailable.
    let isHeld: @Sendable () async -> Bool
    let logger: Logger
    let metrics: WorkerMetrics
    var tracer: Tracer?

    /// The time after which a job that this worker cannot run may be claimed again.
    private static let pauseForOthers: Duration = .seconds(5)

    private let start = ContinuousClock.now
    private let startLine = StartLine()

    init(
        _ job: ClaimedJob, of worker: Worker, logger: Logger, tracer: Tracer?,
        isHeld: @escaping @Sendable () async -> Bool
    ) {
        self.job = job
        store = worker.store
        bundles = worker.bundles
        agents = worker.agents
        reporter = worker.reporter
        postponements = worker.postponements
        metrics = worker.metrics
        abilities = worker.abilities
        announce = { await worker.announceAbilities() }
        isLive = { [liveness = worker.liveness] in liveness.isFresh }
        isDraining = { worker.isDraining }
        self.isHeld = isHeld
        self.logger = logger
        self.tracer = tracer
    }

    func run() async {
        let timer = startLine.write(isLate: postponements.knows(job.lease.job), logger)
        defer { timer?.cancel() }
        guard let trace = tracer.map({ JobTrace(job: job, tracer: $0) }) else {
            let outcome = await attempt()
            await reportLastStep(before: outcome)
            return await end(outcome)
        }
        let outcome = await TraceScope.$current.withValue(trace.scope) { await attempt() }
        await reportLastStep(before: outcome)
        await end(outcome)
        trace.end(outcome.result, isLast: outcome.isLast)
    }

    /// A failure shows the step in which it happened, however short that was.
    private func reportLastStep(before outcome: Outcome) async {
        let report = reporter.take(job.lease.job)
        if case .failed = outcome, let report { try? await store.report([report]) }
    }

    /// Indirect, so that little room is set aside for it while the agent works.
    private indirect enum Outcome {
        case completed(AgentResult, microDollars: Int64)
        case failed(AgentFailure, RetryPolicy)
        case snoozed(Duration, reason: String, waitingFor: WaitCause? = nil)
        /// The store has taken the job back until its model call is answered by batch.
        case waiting(until: Timestamp)
        /// Another worker may be able to run the job.
        case unable(reason: String)
        case interrupted

        /// A word or an error code, for traces.
        var result: String {
            switch self {
            case .completed: "completed"
            case .failed(let failure, _): failure.error.code.rawValue
            case .snoozed, .waiting, .unable: "snoozed"
            case .interrupted: "interrupted"
            }
        }

        /// Whether the job ends with it, as far as the worker knows.
        var isLast: Bool {
            switch self {
            case .completed: true
            case .failed(let failure, _): !failure.isTransient
            case .snoozed, .waiting, .unable, .interrupted: false
            }
        }
    }

    private func attempt() async -> Outcome {
        let bundle: Bundle
        do {
            bundle = try await bundles.bundle(job.bundle)
        } catch {
            return await outcome(of: error)
        }
        guard let kind = bundle.kinds[job.kind] else {
            return .failed(.internalFailure("the job's bundle has no kind '\(job.kind)'"), .none)
        }
        let reason = abilities.reason(against: kind)
        guard reason == nil, let agent = agents[kind.agent] else {
            let reason = reason ?? "this version has no agent '\(kind.agent)'"
            if abilities.exclude(kind: kind.name, reason: reason) { await announce() }
            return .unable(reason: reason)
        }
        do {
            let journal = try await Journal(of: job.lease, in: store)
            let context = JobContext(
                job: job, kind: kind, bundle: bundle, journal: journal, isLive: isLive,
                timeLeft: { [store, deadline = job.deadline] in
                    (try? await store.now()).map { max(.zero, deadline - $0) }
                },
                report: { [reporter, lease = job.lease] percent, says in
                    reporter.add(ProgressReport(lease: lease, progress: percent, currentStep: says))
                })
            var result = try await agent.run(context)
            if let language = context.language, result.body.object != nil {
                result.body["language"] = JSON(language.rawValue)
            }
            return .completed(result, microDollars: await journal.microDollars)
        } catch {
            switch error {
            case .failed(let failure): return .failed(failure, kind.retries)
            case .snoozed(let pause, let reason, let wait): return .snoozed(pause, reason: reason, waitingFor: wait)
            case .waiting(let until): return .waiting(until: until)
            case .interrupted: return .interrupted
            }
        }
    }

    private func outcome(of failure: BundleCache.Failure) async -> Outcome {
        switch failure {
        case .unavailable(let error): return .snoozed(.seconds(1), reason: error.description)
        case .missing(let hash):
            return .failed(.internalFailure("the bundle \(hash) is not in the database"), .none)
        case .unreadable(let problems):
            if abilities.exclude(bundle: job.bundle) { await announce() }
            return .unable(reason: "the job's bundle cannot be read by this version: \(problems)")
        }
    }

    // MARK: The write that ends the attempt

    private func end(_ outcome: Outcome) async {
        if case .snoozed = outcome {
        } else {
            startLine.write(logger)
            postponements.forget(job.lease.job)
        }
        switch outcome {
        case .completed(let result, let microDollars):
            let logger = logger.with([
                "milliseconds": .integer((ContinuousClock.now - start).wholeMilliseconds),
                "micro_dollars": .integer(microDollars),
            ])
            let refusal = await write("attempt completed", logger) { () async throws(StoreError) in
                try await store.complete(job.lease, with: result.body, effects: result.records.map { .record($0) })
            }
            if let refusal { return await end(.failed(.internalFailure(refusal.description), .none)) }
            metrics.ended(job, code: nil, at: .onThisMachine)
        case .failed(let failure, let policy):
            let next = await decide(failure, policy)
            let record = JobFailure(
                error: failure.error, next: next, dropStepsFrom: failure.dropStepsFrom, effects: failure.effects)
            logger.warning(
                "attempt failed",
                [
                    "code": .string(failure.error.code.rawValue), "reason": .string(failure.error.message),
                    "milliseconds": .integer((ContinuousClock.now - start).wholeMilliseconds),
                    "next": .string(next.sentence),
                ])
            _ = await write("failure stored") { () async throws(StoreError) in
                try await store.fail(job.lease, with: record)
            }
            let code = failure.error.code.rawValue
            if case .retry = next {
                metrics.retried(job, code: code)
            } else {
                metrics.ended(job, code: code, at: .onThisMachine)
            }
        case .snoozed(let pause, let reason, let wait):
            if let now = try? await store.now(), job.deadline - now < pause + Self.shortestRest {
                return await end(.failed(.outOfTime(reason), .none))
            }
            metrics.postponed(job, wait)
            if postponements.note(reason, of: job.lease.job) {
                startLine.write(logger)
                logger.info(
                    "attempt snoozed", ["reason": .string(reason), "seconds": .integer(pause.components.seconds)])
                await snooze(after: pause, waitingFor: wait)
            } else {
                await snooze(after: pause, waitingFor: wait, isRepeated: true)
            }
        case .waiting(let until):
            logger.info(
                "the job waits for a batch", ["until": .string(ISO8601.text(milliseconds: until.milliseconds))])
        case .unable(let reason):
            logger.warning("this worker cannot run the job and leaves it to others", ["reason": .string(reason)])
            await snooze(after: Self.pauseForOthers, waitingFor: WaitCause(.noCapableWorker))
        case .interrupted:
            if isDraining() {
                await snooze(after: .zero)
            } else if Task.isCancelled {
                logger.info("attempt stopped: the job was taken away")
            } else {
                // The run stopped by itself. If this worker still holds the job, no other worker would take it before
                // its deadline, since this one is alive.
                logger.info("attempt interrupted")
                await snooze(after: .seconds(1))
            }
        }
    }

    private func decide(_ failure: AgentFailure, _ policy: RetryPolicy) async -> JobFailure.Next {
        var generator = SystemRandomNumberGenerator()
        let now: Timestamp
        do {
            now = try await store.now()
        } catch {
            logger.warning("cannot read the store's clock", ["reason": .string(error.description)])
            now = job.createdAt
        }
        return policy.next(
            afterAttempt: job.attempt, isTransient: failure.isTransient, retryAfter: failure.retryAfter,
            remaining: job.deadline - now, using: &generator)
    }

    /// The least time that a job must have after a pause to be of any use.
    private static let shortestRest: Duration = .seconds(1)

    private func snooze(after pause: Duration, waitingFor wait: WaitCause? = nil, isRepeated: Bool = false) async {
        // The store ignores a lost lease, and the log would then be wrong.
        guard await isHeld() else { return logger.info("attempt stopped: the job was taken away") }
        _ = await write("released", isRoutine: isRepeated) { () async throws(StoreError) in
            try await store.snooze([job.lease], after: pause, waitingFor: wait)
        }
    }

    /// Writes until the store accepts it or reports that the lease is lost: an answer that was paid for must not be
    /// lost to a database that is away, damaged or of another version for a while. Only a value that the store will
    /// never accept ends the attempts.
    ///
    /// - Returns: The error of a write that the store will never accept.
    private func write(
        _ what: StaticString, _ outcome: Logger? = nil, isRoutine: Bool = false,
        _ body: () async throws(StoreError) -> Void
    ) async -> StoreError? {
        var pause: Duration = .milliseconds(50)
        var failures = 0
        while true {
            do {
                try await body()
                if isRoutine { logger.debug(what) } else { (outcome ?? logger).info(what) }
                return nil
            } catch {
                switch error {
                case .unavailable, .full, .damaged, .unexpected:
                    // The first failure of a write is enough: the store itself tells of outages and damage.
                    if failures == 0 {
                        logger.warning("a state write failed; trying again", ["reason": .string(error.description)])
                    }
                    failures += 1
                    // A cancelled task has lost its lease, or the drain is over. Its steps are in the journal.
                    guard (try? await Task.sleep(for: pause)) != nil else { return nil }
                    pause = min(pause * 2, error.longestPause)
                case .leaseLost, .workerUnknown:
                    logger.info("the job was taken away before its outcome was written")
                    return nil
                case .invalidText, .overLimit, .invalidValue:
                    logger.error(
                        "a state write was refused",
                        ["reason": .string(error.description), "detail": .string(error.detail)])
                    return error
                }
            }
        }
    }
}

extension StoreError {
    /// The longest pause between two tries of a write that this error ended.
    fileprivate var longestPause: Duration {
        switch self {
        case .damaged, .unexpected: .seconds(15)
        default: .seconds(2)
        }
    }

    /// What the log says beyond the description, which users may read.
    fileprivate var detail: String {
        if case .invalidValue(_, let detail) = self { detail } else { "" }
    }
}

extension AgentFailure {
    /// The job's time ends before it can go on.
    fileprivate static func outOfTime(_ reason: String) -> AgentFailure {
        var error = JobError.deadlinePassed
        error.message = "The job cannot finish before its deadline: \(reason)"
        return AgentFailure(error, isTransient: false)
    }

    fileprivate static func internalFailure(_ message: String) -> AgentFailure {
        AgentFailure(JobError.internalFailure(message), isTransient: false)
    }
}

extension JobFailure.Next {
    /// For the log.
    fileprivate var sentence: String {
        switch self {
        case .retry(let pause): "the job is tried again after \(pause.wholeMilliseconds) ms"
        case .giveUp: "the job has failed"
        }
    }
}

extension RetryPolicy {
    fileprivate static let none = RetryPolicy(attempts: 1, initialPause: .zero, longestPause: .zero)
}

/// The part of a job's trace that belongs to one attempt. The trace has the job's id, or is that of the client whose
/// request submitted the job. The first span of the job is from submit to end; attempts are its children, steps and model
/// calls theirs. The ids of these spans follow from the job's id, so all processes agree on them.
struct JobTrace: Sendable {
    let job: ClaimedJob
    let tracer: Tracer
    private let start: Int64
    private let trace: TraceID
    private let own: TraceID
    private let parent: TraceParent?

    init(job: ClaimedJob, tracer: Tracer) {
        self.job = job
        self.tracer = tracer
        start = tracer.now()
        own = TraceID(high: job.lease.job.high, low: job.lease.job.low)
        parent = job.traceparent.flatMap { TraceParent($0) }
        trace = parent?.trace ?? own
    }

    var scope: TraceScope {
        TraceScope(tracer: tracer, trace: trace, span: attempt, isSampled: parent?.isSampled ?? true)
    }

    private var attempt: SpanID { own.child(job.lease.epoch) }

    /// Records the end of the attempt, and with the last one the end of the job.
    func end(_ result: String, isLast: Bool) {
        guard scope.isSampled else { return }
        let now = tracer.now()
        let problem = ["completed", "snoozed", "interrupted"].contains(result) ? nil : result
        tracer.record(
            Span(
                trace: trace, id: attempt, parent: own.root, name: "attempt \(job.kind)", kind: .consumer,
                start: start,
                end: now,
                attributes: [
                    ("dossier.job.id", .text(job.lease.job.description)), ("dossier.job.kind", .text(job.kind)),
                    ("dossier.attempt", .integer(Int64(job.attempt))), ("dossier.outcome", .text(result)),
                ], problem: problem))
        guard isLast else { return }
        tracer.record(
            Span(
                trace: trace, id: own.root, parent: parent?.span, name: "job \(job.kind)",
                start: job.createdAt.milliseconds * 1_000_000, end: now,
                attributes: [
                    ("dossier.job.id", .text(job.lease.job.description)), ("dossier.job.kind", .text(job.kind)),
                ], problem: problem))
    }
}
