/// What operators read of the jobs of all users.
///
/// No reading costs more because of finished jobs that it does not show; a page looks at a limited number of rows.
package protocol JobAdministration: Sendable {
    /// The jobs that match below a place, newest first. `filter.why` is left to the caller.
    func jobRecords(
        _ filter: JobFilter, below place: Int64, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> JobRecordPage

    func jobRecord(_ id: JobID, at now: Timestamp) async throws(StoreError) -> JobRecord?

    /// The attempts and waits of a job; without any for a job that is gone.
    func history(of record: JobRecord) async throws(StoreError) -> JobHistory

    /// The number of ready jobs of its lane before the job at a place, `limit` at most.
    func jobsAhead(of place: Int64, limit: Int) async throws(StoreError) -> Int

    /// The model calls of a job, the eldest first, `limit` at most.
    func modelCalls(of job: JobID, limit: Int) async throws(StoreError) -> [JobCallRecord]

    /// The provider whose failed call is the error of a job.
    func providerOfLastFailure(of job: JobID) async throws(StoreError) -> String?

    /// The permits of a kind that a user's jobs have.
    func permits(of kind: String, for user: UserID) async throws(StoreError) -> Int

    /// The job to which a pending one subscribes.
    func sharedJob(of job: JobID) async throws(StoreError) -> JobID?

    /// The model calls that run now, by provider.
    func runningCalls() async throws(StoreError) -> [RunningCallCount]

    /// The last success and the last error of each provider's calls since a time.
    func providerSigns(since time: Timestamp) async throws(StoreError) -> [ProviderSigns]

    /// As `fleetCounts`, without the jobs that ended and without pickups.
    func fleetState(at now: Timestamp) async throws(StoreError) -> FleetCounts

    /// Numbers of the whole fleet. The ended jobs are those that were submitted within two days.
    func fleetCounts(at now: Timestamp) async throws(StoreError) -> FleetCounts
}

/// The model calls of one provider that run now.
package struct RunningCallCount: Hashable, Sendable {
    package var provider: String
    package var calls: Int
    /// The last sign of the call that has been silent for longest.
    package var heardAt: Timestamp

    package init(provider: String, calls: Int, heardAt: Timestamp) {
        (self.provider, self.calls, self.heardAt) = (provider, calls, heardAt)
    }
}

/// What a provider answered last.
package struct ProviderSigns: Hashable, Sendable {
    package var provider: String
    package var succeededAt: Timestamp?
    package var error: CallError?
    package var failedAt: Timestamp?
    /// The failed calls after the last success.
    package var failuresInARow: Int

    package init(
        provider: String, succeededAt: Timestamp?, error: CallError?, failedAt: Timestamp?, failuresInARow: Int = 0
    ) {
        (self.provider, self.succeededAt, self.error, self.failedAt) = (provider, succeededAt, error, failedAt)
        self.failuresInARow = failuresInARow
    }
}

/// Numbers of the whole fleet.
package struct FleetCounts: Sendable {
    /// Jobs that ended in some time.
    package struct Ends: Hashable, Sendable {
        package var completed: Int64 = 0
        package var failed: Int64 = 0
        package var cancelled: Int64 = 0
        /// Failed jobs by the code of their errors.
        package var byCode: [String: Int64] = [:]

        package init() {}
    }

    /// The unfinished jobs of one queue by their places.
    package struct QueueCounts: Hashable, Sendable {
        package var ready: Int64
        package var scheduled: Int64
        /// For a permit of their kind.
        package var waiting: Int64
        /// By another job of their concurrency key.
        package var blocked: Int64
        package var running: Int64
        /// The submit of the ready job whose turn is next.
        package var oldestReadyAt: Timestamp?

        package init(
            ready: Int64 = 0, scheduled: Int64 = 0, waiting: Int64 = 0, blocked: Int64 = 0, running: Int64 = 0,
            oldestReadyAt: Timestamp? = nil
        ) {
            (self.ready, self.scheduled, self.waiting) = (ready, scheduled, waiting)
            (self.blocked, self.running, self.oldestReadyAt) = (blocked, running, oldestReadyAt)
        }
    }

    package var queues: [QueueName: QueueCounts]
    package var hour = Ends()
    package var day = Ends()
    package var heldCredits: Int64
    /// How long jobs of the last hour that were ready at once waited for their first claim, of the latest 2,000 jobs.
    package var pickups: [Duration] = []
    /// What the service has spent today, in millionths of a dollar.
    package var spentToday: Int64

    package init(queues: [QueueName: QueueCounts], heldCredits: Int64, spentToday: Int64) {
        (self.queues, self.heldCredits, self.spentToday) = (queues, heldCredits, spentToday)
    }
}
