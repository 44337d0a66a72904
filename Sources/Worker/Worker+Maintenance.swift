internal import CMalloc
internal import JobQueue
internal import Observability
internal import Synchronization

/// The duties of a worker besides running jobs. Each one runs until its task is cancelled.
extension Worker {
    func beatForever() async {
        while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil {
            do {
                try await store.heartbeat(liveness.id)
                liveness.beatSucceeded()
            } catch {
                if error == .workerUnknown {
                    await startOver()
                } else {
                    logger.error("cannot write the heartbeat", ["reason": .string(error.description)])
                }
            }
        }
    }

    /// Reads the heartbeats of all workers and rescues the jobs of silent ones.
    func watchForever() async {
        var monitor = LivenessMonitor()
        let clock = ContinuousClock()
        let start = clock.now
        while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil {
            let beats = await attempt("cannot read the heartbeats") { () async throws(StoreError) in
                try await store.heartbeats()
            }
            guard let beats else { continue }
            let silent = monitor.observe(beats, at: clock.now - start, isHeard: liveness.isFresh)
            for beat in silent where beat.worker != liveness.id {
                let rescue = await attempt("cannot rescue the jobs of a dead worker") { () async throws(StoreError) in
                    try await store.rescue(beat)
                }
                guard let rescue else { continue }
                logger.warning(
                    "rescued the jobs of a dead worker",
                    [
                        "dead_worker": .string(beat.worker.rawValue),
                        "requeued": .integer(Int64(rescue.requeued.count)),
                        "poisoned": .integer(Int64(rescue.poisoned.count)),
                    ])
            }
        }
    }

    /// Fails jobs as their deadlines pass.
    func expireForever() async {
        while (try? await Task.sleep(for: configuration.deadlineCheckInterval)) != nil { await expire() }
    }

    /// Fails the jobs whose deadline has passed by now.
    func expire() async {
        await repeatUntilDone("cannot expire jobs") { () async throws(StoreError) in
            let expired = try await store.expire(limit: 100)
            if !expired.isEmpty {
                logger.warning("jobs passed their deadline", ["count": .integer(Int64(expired.count))])
            }
            return expired.count
        }
    }

    /// Deletes old finished jobs and old explanations, a few at a time.
    func deleteOldForever() async {
        while (try? await Task.sleep(for: configuration.retentionInterval)) != nil {
            let now = await attempt("cannot read the store's clock") { () async throws(StoreError) in
                try await store.now()
            }
            guard let now else { continue }
            let limit = now - configuration.retention
            await repeatUntilDone("cannot delete old jobs", pause: .milliseconds(50)) { () async throws(StoreError) in
                let deleted = try await store.deleteFinished(before: limit, limit: 200)
                if deleted > 0 { logger.info("deleted old jobs", ["count": .integer(Int64(deleted))]) }
                return deleted
            }
            await repeatUntilDone("cannot delete old explanations", pause: .milliseconds(50)) {
                () async throws(StoreError) in
                let deleted = try await store.deleteExplanations(createdBefore: limit, limit: 200)
                if deleted > 0 { logger.info("deleted old explanations", ["count": .integer(Int64(deleted))]) }
                return deleted
            }
        }
    }

    /// Repeats an operation until it finds nothing more to do, fails, or the task is cancelled.
    private func repeatUntilDone(
        _ problem: StaticString, pause: Duration = .zero, _ operation: () async throws(StoreError) -> Int
    ) async {
        while let count = await attempt(problem, operation), count > 0 {
            if pause > .zero, (try? await Task.sleep(for: pause)) == nil { return }
        }
    }

    /// Returns freed memory to the system. The memory that jobs free after they have gathered facts is between blocks
    /// that other jobs keep while they wait, and the C library would keep it.
    func trimMemoryForever() async {
        while (try? await Task.sleep(for: configuration.memoryInterval)) != nil { cmalloc_give_back() }
    }

    /// Stops the jobs that this worker no longer holds.
    func stopLostJobsForever() async {
        while (try? await Task.sleep(for: configuration.leaseCheckInterval)) != nil {
            let known = running.leases
            guard !known.isEmpty else { continue }
            let held = await attempt("cannot read the leases of this worker") { () async throws(StoreError) in
                try await store.leases(of: liveness.id)
            }
            guard let held else { continue }
            for lease in running.cancel(notIn: held, among: known) {
                logger.info("stopping a job that was taken away", ["job": .string(lease.job.description)])
            }
        }
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
