package import Agents
package import JobQueue
package import Observability
internal import Synchronization

/// What a worker works on, and what it deletes when it has grown old.
package typealias WorkerStore = JobStore & FleetStore & ExplanationRepository

/// Claims jobs, runs their agents and reports, beside any number of other workers on the same store.
///
/// - A heartbeat says that it lives; it watches the heartbeats of all and rescues the jobs of the dead.
/// - A job that it no longer holds (cancelled, past its deadline, rescued) is stopped within half a second.
/// - A drain claims no more, lets jobs finish for a while and hands back the rest at no cost of an attempt.
package final class Worker: Sendable {
    let configuration: WorkerConfiguration
    let store: any WorkerStore
    let bundles: BundleCache
    let agents: [String: any Agent]
    let logger: Logger
    let makeID: @Sendable () -> WorkerID
    private let tracer: Tracer?
    let host: String
    let processID: Int32

    let running = RunningJobs()
    let reporter = ProgressReporter()
    let claimWakeup = Wakeup()
    let pace = Mutex(ClaimThrottle())
    let presence: Liveness
    private let draining = Mutex(false)

    /// Makes a worker; `makeID` gives an id at the start and again after the store declared the last one dead, `host`
    /// names this machine for operators.
    package init(
        configuration: WorkerConfiguration, store: any WorkerStore, bundles: BundleCache,
        agents: [any Agent], host: String, processID: Int32, makeID: @escaping @Sendable () -> WorkerID, logger: Logger,
        tracer: Tracer? = nil
    ) {
        self.tracer = tracer
        self.configuration = configuration
        self.store = store
        self.bundles = bundles
        self.agents = Dictionary(agents.map { ($0.name, $0) }) { $1 }
        self.host = host
        self.processID = processID
        self.makeID = makeID
        self.logger = logger
        presence = Liveness(id: makeID(), timeout: configuration.heartbeatTimeout)
    }

    package var isDraining: Bool { draining.withLock { $0 } }

    /// Begins to drain; `run` returns when it is done. Safe to call from anywhere, more than once.
    package func drain() {
        draining.withLock { $0 = true }
        claimWakeup.finish()
    }

    /// Works until `drain` is called or the task is cancelled.
    package func run() async {
        await withTaskCancellationHandler {
            guard await register() else { return }
            // Before the first claim: after a time without workers, jobs that are too late must not be paid for.
            await expire()
            await withTaskGroup { group in
                // Before the jobs: thousands that begin at once keep the cores busy for longer than a silent worker is
                // held to be alive.
                group.addTask(priority: .high) { await self.beatForever() }
                group.addTask(priority: .high) { await self.watchForever() }
                group.addTask { await self.expireForever() }
                group.addTask { await self.retireForever() }
                group.addTask { await self.dropLostJobsForever() }
                group.addTask { await self.fireSchedulesForever() }
                group.addTask { await self.giveBackMemoryForever() }
                group.addTask { await self.reporter.run(into: self.store, every: self.configuration.progressInterval) }
                group.addTask { await self.forwardReadySignals() }
                await self.claimUntilDrained()
                group.cancelAll()
            }
            await leave()
        } onCancel: {
            drain()
        }
    }

    // MARK: Coming and going

    /// Registers, trying again while the database is away; false when the worker drains meanwhile.
    private func register() async -> Bool {
        while !isDraining {
            let registration = WorkerRegistration(
                id: presence.id, host: host, processID: processID, concurrency: configuration.concurrency)
            do {
                try await store.register(registration)
                presence.beatSucceeded()
                logger.info("worker started", ["worker": .string(presence.id.rawValue)])
                return true
            } catch {
                logger.error("cannot register with the store; trying again", ["reason": .string(error.description)])
                try? await Task.sleep(for: .seconds(1))
            }
        }
        return false
    }

    /// After the store declared this worker dead (it was stopped, or cut off): its jobs belong to others now.
    func startOver() async {
        logger.warning("declared dead; starting over under a new id", ["worker": .string(presence.id.rawValue)])
        running.cancelAll()
        presence.rename(makeID())
        if await register() { claimWakeup.raise() }
    }

    private func leave() async {
        let left = running.leases
        if !left.isEmpty { logger.warning("handing back jobs", ["count": .integer(Int64(left.count))]) }
        try? await store.deregister(presence.id)
        logger.info("worker stopped", ["worker": .string(presence.id.rawValue)])
    }

    // MARK: Running

    func start(_ job: ClaimedJob, in jobs: inout TaskGroup<Void>) {
        running.add(job.lease, queue: job.queue)
        let logger = logger.with([
            "job": .string(job.lease.job.description), "kind": .string(job.kind),
            "attempt": .integer(Int64(job.attempt)),
            "request_id": .string(job.requestID ?? ""),
        ])
        let run = JobRun(
            job: job, store: store, bundles: bundles, agents: agents, reporter: reporter,
            isLive: { [presence] in presence.isFresh }, isDraining: { [weak self] in self?.isDraining ?? true },
            isHeld: { [presence, store, lease = job.lease] in
                (try? await store.leases(of: presence.id))?.contains(lease) ?? true
            },
            logger: logger, tracer: tracer)
        // A task of its own can be cancelled alone; the group's child waits for it, so none outlives the worker.
        let task = Task { await run.run() }
        running.attach(task, to: job.lease)
        jobs.addTask { [self] in
            await task.value
            running.remove(job.lease)
            if pace.withLock({ $0.jobEnded() }) { claimWakeup.raise() }
        }
    }

    /// Waits for running jobs for as long as the drain's grace allows, then stops them.
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
}
