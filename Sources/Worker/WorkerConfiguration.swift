package import JobQueue

/// Limits and intervals of a worker.
package struct WorkerConfiguration: Sendable {
    /// Jobs that run at once.
    package var concurrency: Int = 200
    /// The number of them that are kept free for interactive jobs.
    package var interactiveReserve: Int = 20
    package var heartbeatInterval: Duration = .milliseconds(1500)
    /// The age of the last successful heartbeat from which on no model call is started.
    package var heartbeatTimeout: Duration = .seconds(5)
    /// The shortest time between two writes of progress; those of one step of a job are four times as far apart.
    package var progressInterval: Duration = .milliseconds(250)
    /// The longest time until the task of a cancelled job is cancelled, and the interval at which held jobs that do not
    /// run are looked for.
    package var leaseCheckInterval: Duration = .milliseconds(500)
    /// The time for which a job may be held and not run, before it is handed back: the answer to its claim may be on its
    /// way.
    package var idleLeaseLimit: Duration = .seconds(3)
    package var retention = Retention()
    package var retentionInterval: Duration = .seconds(60)
    /// The interval at which memory that jobs have freed is returned to the system.
    package var memoryInterval: Duration = .seconds(5)
    /// The time for which running jobs may continue after a drain began, before they are released.
    package var drainGrace: Duration = .seconds(20)

    /// The interval at which it looks whether an operator drains it.
    package var drainCheckInterval: Duration = .seconds(1)
    /// The time for which running jobs may continue after an operator began a drain; then they are stopped, and handed
    /// back within `idleLeaseLimit`.
    package var heldGrace: Duration = .seconds(14)

    /// The version of the program, for operators.
    package var version = ""

    package init() {}

    /// The number of jobs of each queue that may be claimed, given those that run.
    ///
    /// Background jobs get all free slots except the rest of the reserve, which is at least one slot. Interactive jobs
    /// get slots beyond the reserve claim by claim. A reserve as large as the worker leaves background jobs one slot,
    /// and a worker for one job has one slot for each queue, so that neither starves.
    func slots(running: [QueueName: Int]) -> [QueueName: Int] {
        let interactive = running[.interactive, default: 0]
        let background = running[.background, default: 0]
        let total = max(2, concurrency)
        let free = max(0, total - interactive - background)
        let reserve = min(max(1, min(interactiveReserve, total - 1) - interactive), free)
        return [.interactive: reserve, .background: free - reserve]
    }
}
