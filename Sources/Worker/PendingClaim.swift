internal import JobQueue

/// A claim of an idle worker that waits for the next submit of its process, and takes its jobs in that transaction.
struct PendingClaim {
    /// The largest number of jobs that it takes of each queue.
    let slots: [QueueName: Int]
    private let task: Task<Claim?, Never>

    /// Waits for a submit until it is ended, and wakes the worker when it has taken jobs. `nil` when no job could run,
    /// or when the store has no piggybacked claims.
    ///
    /// A failed claim may have taken jobs all the same. The worker's next claim returns them, so the worker is woken
    /// soon.
    init?(
        for worker: WorkerID, upTo slots: [QueueName: Int], in store: any JobStore, waking wakeup: Wakeup
    ) {
        guard let store = store as? any PiggybackedClaims, slots.values.contains(where: { $0 > 0 }) else { return nil }
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

    /// Ends the wait.
    ///
    /// - Returns: The jobs that it took; `nil` when there are none.
    func end() async -> Claim? {
        task.cancel()
        return await task.value
    }
}
