package import Agents
internal import Basics
package import JobQueue
package import Observability
package import Prompts
internal import Synchronization

/// The store of a worker: its jobs, the webhooks that it delivers, and the explanations and batches that it deletes after
/// a time.
package typealias WorkerStore = JobStore & FleetStore & ExplanationRepository & ConversationRepository & AuditRepository
    & BatchStore & WebhookRepository & ExportRepository & WorkerAdministration & PauseRepository
    & OperationRepository

/// Claims jobs, runs their agents and reports their progress, beside any number of other workers on the same store.
///
/// - It writes a heartbeat, watches the heartbeats of all workers and rescues the jobs of dead ones.
/// - It claims only jobs that it can run: it knows their agents, reaches their models and can read their bundles.
/// - It stops a job that it no longer holds (cancelled, past its deadline, rescued) within half a second, and hands back
///   a job that it holds and does not run.
/// - In a drain it claims no more jobs, lets running ones finish for a while and releases the rest, which costs them no
///   attempt.
package final class Worker: Sendable {
    let configuration: WorkerConfiguration
    let store: any WorkerStore
    let bundles: BundleCache
    let agents: [String: any Agent]
    let logger: Logger
    let makeID: @Sendable () -> WorkerID
    private let tracer: Tracer?
    /// One round of work on the batches of model calls.
    let workOnBatches: (@Sendable () async -> Void)?
    /// Delivers the ends of jobs; `nil` for none.
    let webhooks: WebhookDispatcher?
    let metrics: WorkerMetrics
    let calls: RunningCalls
    let host: String
    let abilities: Abilities
    let duties = Duties()

    let running = RunningJobs()
    let reporter = ProgressReporter()
    let postponements = PostponementLog()
    let claimWakeup = Wakeup()
    let throttle = Mutex(ClaimThrottle())
    let gate: ClaimGate?
    let claimLimiter = Mutex(ClaimLimiter())
    let liveness: Liveness
    private let draining = Mutex(false)
    /// Whether an operator has asked it to claim nothing.
    private let held = Mutex(false)

    /// - Parameters:
    ///   - configuration: How it behaves.
    ///   - store: The jobs.
    ///   - bundles: The content that jobs were submitted with.
    ///   - agents: By the name that `agent:` in a job kind gives.
    ///   - host: The name of this machine, for operators.
    ///   - providers: The providers of models that it can reach, for operators.
    ///   - missing: Why it cannot run jobs of a kind whose agent it has; `nil` when it can.
    ///   - gate: The room of the models' budgets; `nil` for no limit.
    ///   - makeID: Makes the worker's id, and a new one after the store declared the last one dead.
    ///   - calls: The model calls of its jobs that run now.
    ///   - logger: The log.
    ///   - tracer: Records traces of jobs; `nil` for none.
    ///   - workOnBatches: One round of work on the batches of model calls; `nil` where no provider has batches.
    ///   - webhooks: Delivers the ends of jobs; `nil` for none.
    ///   - metrics: Counts what it does.
    package init(
        configuration: WorkerConfiguration, store: any WorkerStore, bundles: BundleCache,
        agents: [String: any Agent], host: String, providers: [String] = [],
        missing: @escaping @Sendable (JobKind) -> String? = { _ in nil }, gate: ClaimGate? = nil,
        makeID: @escaping @Sendable () -> WorkerID, calls: RunningCalls = RunningCalls(), logger: Logger,
        tracer: Tracer? = nil, workOnBatches: (@Sendable () async -> Void)? = nil, webhooks: WebhookDispatcher? = nil,
        metrics: WorkerMetrics = WorkerMetrics()
    ) {
        self.webhooks = webhooks
        self.metrics = metrics
        self.tracer = tracer
        self.calls = calls
        self.gate = gate
        self.workOnBatches = workOnBatches
        self.configuration = configuration
        self.store = store
        self.bundles = bundles
        self.agents = agents
        self.host = host
        self.makeID = makeID
        self.logger = logger
        liveness = Liveness(id: makeID(), timeout: configuration.heartbeatTimeout)
        abilities = Abilities(providers: providers, backgroundPlaces: configuration.slots(running: [:])[.background]) {
            [names = Set(agents.keys)] kind in
            names.contains(kind.agent) ? missing(kind) : "this version has no agent '\(kind.agent)'"
        }
    }

    /// Whether it runs no job.
    package var isIdle: Bool { running.isEmpty }

    package var isDraining: Bool { draining.withLock { $0 } }

    /// Whether it stays and claims nothing, since an operator asked for that.
    var isHeld: Bool { held.withLock { $0 } }

    /// Notes what an operator asked for.
    ///
    /// - Returns: Whether it is something else than before.
    func setHeld(_ isHeld: Bool) -> Bool {
        held.withLock { held in
            defer { held = isHeld }
            return held != isHeld
        }
    }

    /// Begins to drain; `run` returns when the drain is done. May be called more than once.
    package func drain() {
        draining.withLock { $0 = true }
        claimWakeup.finish()
    }

    /// Works until `drain` is called or the task is cancelled.
    package func run() async {
        await withTaskCancellationHandler {
            guard await register() else { return }
            // Before the first claim: after a time without workers, a job past its deadline must not cost anything.
            await expire()
            await withTaskGroup { group in
                // Of high priority: thousands of jobs that begin at once keep the cores busy for longer than a worker
                // may be silent.
                group.addTask(priority: .high) { await self.beatForever() }
                group.addTask(priority: .high) { await self.watchForever() }
                group.addTask { await self.correctCallsForever() }
                group.addTask { await self.expireForever() }
                group.addTask { await self.followBundleForever() }
                group.addTask { await self.deleteOldForever() }
                group.addTask { await self.compareLeasesForever() }
                group.addTask { await self.runSchedulesForever() }
                group.addTask { await self.workOnBatchesForever() }
                group.addTask { await self.trimMemoryForever() }
                group.addTask { await self.webhooks?.run() }
                group.addTask { await self.followDrainForever() }
                group.addTask { await self.tellHeldKindsForever() }
                group.addTask {
                    await self.reporter.run(
                        into: self.store, every: self.configuration.progressInterval, logger: self.logger)
                }
                group.addTask { await self.forwardReadySignals() }
                await self.claimUntilDrained()
                group.cancelAll()
            }
            await leave()
        } onCancel: {
            drain()
        }
    }

    // MARK: Registration

    /// Registers, and tries again while the database is unavailable; false when the worker drains in the meantime.
    private func register() async -> Bool {
        while !isDraining {
            do {
                if let hash = try await store.currentBundle() { _ = await examine(bundle: hash) }
                try await store.register(registration)
                liveness.beatSucceeded()
                let record = abilities.record
                logger.info(
                    "worker started",
                    [
                        "worker": .string(liveness.id.rawValue),
                        "kinds": .string(record.kinds.joined(separator: " ")),
                        "providers": .string(record.providers.joined(separator: " ")),
                        "kinds_left_to_others": .string(record.missing.keys.sorted().joined(separator: " ")),
                    ])
                return true
            } catch {
                log("cannot register with the store; trying again", error)
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return false
    }

    var registration: WorkerRegistration {
        let process = ProcessIdentity.current
        return WorkerRegistration(
            id: liveness.id, host: host, processID: process.processID, concurrency: configuration.concurrency,
            machine: process.machine, processStart: process.start, version: configuration.version,
            abilities: abilities.record)
    }

    /// Registers under a new id after the store declared this worker dead (it was suspended, or cut off from the
    /// store): its jobs belong to others by now.
    func startOver() async {
        logger.warning("declared dead; starting over under a new id", ["worker": .string(liveness.id.rawValue)])
        running.cancelAll()
        liveness.rename(makeID())
        guard await register() else { return }
        if isHeld {
            // The drain was on the record that is gone.
            _ = await attempt("cannot record the drain of this worker") { () async throws(StoreError) in
                try await store.setDraining(true, of: liveness.id, audit: nil)
            }
        }
        claimWakeup.raise()
    }

    private func leave() async {
        let left = running.leases
        if !left.isEmpty { logger.warning("releasing jobs", ["count": .integer(Int64(left.count))]) }
        _ = await attempt("cannot deregister; other workers will rescue the jobs") { () async throws(StoreError) in
            try await store.deregister(liveness.id)
        }
        logger.info("worker stopped", ["worker": .string(liveness.id.rawValue)])
    }

    // MARK: Running

    func start(_ job: ClaimedJob, in jobs: inout TaskGroup<Void>) {
        var logger = logger.with(
            job: job.lease.job.description, attempt: job.attempt, requestID: job.requestID
        ).with(["kind": .string(job.kind)])
        if let parent = job.traceparent.flatMap({ TraceParent($0) }) {
            logger = logger.with(["trace_id": .string(parent.trace.description)])
        }
        guard running.add(job.lease, queue: job.queue, logger: logger) else { return }
        metrics.claimed(job, at: .onThisMachine)
        let run = JobRun(job, of: self, logger: logger, tracer: tracer) { [self, lease = job.lease] in
            await attempt("cannot read the leases of this worker") { () async throws(StoreError) in
                try await store.leases(of: liveness.id)
            }?.contains(lease) ?? true
        }
        let tier = job.queue == .background ? abilities.tiers[job.kind] : nil
        if let tier { gate?.expect(job.lease.job, tier) }
        // A task of its own can be cancelled alone; the group's child waits for it, so none outlives the worker.
        let task = Task { await run.run() }
        running.attach(task, to: job.lease)
        jobs.addTask { [self] in
            await task.value
            running.remove(job.lease)
            webhooks?.wake()
            if let tier { gate?.forget(job.lease.job, tier) }
            if throttle.withLock({ $0.jobEnded() }) { claimWakeup.raise() }
        }
    }

    /// Waits for running jobs up to the grace period of the drain, then stops them.
    func finishJobs(_ jobs: inout TaskGroup<Void>) async {
        if !running.isEmpty {
            logger.info("draining", ["running": .integer(Int64(running.leases.count))])
        }
        let limit = Task { [running, grace = configuration.drainGrace] in
            if (try? await Task.sleep(for: grace)) != nil { running.cancelAll() }
        }
        await jobs.waitForAll()
        limit.cancel()
    }

    /// Runs an operation of the store; `nil`, with a log record, when it failed.
    func attempt<Value>(
        _ problem: StaticString, _ operation: () async throws(StoreError) -> Value
    ) async -> Value? {
        do {
            return try await operation()
        } catch {
            log(problem, error)
            return nil
        }
    }

    /// Logs a failed operation of the store; only in detail while the database is away or damaged, which the log has
    /// told then.
    func log(_ problem: StaticString, _ error: StoreError) {
        let isKnown = (store as? any StoreMonitoring).map { $0.availability != .available } ?? false
        if isKnown {
            logger.debug(problem, ["reason": .string(error.description)])
        } else {
            logger.warning(problem, ["reason": .string(error.description)])
        }
    }
}
