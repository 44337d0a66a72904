/// Which of a user's jobs to list, newest first.
public struct JobListQuery: Sendable {
    public enum Position: Hashable, Sendable {
        /// From 1.
        case page(Int)
        /// The jobs older than this one: stays in place while new jobs arrive, and costs the same on every page.
        case after(JobID)
    }

    public var user: UserID
    public var status: JobStatus?
    public var kind: String?
    public var position: Position
    /// At least 1.
    public var perPage: Int

    public init(
        user: UserID, status: JobStatus? = nil, kind: String? = nil, position: Position = .page(1), perPage: Int = 20
    ) {
        self.user = user
        self.status = status
        self.kind = kind
        self.position = position
        self.perPage = perPage
    }
}

/// One page of jobs.
public struct JobList: Sendable {
    public var jobs: [Job]
    /// All that match, on every page.
    public var total: Int
    /// Whether older ones follow.
    public var hasMore: Bool

    public init(jobs: [Job], total: Int, hasMore: Bool) {
        self.jobs = jobs
        self.total = total
        self.hasMore = hasMore
    }
}
