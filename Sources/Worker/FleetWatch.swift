internal import Basics
package import JobQueue
package import Observability

/// Rescues the jobs of workers that have died. Every worker does it, and a broker without a worker too, so that a death
/// is noticed even when no worker lives long enough to watch another.
package struct FleetWatch: Sendable {
    private let store: any JobStore
    private let logger: Logger
    private let metrics: WorkerMetrics

    package init(store: any JobStore, logger: Logger, metrics: WorkerMetrics = WorkerMetrics()) {
        self.store = store
        self.logger = logger
        self.metrics = metrics
    }

    /// Watches for a process without a worker until the task is cancelled.
    package func run(every interval: Duration = WorkerConfiguration().heartbeatInterval) async {
        let observer = FleetObserver(worker: nil, machine: ProcessIdentity.current.machine)
        repeat {
            do {
                await rescue(among: try await store.observe(as: observer).others)
            } catch {
                logger.debug("cannot look for dead workers", ["reason": .string(error.description)])
            }
        } while (try? await Task.sleep(for: interval)) != nil
    }

    /// Rescues the jobs of the workers that are silent, or whose process on this machine has ended.
    func rescue(among others: [ObservedWorker]) async {
        for other in others {
            let hasEnded = other.processStart.map { ProcessIdentity.hasEnded(other.processID, start: $0) } ?? false
            if other.isSilent || hasEnded { await rescue(other, hasEnded: hasEnded) }
        }
    }

    private func rescue(_ dead: ObservedWorker, hasEnded: Bool) async {
        let rescue: Rescue
        do {
            rescue = try await store.rescue(dead.heartbeat)
        } catch {
            logger.warning(
                "cannot rescue the jobs of a dead worker",
                ["dead_worker": .string(dead.heartbeat.worker.rawValue), "reason": .string(error.description)])
            return
        }
        let logger = logger.with([
            "dead_worker": .string(dead.heartbeat.worker.rawValue),
            "sign": hasEnded ? "its process has ended" : "no heartbeat",
        ])
        metrics.rescued(rescue)
        guard !rescue.requeued.isEmpty || !rescue.poisoned.isEmpty else {
            return logger.info("a dead worker held no job, was rescued by another process, or was heard again")
        }
        logger.warning(
            "rescued the jobs of a dead worker",
            [
                "requeued": .integer(Int64(rescue.requeued.count)),
                "poisoned": .integer(Int64(rescue.poisoned.count)),
            ])
        await closeCalls()
        for (_, logger) in await store.loggers(for: rescue.requeued, from: logger) {
            logger.info("requeued a rescued job")
        }
        for (_, logger) in await store.loggers(for: rescue.poisoned, from: logger) {
            logger.error("failed a job that kills its workers")
        }
    }

    /// Ends the model calls of dead processes in the books. They keep their estimates until somebody knows better.
    func closeCalls() async {
        do {
            let closed = try await store.closeAbandonedCalls(limit: 1000)
            if closed > 0 {
                logger.warning("closed model calls of dead processes", ["count": .integer(Int64(closed))])
            }
        } catch {
            logger.warning("cannot close model calls of dead processes", ["reason": .string(error.description)])
        }
    }
}
