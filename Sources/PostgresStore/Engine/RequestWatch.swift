internal import Basics
internal import JobQueue
import SQLSupport
internal import Synchronization

/// A thread that answers requests whose time is over, those that the server has and does not answer included, and that
/// asks whether the server is away when requests wait for long.
///
/// It sleeps while no request is on its way, and looks ten times a second otherwise.
///
/// `@unchecked Sendable`: the monitor guards the list of executors.
final class RequestWatch: @unchecked Sendable {
    private let monitor = Monitor()
    private let condition = Monitor.Condition()
    private var executors: [BatchExecutor] = []
    private var isClosed = false
    /// Whether the thread sleeps until a request comes.
    private let isParked = Atomic<Bool>(false)

    private static let interval: Duration = .milliseconds(100)
    /// The time for which a request may wait before the server is asked whether it answers at all.
    private static let suspicion: Duration = .milliseconds(600)
    /// The length of an outage from which callers with little time are refused at once.
    static let grace: Duration = .seconds(1)

    func add(_ executor: BatchExecutor) { monitor.withLock { executors.append(executor) } }

    /// Begins to watch after a request was added.
    func wake() {
        guard isParked.load(ordering: .sequentiallyConsistent) else { return }
        monitor.withLock { condition.signal() }
    }

    /// Ends the thread when the executors have no more requests.
    func close() {
        monitor.withLock {
            isClosed = true
            condition.signal()
        }
    }

    /// The loop of the thread.
    func run(asking probe: AvailabilityProbe) {
        let executors = monitor.withLock { self.executors }
        while waitForRequests(of: executors) {
            let now = ContinuousClock.now
            for executor in executors {
                if let failed = executor.answerExpired(at: now) { probe.noteFailure(of: failed, at: now) }
            }
            let oldest = executors.compactMap { $0.oldestWait() }.min()
            if let oldest, now - oldest > Self.suspicion { probe.ask() }
            let usual = executors.compactMap { $0.oldestWait(ofUsualLength: true) }.min()
            if let usual { probe.noteWait(since: usual, at: now) }
        }
    }

    /// Waits for a moment, or longer while there is no request; `false` when the watch is closed and none is left.
    private func waitForRequests(of executors: [BatchExecutor]) -> Bool {
        monitor.withLock {
            isParked.store(true, ordering: .sequentiallyConsistent)
            while !isClosed, !executors.contains(where: \.isBusy) { condition.wait(in: monitor) }
            isParked.store(false, ordering: .sequentiallyConsistent)
            guard !isClosed || executors.contains(where: \.isBusy) else { return false }
            condition.wait(in: monitor, until: .now + Self.interval)
            return true
        }
    }
}
