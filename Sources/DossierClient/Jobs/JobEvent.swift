/// An event of a running submission. A failure is thrown.
public enum JobEvent<Output: Sendable>: Sendable {
    /// First and once: the server has taken the job; credits are held.
    case accepted(Job)
    /// A newer state; revisions only grow, and none comes twice.
    case progress(Job)
    /// Last and once: the result has been read.
    case completed(Output, Job)

    /// The job as it was then.
    public var job: Job {
        switch self {
        case .accepted(let job), .progress(let job), .completed(_, let job): job
        }
    }
}

/// What happens to the job when the task that follows it is cancelled.
public enum CancellationBehavior: Sendable, Hashable {
    /// The job goes on; the submission can be run again.
    case leaveRunning
    /// Asks the server to cancel the job, without making the caller wait for it.
    case cancelJob
}
