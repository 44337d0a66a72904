package import JSON

/// A change of many jobs by an operator. The jobs are those that matched its filter at its begin; brokers work through
/// them, one at a time, and another goes on where one has died.
package struct BulkOperation: Hashable, Sendable {
    package enum Action: String, Sendable, CaseIterable {
        case cancel, retry
    }

    package enum Status: String, Sendable {
        /// Its jobs are being listed. Nothing has changed yet, and nothing will if its broker dies.
        case collecting
        case running, completed
    }

    package var id: String
    package var action: Action
    /// The members of the filter as they were asked for, but for the user.
    package var filter: JSON
    /// The user of the filter.
    package var user: UserID?
    package var note: String?
    package var actor: AuditActor
    package var requestID: String?
    /// A digest of what was asked for.
    package var fingerprint: String
    package var status = Status.collecting
    package var matched = 0
    package var changed = 0
    package var skipped = 0
    package var failed = 0
    package var startedAt: Timestamp
    package var completedAt: Timestamp?

    package var done: Int { changed + skipped + failed }

    /// The largest number of jobs that one operation changes.
    package static let mostJobs = 100_000

    package init(
        id: String, action: Action, filter: JSON, user: UserID?, note: String?, actor: AuditActor, requestID: String?,
        fingerprint: String, startedAt: Timestamp
    ) {
        (self.id, self.action, self.filter, self.user, self.note) = (id, action, filter, user, note)
        (self.actor, self.requestID, self.fingerprint, self.startedAt) = (actor, requestID, fingerprint, startedAt)
    }
}

/// What an operation did to a job.
package struct OperationResult: Hashable, Sendable {
    package enum Outcome: String, Sendable {
        case changed
        /// It could not be changed: it had ended meanwhile, say.
        case skipped
        case failed
    }

    /// Its place in the operation.
    package var place: Int64
    package var job: JobID
    /// `nil` for a job whose turn has not come.
    package var outcome: Outcome?
    /// The reason for which it was not changed.
    package var code: String?

    package init(place: Int64, job: JobID, outcome: Outcome? = nil, code: String? = nil) {
        (self.place, self.job, self.outcome, self.code) = (place, job, outcome, code)
    }
}

/// Keeps the operations on many jobs.
package protocol OperationRepository: Sendable {
    /// Stores an operation that collects its jobs; the earlier one with its id if there is one.
    func prepare(_ operation: BulkOperation) async throws(StoreError) -> BulkOperation

    /// Adds jobs to an operation that collects, from a place on.
    func add(_ jobs: [JobID], to operation: String, from place: Int) async throws(StoreError)

    /// Begins an operation with all of its jobs.
    func start(_ operation: String, matched: Int, audit: AuditEntry) async throws(StoreError) -> BulkOperation?

    func operation(_ id: String) async throws(StoreError) -> BulkOperation?

    /// The jobs of an operation after a place, in their order.
    func results(
        of operation: String, after place: Int64, limit: Int
    ) async throws(StoreError) -> [OperationResult]

    /// The next jobs of the oldest operation that runs and that no other process works on, which `worker` then does
    /// for `lease`.
    func takeOperation(
        for worker: String, lease: Duration, limit: Int
    ) async throws(StoreError) -> (operation: BulkOperation, jobs: [OperationResult])?

    /// Notes what was done, while `worker` still works on the operation; completes the operation after its last job.
    func record(
        _ results: [OperationResult], of operation: String, by worker: String
    ) async throws(StoreError)

    /// Those of the ids that the audit has.
    func auditIDs(among ids: [String]) async throws(StoreError) -> Set<String>

    /// Deletes operations that completed before a time, and those that never began.
    func deleteOperations(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}
