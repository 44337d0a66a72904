internal import JobQueue
internal import Observability

/// A drain that an operator asked for: the worker stays and claims nothing until it is resumed.
extension Worker {
    /// Follows what operators ask for. Jobs that still run some seconds after the begin of a drain are stopped and handed
    /// back.
    func followDrainForever() async {
        var grace: Task<Void, Never>?
        while (try? await Task.sleep(for: configuration.drainCheckInterval)) != nil {
            let asked = await attempt("cannot read whether this worker is to drain") { () async throws(StoreError) in
                try await store.isDraining(liveness.id)
            }
            guard let asked, setHeld(asked) else { continue }
            logger.info(asked ? "an operator drains this worker" : "an operator resumes this worker")
            grace?.cancel()
            grace = asked ? stopJobs(after: configuration.heldGrace) : nil
            // Also withdraws a claim that waits for the next submit.
            claimWakeup.raise()
        }
        grace?.cancel()
    }

    private func stopJobs(after grace: Duration) -> Task<Void, Never> {
        Task { [running] in
            if (try? await Task.sleep(for: grace)) != nil { running.cancelAll() }
        }
    }
}
