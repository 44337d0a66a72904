internal import JobQueue
internal import Synchronization

/// Gathers what running jobs say of their progress and writes the latest of each, many jobs at a time, never more
/// often than the interval.
final class ProgressReporter: Sendable {
    private let pending = Mutex<[JobID: ProgressReport]>([:])
    private let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation

    init() {
        (arrivals, arrived) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func add(_ report: ProgressReport) {
        pending.withLock { $0[report.lease.job] = report }
        arrived.yield()
    }

    /// Forgets what a job that has ended said last.
    func forget(_ job: JobID) { _ = pending.withLock { $0.removeValue(forKey: job) } }

    /// Writes until the task is cancelled. A write that fails is dropped: the next report says more.
    func run(into store: any JobStore, every interval: Duration) async {
        for await _ in arrivals {
            let reports = pending.withLock { waiting in
                defer { waiting = [:] }
                return Array(waiting.values)
            }
            if !reports.isEmpty { try? await store.report(reports) }
            try? await Task.sleep(for: interval)
        }
    }
}
