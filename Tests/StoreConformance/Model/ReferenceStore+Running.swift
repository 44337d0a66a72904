import JobQueue
import JSON
import TestSupport

/// The writes of workers; `nil` is a lost lease.
extension ReferenceStore {
    func held(_ lease: Lease) -> Int? {
        guard let index = index(of: lease.job), jobs[index].isHeld(by: lease) else { return nil }
        return index
    }

    mutating func report(_ report: ProgressReport) {
        guard let index = held(report.lease) else { return }
        jobs[index].progress = max(jobs[index].progress, min(max(report.progress, 0), 100))
        jobs[index].currentStep = report.currentStep
    }

    /// Appends a step at the position that the store has assigned.
    ///
    /// - Returns: Whether the position is right.
    mutating func append(
        _ step: Step, replacingFrom dropped: Int64?, effects: [Effect], under lease: Lease, at sequence: Int64
    ) -> Bool? {
        book(effects, of: lease)
        guard let index = held(lease) else { return nil }
        jobs[index].deaths = 0
        if let dropped { jobs[index].dropSteps(from: dropped) }
        let same = jobs[index].steps.first { $0.name == step.name && $0.occurrence == step.occurrence }
        if let same {
            if same.inputHash == step.inputHash { return same.sequence == sequence }
            jobs[index].dropSteps(from: same.sequence)
        }
        let isLast = jobs[index].steps.allSatisfy { $0.sequence < sequence }
        var stored = step
        stored.sequence = sequence
        jobs[index].steps.append(stored)
        return isLast
    }

    mutating func complete(_ lease: Lease, with result: JSON, effects: [Effect]) -> Bool {
        book(effects, of: lease)
        guard let index = index(of: lease.job), jobs[index].epoch == lease.epoch else { return false }
        if jobs[index].status == .completed { return true }
        guard jobs[index].isHeld(by: lease) else { return false }
        jobs[index].result = result
        jobs[index].progress = 100
        jobs[index].currentStep = nil
        end(index, as: .completed, error: nil)
        return true
    }

    mutating func fail(_ lease: Lease, with failure: JobFailure) -> Bool {
        book(failure.effects, of: lease)
        guard let index = index(of: lease.job) else { return false }
        if jobs[index].failedEpoch == lease.epoch { return true }
        guard jobs[index].isHeld(by: lease) else { return false }
        jobs[index].failedEpoch = lease.epoch
        switch failure.next {
        case .retry(let pause):
            if let dropped = failure.dropStepsFrom { jobs[index].dropSteps(from: dropped) }
            jobs[index].error = failure.error
            returnToPending(index, after: pause)
        case .giveUp:
            end(index, as: .failed, error: failure.error)
            jobs[index].dropStepsFrom = failure.dropStepsFrom
        }
        return true
    }

    mutating func snooze(_ leases: [Lease], after pause: Duration) {
        for lease in leases {
            if let index = held(lease) { release(index, after: pause, deaths: jobs[index].deaths) }
        }
    }

    /// Returns a job to pending without costing an attempt: the next run continues this one.
    mutating func release(_ index: Int, after pause: Duration = .zero, deaths: Int) {
        jobs[index].isInterrupted = true
        jobs[index].deaths = deaths
        returnToPending(index, after: pause)
    }
}

/// The books of model calls.
extension ReferenceStore {
    /// The answer to a booking, with the sum of the billed user's day.
    enum Booking: Equatable {
        case booked(Int64)
        case refused(Int64)
    }

    /// Books a call that begins; `nil` is a lost lease.
    mutating func begin(_ call: ModelCall, under lease: Lease, limit: Int64?) -> Booking? {
        guard let index = held(lease) else { return nil }
        let spent = spend(of: jobs[index].billedUser)
        if calls[call.id] != nil { return .booked(spent) }
        if let limit, spent + call.costMicroDollars > limit { return .refused(spent) }
        settle(call, of: lease)
        return .booked(spent + call.costMicroDollars)
    }

    /// Books the end of a call, under a void lease as well: it was made.
    mutating func settle(_ call: ModelCall, of lease: Lease) {
        if let booked = calls[call.id]?.call {
            let isBetter =
                booked.state == .running || booked.certainty < call.certainty
                || (booked.state == .cut && booked.certainty == call.certainty)
            if isBetter { calls[call.id]?.call = call }
        } else if let job = job(lease.job) {
            calls[call.id] = PaidCall(call: call, lease: lease, user: job.billedUser, kind: job.kind, at: now)
        }
    }

    /// Ends running calls whose lease is void.
    ///
    /// - Returns: Their number.
    mutating func closeCalls() -> Int {
        let abandoned = calls.filter { $0.value.call.state == .running && held($0.value.lease) == nil }.keys
        for id in abandoned { calls[id]?.call.state = .cut }
        return abandoned.count
    }

    fileprivate mutating func book(_ effects: [Effect], of lease: Lease) {
        for call in effects.modelCalls { settle(call, of: lease) }
    }
}

extension ModelJob {
    /// The user whose day the job's calls count for.
    fileprivate var billedUser: UserID { asked.billedUser ?? user }
}

/// Shared jobs and their subscribers, and jobs that are submitted with a result.
extension ReferenceStore {
    /// A job as its owner sees it: a subscriber shows the progress of its shared job.
    func shown(_ job: ModelJob) -> ModelJob {
        guard case .subscribed(to: let id) = job.place, let sharedJob = self.job(id) else { return job }
        var shown = job
        shown.status = sharedJob.status
        shown.error = sharedJob.error
        shown.progress = sharedJob.progress
        shown.currentStep = sharedJob.currentStep
        shown.attempt = sharedJob.attempt
        shown.startedAt = sharedJob.startedAt.map { max($0, job.createdAt) }
        return shown
    }

    /// The unfinished shared job of some work, or a new one.
    mutating func sharedJob(for work: SharedWork, of asked: NewJob) -> JobID {
        if let sharedJob = unfinished(joining: work.key, of: work.owner) { return sharedJob }
        _ = submit(asked.sharedJob(of: work))
        return work.id
    }

    mutating func append(_ asked: NewJob, subscribingTo sharedJob: JobID) {
        let index = append(asked)
        jobs[index].place = .subscribed(to: sharedJob)
        jobs[index].sharedJob = sharedJob
    }

    mutating func append(_ asked: NewJob, with result: JSON) {
        let index = append(asked)
        jobs[index].status = .completed
        jobs[index].runAt = nil
        jobs[index].progress = 100
        jobs[index].result = result
        jobs[index].completedAt = now
        pay(index)
    }

    /// Ends all subscribers as the shared job has ended.
    mutating func endSubscribers(of sharedJob: ModelJob) {
        for index in jobs.indices where jobs[index].isSubscribed(to: sharedJob.id) {
            jobs[index] = shown(jobs[index])
            jobs[index].place = .finished
            jobs[index].completedAt = now
            jobs[index].result = sharedJob.result
            pay(index)
        }
    }

    /// Settles or releases the hold of an ended job.
    mutating func pay(_ index: Int) {
        let cost = jobs[index].asked.cost
        balances[jobs[index].user]?.held -= cost
        if jobs[index].status == .completed { balances[jobs[index].user]?.used += cost }
    }

    /// Subscribes a retried job to a shared job, if there can be one.
    mutating func resubscribe(_ index: Int) -> Bool {
        guard let work = jobs[index].asked.sharedWork, let last = jobs[index].sharedJob else { return false }
        if unfinished(joining: work.key, of: work.owner) == nil, let sharedJob = job(last),
            sharedJob.user == work.owner, sharedJob.asked.uniqueKey == work.key
        {
            _ = retry(last, of: nil)
        }
        guard let sharedJob = unfinished(joining: work.key, of: work.owner) else { return false }
        jobs[index].place = .subscribed(to: sharedJob)
        jobs[index].sharedJob = sharedJob
        return true
    }
}
