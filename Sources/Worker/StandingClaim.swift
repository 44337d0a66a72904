internal import JobQueue

/// A claim of a worker that waits: it takes what its process submits next, in the transaction of the submit.
struct PendingClaim {
    /// Up to how many jobs of each lane it takes.
    let slots: [QueueName: Int]
    private let task: Task<Claim?, Never>

    /// Waits for a submit until it is ended, and wakes the worker when it has brought jobs; `nil` when none could run.
    ///
    /// Where it fails it may have taken jobs all the same. The worker's next claim brings them, so that comes soon.
    init?(
        for worker: WorkerID, upTo slots: [QueueName: Int], in store: any JobStore, waking wakeup: Wakeup
    ) {
        guard slots.values.contains(where: { $0 > 0 }) else { return nil }
        self.slots = slots
        task = Task {
            do {
                let claim = try await store.claimWithNextSubmit(for: worker, upTo: slots)
                if claim != nil { wakeup.nudge() }
                return claim
            } catch {
                if (try? await Task.sleep(for: .seconds(1))) != nil { wakeup.raise() }
                return nil
            }
        }
    }

    /// Waits no longer.
    ///
    /// - Returns: What it took; `nil` when that is nothing.
    func end() async -> Claim? {
        task.cancel()
        return await task.value
    }
}
