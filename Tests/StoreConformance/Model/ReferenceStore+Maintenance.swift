import JobQueue
import TestSupport

/// Cancels and retries, registration and death of workers, deadlines, retention and the state of the fleet.
extension ReferenceStore {
    /// - Returns: Whether the user has such a job.
    mutating func cancel(_ id: JobID, of user: UserID?) -> Bool {
        guard let index = index(of: id), user == nil || jobs[index].user == user else { return false }
        if !jobs[index].isFinished { end(index, as: .cancelled, error: nil) }
        return true
    }

    mutating func retry(_ id: JobID, of user: UserID?) -> Submitted? {
        guard let index = index(of: id), user == nil || jobs[index].user == user else { return nil }
        let job = jobs[index]
        guard job.status == .failed || job.status == .cancelled else { return .existing(id) }
        if let joined = unfinished(joining: job.asked.uniqueKey, of: job.user) { return .existing(joined) }
        let balance = balance(of: job.user, startingCredits: 0)
        guard balance.remaining >= job.asked.cost else {
            return .insufficientCredits(balance, required: job.asked.cost)
        }
        balances[job.user]?.held += job.asked.cost
        let isBlocked = !line(of: job.asked.concurrencyKey, user: job.user).isEmpty
        if let dropped = job.dropStepsFrom { jobs[index].dropSteps(from: dropped) }
        jobs[index].status = .pending
        jobs[index].deadline = now + job.timeLimit
        jobs[index].dropStepsFrom = nil
        jobs[index].attempt = 0
        jobs[index].isInterrupted = false
        jobs[index].deaths = 0
        jobs[index].progress = 0
        jobs[index].currentStep = nil
        jobs[index].error = nil
        jobs[index].startedAt = nil
        jobs[index].completedAt = nil
        if !resubscribe(index) {
            if isBlocked { jobs[index].place = .blocked } else { place(index) }
        }
        return .accepted(id)
    }

    mutating func register(_ worker: WorkerID) {
        if !heartbeat(worker) { heartbeats.append(WorkerHeartbeat(worker: worker, count: 1)) }
    }

    mutating func heartbeat(_ worker: WorkerID) -> Bool {
        guard let place = heartbeats.firstIndex(where: { $0.worker == worker }) else { return false }
        heartbeats[place].count += 1
        return true
    }

    mutating func deregister(_ worker: WorkerID) {
        guard isKnown(worker) else { return }
        heartbeats.removeAll { $0.worker == worker }
        for id in running(on: worker) {
            if let index = index(of: id) { release(index, deaths: jobs[index].deaths) }
        }
    }

    mutating func rescue(_ heartbeat: WorkerHeartbeat) -> Rescue {
        var rescue = Rescue(requeued: [], poisoned: [])
        guard heartbeats.contains(heartbeat) else { return rescue }
        heartbeats.removeAll { $0 == heartbeat }
        deaths += 1
        let inHand = jobs.filter { $0.worker == heartbeat.worker }
        var suspects = 0
        for job in inHand {
            guard let index = index(of: job.id) else { continue }
            if job.deaths == 0 { jobs[index].firstDeath = deaths }
            let fleetDeaths = deaths - jobs[index].firstDeath + 1
            let isPoison = PoisonRule.blames(
                deaths: job.deaths + 1, fleetDeaths: fleetDeaths,
                isAlone: inHand.allSatisfy { $0.deaths < job.deaths || $0.id == job.id })
            if isPoison {
                end(index, as: .failed, error: .poison)
                rescue.poisoned.append(job.id)
            } else {
                let isSuspect = PoisonRule.suspects(deaths: job.deaths + 1, fleetDeaths: fleetDeaths)
                release(
                    index, after: isSuspect ? PoisonRule.pause(atPosition: suspects) : .zero, deaths: job.deaths + 1)
                if isSuspect { suspects += 1 }
                rescue.requeued.append(job.id)
            }
        }
        return rescue
    }

    private func running(on worker: WorkerID) -> [JobID] { jobs.filter { $0.worker == worker }.map(\.id) }

    mutating func expire(limit: Int) -> [JobID] {
        let late = jobs.filter { !$0.isFinished && $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        for job in late.prefix(limit) {
            // It may just have ended with its shared job.
            guard let index = index(of: job.id), !jobs[index].isFinished else { continue }
            let isNew = jobs[index].position != nil && jobs[index].epoch == 0 && jobs[index].asked.uniqueKey == nil
            end(index, as: .failed, error: .deadlinePassed(waitingFor: isNew ? .noWorker : nil))
        }
        return late.prefix(limit).map(\.id)
    }

    /// Deletes the jobs that the store has deleted, in the order of the store's choice.
    ///
    /// - Returns: Whether these jobs may be deleted, and in this number.
    mutating func deleteFinished(before timestamp: Timestamp, limit: Int, gone: Set<JobID>) -> Bool {
        let old = jobs.filter { job in
            guard let ended = job.completedAt, ended < timestamp else { return false }
            return job.asked.idempotency == nil || job.createdAt < now - .seconds(24 * 3600)
        }
        jobs.removeAll { gone.contains($0.id) }
        return gone.isSubset(of: old.map(\.id)) && gone.count == min(limit, old.count)
    }

    // MARK: Fleet

    enum EnqueueOutcome: Equatable {
        case submitted(Submitted)
        case alreadyEnqueued
        case recorded
    }

    mutating func enqueueScheduledRun(_ run: ScheduledRun, submitting job: NewJob) -> EnqueueOutcome {
        guard let last = scheduledRuns[run.schedule] else {
            scheduledRuns[run.schedule] = run.timestamp
            return .recorded
        }
        guard run.timestamp > last else { return .alreadyEnqueued }
        var job = job
        job.source = .ownRun
        let submitted = submit(job)
        switch submitted {
        case .accepted, .existing: scheduledRuns[run.schedule] = run.timestamp
        case .conflict, .insufficientCredits: break
        }
        return .submitted(submitted)
    }

    mutating func exchange(_ request: BudgetRequest) -> BudgetReply {
        budgets[request.budget, default: SharedBudget()].apply(request, at: now)
    }
}
