/// The batches of model calls and their lines.
///
/// A line is in one batch that is not collected at most: its row names the batch. A worker works on a batch under a
/// lease, whose number grows at each take; a change under an older lease changes nothing.
package protocol BatchStore: Sendable {
    /// Asks by batch under the lease of a run.
    ///
    /// A line that is not known yet is booked at its estimate and stored. If the reply is `waiting`, the run has ended
    /// in the same transaction: the job is pending without a place, a permit or a lease until its line has an outcome,
    /// and until its last chance at the latest.
    ///
    /// - Throws: `leaseLost`.
    func ask(
        _ question: BatchQuestion, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> BatchReply

    /// The lines that are in no batch, by model.
    func gatherings() async throws(StoreError) -> [Gathering]

    /// The oldest lines for a model that are in no batch, lines that are to be alone first. Lines of finished jobs and
    /// lines whose last chance has come are not among them: they leave, and their bookings end at no cost.
    func gatheredLines(
        for model: String, of provider: String, limit: Int
    ) async throws(StoreError) -> [BatchLine]

    /// Stores a batch with its lines.
    ///
    /// - Returns: Whether all lines were still in no batch; otherwise nothing is stored.
    func seal(_ batch: ModelBatch, of customIDs: [String]) async throws(StoreError) -> Bool

    /// Takes the batch of one of these providers that has been due longest, by a lease.
    func takeBatch(of providers: [String], for time: Duration) async throws(StoreError) -> LeasedBatch?

    /// Stores a change of a batch.
    ///
    /// - Parameters:
    ///   - leased: The lease.
    ///   - batch: The batch after the change.
    ///   - time: The rest of the lease from now on; zero ends it.
    /// - Returns: Whether the lease is in force; otherwise nothing is stored.
    /// - Throws: The error of the database.
    func change(_ leased: LeasedBatch, to batch: ModelBatch, keepingFor time: Duration) async throws(StoreError) -> Bool

    /// The lines of a batch that have no outcome yet.
    func openLines(of batch: String) async throws(StoreError) -> [BatchLine]

    /// Stores the outcomes of lines with their bookings, and wakes their jobs, in one transaction. Lines that have an
    /// outcome already, or are in another batch, are passed over.
    ///
    /// - Returns: Whether the lease is in force; otherwise nothing is stored.
    func settle(_ outcomes: [BatchLineOutcome], of leased: LeasedBatch) async throws(StoreError) -> Bool

    /// The provider's ids of the batches that are known.
    func knownProviderIDs(of provider: String, since timestamp: Timestamp) async throws(StoreError) -> Set<String>

    /// Batches that are not collected, and the latest others, newest first.
    func batches(limit: Int) async throws(StoreError) -> [BatchSummary]

    /// The times that the last batches took from their first line to the end, newest first.
    func batchTimes(limit: Int) async throws(StoreError) -> [Duration]

    /// Deletes lines with an outcome and collected batches that are older than a time.
    ///
    /// - Returns: The number of deleted lines and batches.
    func forgetBatches(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int
}

/// A batch under a lease.
package struct LeasedBatch: Hashable, Sendable {
    package var batch: ModelBatch
    /// The number of the lease.
    package var fence: Int64

    package init(batch: ModelBatch, fence: Int64) {
        self.batch = batch
        self.fence = fence
    }
}

/// A batch for operators.
package struct BatchSummary: Hashable, Sendable {
    package var batch: ModelBatch
    /// The lines that have an outcome.
    package var done: Int
    /// The cost of its lines; of those without an outcome the estimate.
    package var costMicroDollars: Int64

    package init(batch: ModelBatch, done: Int, costMicroDollars: Int64) {
        self.batch = batch
        self.done = done
        self.costMicroDollars = costMicroDollars
    }
}
