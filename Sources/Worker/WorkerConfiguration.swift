internal import JobQueue

/// Limits and intervals of a worker.
package struct WorkerConfiguration: Sendable {
    /// Jobs that run at once.
    package var concurrency: Int = 200
    /// How many of them are kept free for interactive jobs.
    package var interactiveReserve: Int = 20
    package var heartbeatInterval: Duration = .seconds(3)
    /// The age of the last successful heartbeat from which on no model call is started.
    package var heartbeatTimeout: Duration = .seconds(7)
    /// The shortest time between two writes of progress.
    package var progressInterval: Duration = .milliseconds(250)
    /// The longest time until a cancelled job is told to stop.
    package var leaseCheckInterval: Duration = .milliseconds(500)
    package var deadlineCheckInterval: Duration = .seconds(1)
    /// The longest time until a changed schedule is noticed.
    package var scheduleCheckInterval: Duration = .seconds(2)
    /// How long finished jobs are kept.
    package var retention: Duration = .seconds(30 * 86_400)
    package var retentionInterval: Duration = .seconds(60)
    /// How often memory that jobs have freed goes back to the system.
    package var memoryInterval: Duration = .seconds(5)
    /// How long running jobs may continue after a drain began, before they are released.
    package var drainGrace: Duration = .seconds(20)

    package init() {}

    /// How many jobs of each queue may be claimed, given those that run.
    ///
    /// Background jobs get all free slots except the rest of the reserve, which is at least one slot. Interactive jobs
    /// get slots beyond the reserve claim by claim. A reserve as large as the worker leaves background jobs one slot, and
    /// a worker for one job has one slot for each queue, so that neither starves.
    func slots(running: [QueueName: Int]) -> [QueueName: Int] {
        let interactive = running[.interactive, default: 0]
        let background = running[.background, default: 0]
        let total = max(2, concurrency)
        let free = max(0, total - interactive - background)
        let reserve = min(max(1, min(interactiveReserve, total - 1) - interactive), free)
        return [.interactive: reserve, .background: free - reserve]
    }
}
