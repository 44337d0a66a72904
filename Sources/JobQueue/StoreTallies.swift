/// Counts jobs for metrics.
public protocol StoreTallies: Sendable {
    /// The jobs that were submitted since a moment by kind and status, and all unfinished ones by kind and place. The
    /// work grows with these jobs, not with all that are kept.
    func tally(submittedSince moment: Timestamp) async throws(StoreError) -> [JobTally]
}

/// How many jobs of a kind there are of one sort.
public struct JobTally: Hashable, Sendable {
    /// What was counted.
    public enum Sort: String, Sendable, Hashable {
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

    public var sort: Sort
    public var kind: String
    public var status: JobStatus
    public var count: Int

    public init(sort: Sort, kind: String, status: JobStatus, count: Int) {
        self.sort = sort
        self.kind = kind
        self.status = status
        self.count = count
    }
}

extension JobTally {
    package init(_ row: inout some StoredRow) throws {
        let word = row.text()
        guard let sort = Sort(rawValue: word) else { throw StoreError.unexpected(reason: "a count of '\(word)'") }
        self.init(sort: sort, kind: row.text(), status: try row.status(), count: row.int())
    }
}
