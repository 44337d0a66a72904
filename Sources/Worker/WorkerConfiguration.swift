internal import JobQueue

/// How a worker process behaves.
package struct WorkerConfiguration: Sendable {
    /// Jobs that run at once.
    package var concurrency: Int = 200
    /// How many of them are kept free for jobs that somebody waits for.
    package var interactiveReserve: Int = 20
    package var heartbeatInterval: Duration = .seconds(3)
    /// Without a successful heartbeat for so long, no new model call is started.
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
    /// How long running jobs may go on after a drain began, before they are handed back.
    package var drainGrace: Duration = .seconds(20)

    package init() {}

    /// How many jobs of each lane may be claimed, given those that run.
    ///
    /// Background jobs never take what is left of the reserve; whatever else is free is theirs, but for one slot.
    /// Interactive jobs that find more slots free than the reserve get them claim by claim. A reserve as large as the
    /// worker leaves background jobs one slot, and a worker for one job has one for each lane: neither may starve.
    func slots(running: [QueueName: Int]) -> [QueueName: Int] {
        let interactive = running[.interactive, default: 0]
        let background = running[.background, default: 0]
        let total = max(2, concurrency)
        let free = max(0, total - interactive - background)
        let reserve = min(max(1, min(interactiveReserve, total - 1) - interactive), free)
        return [.interactive: reserve, .background: free - reserve]
    }
}
