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

    /// The running jobs, the oldest ready ones and the money of the whole fleet, which are read at once beside any backlog.
    func fleetState(at now: Timestamp) async throws(StoreError) -> FleetCounts

    /// The pending jobs by their queue. Scheduled ones whose time has come count as ready. Each of them is read, so a
    /// million takes seconds.
    func pendingJobs(at now: Timestamp) async throws(StoreError) -> [QueueName: FleetCounts.QueueCounts]

    /// The jobs that ended since a time, by the interval of their end. PostgreSQL counts those that were submitted within a
    /// day before that time.
    func endedJobs(since time: Timestamp, at now: Timestamp) async throws(StoreError) -> [EndedJobs]

    /// How long jobs submitted since a time that were ready at once waited for their first claim, of the latest 2,000.
    func pickups(since time: Timestamp) async throws(StoreError) -> [Duration]
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
