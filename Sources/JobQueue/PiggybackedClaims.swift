/// A store that can claim jobs in the transactions of this process's submits, which spares an idle worker a round trip.
package protocol PiggybackedClaims: JobStore {
    /// Waits for the next submit of this process, and claims its jobs as `claim` does, in the transaction of the
    /// submit.
    ///
    /// Jobs of other processes are announced by `changes`. After an error the claim may have happened all the same: the
    /// worker's next claim then returns its jobs.
    ///
    /// - Returns: The claim, which has at least one job; `nil` when the task was cancelled.
    func claimWithNextSubmit(for worker: WorkerID, upTo capacity: [QueueName: Int]) async throws(StoreError) -> Claim?
}
