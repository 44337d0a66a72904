/// Which of a user's jobs to list, newest first.
package struct JobListQuery: Sendable {
    package enum Position: Hashable, Sendable {
        /// From 1.
        case page(Int)
        /// The jobs older than this one: stays in place while new jobs arrive, and costs the same on every page.
        case after(JobID)
    }

    package var user: UserID
    package var status: JobStatus?
    package var kind: String?
    package var position: Position
    /// At least 1.
    package var perPage: Int

    package init(
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
package struct JobList: Sendable {
    package var jobs: [Job]
    /// All that match, on every page.
    package var total: Int
    /// Whether older ones follow.
    package var hasMore: Bool

    package init(jobs: [Job], total: Int, hasMore: Bool) {
        self.jobs = jobs
        self.total = total
        self.hasMore = hasMore
    }
}
