internal import CMalloc
internal import JobQueue
internal import Observability
internal import Synchronization

/// What a worker does beside running jobs. Each duty runs until its task is cancelled.
extension Worker {
    func beatForever() async {
        while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil {
            do {
                try await store.beat(presence.id)
                presence.beatSucceeded()
            } catch {
                if error == .workerUnknown {
                    await startOver()
                } else {
                    logger.error("cannot write the heartbeat", ["reason": .string(error.description)])
                }
            }
        }
    }

    /// Reads everybody's heartbeats and rescues the jobs of workers that fell silent.
    func watchForever() async {
        var monitor = LivenessMonitor()
        let clock = ContinuousClock()
        let start = clock.now
        while (try? await Task.sleep(for: configuration.heartbeatInterval)) != nil {
            guard let beats = try? await store.beats() else { continue }
            let silent = monitor.observe(beats, at: clock.now - start, isHeard: presence.isFresh)
            for beat in silent where beat.worker != presence.id {
                guard let rescue = try? await store.rescue(beat) else { continue }
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

    /// Fails jobs whose deadline has passed.
    func expireForever() async {
        while (try? await Task.sleep(for: configuration.deadlineCheckInterval)) != nil { await expire() }
    }

    /// Fails the jobs whose deadline has passed by now.
    func expire() async {
        while let expired = try? await store.expire(limit: 100), !expired.isEmpty {
            logger.warning("jobs passed their deadline", ["count": .integer(Int64(expired.count))])
        }
    }

    /// Deletes old finished jobs and old explanations, a few at a time.
    func retireForever() async {
        while (try? await Task.sleep(for: configuration.retentionInterval)) != nil {
            guard let now = try? await store.now() else { continue }
            let limit = now - configuration.retention
            while let deleted = try? await store.deleteFinished(before: limit, limit: 200), deleted > 0 {
                logger.info("deleted old jobs", ["count": .integer(Int64(deleted))])
                guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
            }
            while let deleted = try? await store.deleteExplanations(createdBefore: limit.milliseconds, limit: 200),
                deleted > 0
            {
                logger.info("deleted old explanations", ["count": .integer(Int64(deleted))])
                guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
            }
        }
    }

    /// Gives the memory that jobs have freed back to the system. What they free while they gather lies between what
    /// others keep while they wait, where the C library leaves it.
    func giveBackMemoryForever() async {
        while (try? await Task.sleep(for: configuration.memoryInterval)) != nil { cmalloc_give_back() }
    }

    /// Stops the jobs that this worker no longer holds.
    func dropLostJobsForever() async {
        while (try? await Task.sleep(for: configuration.leaseCheckInterval)) != nil {
            let known = running.leases
            guard !known.isEmpty, let held = try? await store.leases(of: presence.id) else { continue }
            for lease in running.cancel(notIn: held, among: known) {
                logger.info("stopping a job that was taken away", ["job": .string(lease.job.description)])
            }
        }
    }
}

/// Under which id this worker is known to the store, and whether the store has heard of it lately.
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

    /// Takes a new id, after the old one was declared dead.
    func rename(_ id: WorkerID) { state.withLock { $0.id = id } }
}
