/// Counts jobs for metrics.
package protocol StoreTallies: Sendable {
    /// The jobs that were submitted since a moment by kind and status, and all unfinished ones by kind and place. The
    /// work grows with these jobs, not with all that are kept.
    func tally(submittedSince timestamp: Timestamp) async throws(StoreError) -> [JobTally]
}

/// How many jobs of a kind there are of one sort.
package struct JobTally: Hashable, Sendable {
    /// What was counted.
    package enum Sort: String, Sendable, Hashable {
        /// Submitted since the moment, whatever has become of them.
        case recent = "job"
        /// Unfinished: ready to be claimed.
        case ready
        /// Unfinished: their time has not come.
        case scheduled
        /// Unfinished: waiting for a slot of their kind.
        case waiting
        /// Unfinished: behind another job of their serial key.
        case blocked
        /// Unfinished: with a worker.
        case running
    }

    package var sort: Sort
    package var kind: String
    package var status: JobStatus
    package var count: Int

    package init(sort: Sort, kind: String, status: JobStatus, count: Int) {
        self.sort = sort
        self.kind = kind
        self.status = status
        self.count = count
    }
}
