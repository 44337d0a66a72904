internal import JobQueue
internal import Observability
internal import Synchronization

/// How a worker comes by its jobs: at every signal it claims, and when it has found nothing more it stands by for what its
/// own process submits.
extension Worker {
    private enum NextClaim {
        /// More may be ready and slots are free.
        case now
        /// At the next signal, and after this pause at the latest.
        case later(Duration?)
    }

    func forwardReadySignals() async {
        for await _ in store.changes(.ready) { claimWakeup.raise() }
    }

    func claimUntilDrained() async {
        await withTaskGroup { jobs in
            var timer: Task<Void, Never>?
            var standing: PendingClaim?
            for await _ in claimWakeup.signals where !isDraining {
                var next: NextClaim? = .now
                let hasNews = claimWakeup.takeNews()
                if let ended = standing, let claim = await ended.end() {
                    let after = await take(claim, for: ended.slots, into: &jobs)
                    if !hasNews { next = after }
                }
                standing = nil
                while case .now = next { next = await claimOnce(into: &jobs) }
                timer?.cancel()
                guard case .later(let pause) = next else { continue }
                timer = pause.map(wakeTask)
                standing = PendingClaim(for: presence.id, upTo: freeSlots, in: store, waking: claimWakeup)
            }
            timer?.cancel()
            for job in await standing?.end()?.jobs ?? [] { start(job, in: &jobs) }
            await finishJobs(&jobs)
        }
    }

    private func wakeTask(after pause: Duration) -> Task<Void, Never> {
        Task { [claimWakeup] in
            if (try? await Task.sleep(for: pause)) != nil { claimWakeup.raise() }
        }
    }

    /// How many more jobs of each lane may run.
    private var freeSlots: [QueueName: Int] {
        configuration.slots(
            running: [.interactive: running.count(by: .interactive), .background: running.count(by: .background)])
    }

    /// Claims once and starts what it got. `nil` when the worker drains.
    private func claimOnce(into jobs: inout TaskGroup<Void>) async -> NextClaim? {
        guard !isDraining else { return nil }
        pace.withLock { $0.begin() }
        let slots = freeSlots
        guard slots.values.reduce(0, +) > 0 else {
            return pace.withLock { $0.finish(isShort: true) } ? .now : .later(nil)
        }
        do {
            return await take(try await store.claim(for: presence.id, upTo: slots), for: slots, into: &jobs)
        } catch {
            if error != .workerUnknown { noteFailure(error) }
            // What became free meanwhile is looked at then.
            _ = pace.withLock { $0.finish(isShort: true) }
            return .later(.seconds(1))
        }
    }

    /// Starts what a claim for so many jobs brought.
    private func take(
        _ claim: Claim, for slots: [QueueName: Int], into jobs: inout TaskGroup<Void>
    ) async -> NextClaim {
        for job in claim.jobs { start(job, in: &jobs) }
        let full = QueueName.allCases.filter { queue in
            slots[queue, default: 0] == claim.jobs.count { $0.queue == queue }
        }
        let isOverdue = pace.withLock { $0.finish(isShort: !full.isEmpty) }
        if isOverdue || full.contains(where: { slots[$0, default: 0] > 0 }) { return .now }
        if !claim.jobs.isEmpty { await rest() }
        guard let due = claim.nextDue else { return .later(claim.timeout) }
        do {
            let pause = max(due - (try await store.now()), .milliseconds(1))
            return .later(min(pause, claim.timeout ?? pause))
        } catch {
            noteFailure(error)
            return .later(.seconds(1))
        }
    }

    private func noteFailure(_ error: StoreError) {
        logger.error("cannot claim; trying again", ["reason": .string(error.description)])
    }

    /// Lets others gather where many jobs run and more keep coming.
    private func rest() async {
        let pause = pace.withLock { $0.rest(afterClaimAt: .now, running: running.count) }
        if pause > .zero { try? await Task.sleep(for: pause) }
    }
}
