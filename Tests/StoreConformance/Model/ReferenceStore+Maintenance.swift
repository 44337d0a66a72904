import JobQueue
import TestSupport

/// Clients who cancel and retry, workers that come and go, and who watches over them.
extension ReferenceStore {
    /// - Returns: Whether there is such a job for this user.
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
        if !followAgain(index) {
            if isBlocked { jobs[index].place = .blocked } else { place(index, isReturning: false) }
        }
        return .accepted(id)
    }

    mutating func register(_ worker: WorkerID) {
        if !heartbeat(worker) { beats.append(WorkerHeartbeat(worker: worker, count: 1)) }
    }

    mutating func heartbeat(_ worker: WorkerID) -> Bool {
        guard let place = beats.firstIndex(where: { $0.worker == worker }) else { return false }
        beats[place].count += 1
        return true
    }

    mutating func deregister(_ worker: WorkerID) {
        guard isKnown(worker) else { return }
        beats.removeAll { $0.worker == worker }
        for id in running(on: worker) {
            if let index = index(of: id) { giveBack(index, deaths: jobs[index].deaths) }
        }
    }

    mutating func rescue(_ beat: WorkerHeartbeat) -> Rescue {
        var rescue = Rescue(requeued: [], poisoned: [])
        guard beats.contains(beat) else { return rescue }
        beats.removeAll { $0 == beat }
        deaths += 1
        let inHand = jobs.filter { $0.worker == beat.worker }
        var suspects = 0
        for job in inHand {
            guard let index = index(of: job.id) else { continue }
            if job.deaths == 0 { jobs[index].firstDeath = deaths }
            let isPoison = PoisonRule.blames(
                deaths: job.deaths + 1, fleetDeaths: deaths - jobs[index].firstDeath + 1,
                isAlone: inHand.allSatisfy { $0.deaths < job.deaths || $0.id == job.id })
            if isPoison {
                end(index, as: .failed, error: .poison)
                rescue.poisoned.append(job.id)
            } else {
                let isSuspect = job.deaths + 1 >= PoisonRule.deaths
                giveBack(
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
            // It may have ended with its leader a moment ago.
            guard let index = index(of: job.id), !jobs[index].isFinished else { continue }
            end(index, as: .failed, error: .deadlinePassed)
        }
        return late.prefix(limit).map(\.id)
    }

    /// Deletes what the store deleted; whether those may go and were as many as asked. Which go first is the store's.
    mutating func deleteFinished(before timestamp: Timestamp, limit: Int, gone: Set<JobID>) -> Bool {
        let old = jobs.filter { job in
            guard let ended = job.completedAt, ended < timestamp else { return false }
            return job.asked.idempotency == nil || job.createdAt < now - .seconds(24 * 3600)
        }
        jobs.removeAll { gone.contains($0.id) }
        return gone.isSubset(of: old.map(\.id)) && gone.count == min(limit, old.count)
    }

    // MARK: What a fleet shares

    enum Fired: Equatable {
        case submitted(Submitted)
        case alreadyEnqueued
        case recorded
    }

    mutating func enqueueScheduledRun(_ tick: ScheduledRun, submitting job: NewJob) -> Fired {
        guard let last = ticks[tick.schedule] else {
            ticks[tick.schedule] = tick.timestamp
            return .recorded
        }
        guard tick.timestamp > last else { return .alreadyEnqueued }
        var job = job
        job.source = .ownRun
        let submitted = submit(job)
        switch submitted {
        case .accepted, .existing: ticks[tick.schedule] = tick.timestamp
        case .conflict, .insufficientCredits: break
        }
        return .submitted(submitted)
    }

    mutating func exchange(_ order: BudgetRequest) -> BudgetReply {
        budgets[order.budget, default: SharedBudget()].apply(order, at: now)
    }
}
