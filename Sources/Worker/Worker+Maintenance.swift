internal import Agents
internal import Basics
internal import CMalloc
internal import JobQueue
internal import Observability
internal import Synchronization

/// The duties of a worker besides running jobs. Each one runs until its task is cancelled.
extension Worker {
    /// Writes heartbeats, the first one at once, and passes on what they show.
    func beatForever() async {
        repeat {
            do {
                let observer = FleetObserver(
                    worker: liveness.id, running: running.count, machine: ProcessIdentity.current.machine)
                let observation = try await store.observe(as: observer)
                liveness.beatSucceeded()
                duties.pass(observation)
            } catch {
                if error == .workerUnknown {
                    await startOver()
                } else {
                    log("cannot write the heartbeat", error)
                }
            }
        } while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil
    }

    /// Books what is known of the running model calls, as often as heartbeats are written: if this process is killed,
    /// the books have what its calls cost up to then.
    func correctCallsForever() async {
        while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil { await correctCalls() }
    }

    func correctCalls() async {
        let changes = calls.takeChanges()
        guard !changes.isEmpty else { return }
        _ = await attempt("cannot book the use of running model calls") { () async throws(StoreError) in
            try await store.correct(changes)
        }
    }

    /// Rescues the jobs of workers that have died.
    func watchForever() async {
        let watch = FleetWatch(store: store, logger: logger, metrics: metrics)
        for await observation in duties.watch { await watch.rescue(among: observation.others) }
    }

    /// Fails jobs as their deadlines pass, when it is this worker's turn.
    func expireForever() async {
        for await _ in duties.turns { await expire() }
    }

    /// Moves the batches of model calls, when it is this worker's turn.
    func workOnBatchesForever() async {
        guard let workOnBatches else { return }
        for await _ in duties.batchTurns { await workOnBatches() }
    }

    /// Fails the jobs whose deadline has passed by now. The time of jobs in a pause stands still.
    func expire() async {
        _ = await attempt("cannot settle the pauses of jobs") { () async throws(StoreError) in
            try await store.settlePauses()
            return true
        }
        await repeatUntilDone("cannot expire jobs") { () async throws(StoreError) in
            let expired = try await store.expire(limit: 100)
            for (job, logger) in await store.loggers(for: expired, from: logger) {
                logger.warning("a job passed its deadline")
                metrics.expired(job?.kind ?? "")
            }
            return expired.count
        }
    }

    /// Repeats an operation until it finds nothing more to do, or fails.
    private func repeatUntilDone(
        _ problem: StaticString, _ operation: () async throws(StoreError) -> Int
    ) async {
        while let count = await attempt(problem, operation), count > 0 {}
    }

    /// Returns freed memory to the system. The memory that jobs free after they have gathered facts is between blocks
    /// that other jobs keep while they wait, and the C library would keep it.
    func trimMemoryForever() async {
        while (try? await Task.sleep(for: configuration.memoryInterval)) != nil { cmalloc_give_back() }
    }

    /// Stops the jobs that this worker no longer holds, and hands back those that it holds and does not run.
    func compareLeasesForever() async {
        var idle = IdleLeases(limit: configuration.idleLeaseLimit)
        while (try? await Task.sleep(for: configuration.leaseCheckInterval)) != nil {
            let known = running.leases
            guard !known.isEmpty || duties.leases > 0 else { continue }
            let held = await attempt("cannot read the leases of this worker") { () async throws(StoreError) in
                try await store.leases(of: liveness.id)
            }
            guard let held else { continue }
            for lease in running.cancel(notIn: held, among: known) {
                (running.logger(of: lease) ?? logger.with(["job": .string(lease.job.description)]))
                    .info("stopping a job that was taken away")
            }
            // Jobs that started meanwhile are running; jobs that ended meanwhile are idle for a moment only.
            let overdue = idle.note(held.subtracting(known).subtracting(running.leases), at: .now)
            duties.leases = held.count
            if !overdue.isEmpty { await handBack(overdue) }
        }
    }

    private func handBack(_ leases: [Lease]) async {
        let handedBack = await attempt("cannot hand back jobs that do not run here") { () async throws(StoreError) in
            try await store.snooze(leases, after: .zero)
            return leases
        }
        for (_, logger) in await store.loggers(for: handedBack?.map(\.job) ?? [], from: logger) {
            logger.warning("handed back a job that was held and did not run")
        }
    }

    // MARK: Abilities

    /// Examines the kinds of a bundle that came into force.
    func followBundleForever() async {
        for await observation in duties.bundles {
            guard let hash = observation.bundle, hash != abilities.bundle else { continue }
            if await examine(bundle: hash) { await announceAbilities() }
        }
    }

    /// Finds out which kinds of a bundle this worker can run.
    ///
    /// - Returns: Whether its abilities have changed.
    func examine(bundle hash: String) async -> Bool {
        do {
            return abilities.examine(try await bundles.bundle(hash), hash: hash)
        } catch {
            switch error {
            case .unavailable, .missing: return false
            case .unreadable: return abilities.examine(nil, hash: hash)
            }
        }
    }

    /// Writes the abilities into this worker's record. Claims follow them at once.
    func announceAbilities() async {
        let record = abilities.record
        if record.isPartial {
            logger.warning(
                "this worker leaves some jobs to others",
                [
                    "kinds": .string(
                        record.missing.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
                            .joined(separator: "; ")),
                    "unreadable_bundles": .integer(Int64(record.unreadableBundles.count)),
                ])
        }
        await writeAbilities()
        claimWakeup.raise()
    }

    /// Tells which kinds wait in the queue for a budget, so that operators see why.
    func tellHeldKindsForever() async {
        guard gate != nil else { return }
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            let free = freeSlots[.background, default: 0] > 0
            guard abilities.note(held: free ? claimLimiter.withLock { $0.held } : [:]) else { continue }
            await writeAbilities()
        }
    }

    private func writeAbilities() async {
        _ = await attempt("cannot write this worker's abilities") { () async throws(StoreError) in
            try await store.setAbilities(abilities.record, of: liveness.id)
        }
    }
}

/// Passes what a heartbeat shows to the duties that act on it. A duty that is busy gets the latest observation only.
final class Duties: Sendable {
    let watch: AsyncStream<FleetObservation>
    let turns: AsyncStream<FleetObservation>
    let bundles: AsyncStream<FleetObservation>
    let schedules: AsyncStream<FleetObservation>
    let batchTurns: AsyncStream<FleetObservation>
    private let continuations: [AsyncStream<FleetObservation>.Continuation]
    private let turnContinuations: [AsyncStream<FleetObservation>.Continuation]
    private let heldLeases = Mutex(0)

    init() {
        let streams = (0..<5).map { _ in
            AsyncStream.makeStream(of: FleetObservation.self, bufferingPolicy: .bufferingNewest(1))
        }
        (watch, bundles, schedules, turns) = (
            streams[0].stream, streams[1].stream, streams[2].stream, streams[3].stream
        )
        batchTurns = streams[4].stream
        continuations = streams.prefix(3).map(\.continuation)
        turnContinuations = streams.suffix(2).map(\.continuation)
    }

    /// The number of leases that the worker held lately.
    var leases: Int {
        get { heldLeases.withLock { $0 } }
        set { heldLeases.withLock { $0 = newValue } }
    }

    func pass(_ observation: FleetObservation) {
        leases = observation.leases
        for continuation in continuations { continuation.yield(observation) }
        if observation.hasTurn { for continuation in turnContinuations { continuation.yield(observation) } }
    }
}

/// The id under which the store knows this worker, and the time of its last successful heartbeat.
final class Liveness: Sendable {
    private struct State {
        var id: WorkerID
        var lastBeat: ContinuousClock.Instant
    }

    private let state: Mutex<State>
    private let timeout: Duration

    init(id: WorkerID, timeout: Duration) {
        state = Mutex(State(id: id, lastBeat: .now))
        self.timeout = timeout
    }

    var id: WorkerID { state.withLock { $0.id } }

    /// Whether a heartbeat was written recently enough to start something that costs money.
    var isFresh: Bool { state.withLock { .now - $0.lastBeat < timeout } }

    func beatSucceeded() { state.withLock { $0.lastBeat = .now } }

    /// Changes the id after the store declared the old one dead.
    func rename(_ id: WorkerID) { state.withLock { $0.id = id } }
}
