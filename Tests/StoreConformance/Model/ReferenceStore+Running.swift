import JobQueue
import JSON
import TestSupport

/// What workers say of the jobs that they run. `nil` stands for a lost lease.
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

    /// Journals a step at the place that the store gave it; whether that place is right.
    mutating func append(
        _ step: Step, replacingFrom dropped: Int64?, effects: [Effect], under lease: Lease, at sequence: Int64
    ) -> Bool? {
        guard let index = held(lease) else { return nil }
        jobs[index].deaths = 0
        if let dropped { jobs[index].dropSteps(from: dropped) }
        apply(effects, of: jobs[index])
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
        guard let index = index(of: lease.job), jobs[index].epoch == lease.epoch else { return false }
        if jobs[index].status == .completed { return true }
        guard jobs[index].isHeld(by: lease) else { return false }
        apply(effects, of: jobs[index])
        jobs[index].result = result
        jobs[index].progress = 100
        jobs[index].currentStep = nil
        end(index, as: .completed, error: nil)
        return true
    }

    mutating func fail(_ lease: Lease, with failure: JobFailure) -> Bool {
        guard let index = index(of: lease.job) else { return false }
        if jobs[index].failedEpoch == lease.epoch { return true }
        guard jobs[index].isHeld(by: lease) else { return false }
        apply(failure.effects, of: jobs[index])
        jobs[index].failedEpoch = lease.epoch
        switch failure.next {
        case .retry(let pause):
            if let dropped = failure.dropStepsFrom { jobs[index].dropSteps(from: dropped) }
            jobs[index].error = failure.error
            sendBack(index, after: pause)
        case .giveUp:
            end(index, as: .failed, error: failure.error)
            jobs[index].dropStepsFrom = failure.dropStepsFrom
        }
        return true
    }

    mutating func snooze(_ leases: [Lease], after pause: Duration) {
        for lease in leases {
            if let index = held(lease) { giveBack(index, after: pause, deaths: jobs[index].deaths) }
        }
    }

    /// Back to pending without the cost of an attempt: the next run continues this one.
    mutating func giveBack(_ index: Int, after pause: Duration = .zero, deaths: Int) {
        jobs[index].isInterrupted = true
        jobs[index].deaths = deaths
        sendBack(index, after: pause)
    }

    private mutating func apply(_ effects: [Effect], of job: ModelJob) {
        for case .recordModelCall(let call) in effects where calls[call.id] == nil {
            calls[call.id] = PaidCall(call: call, user: job.user, kind: job.kind, at: now)
        }
    }
}

/// Jobs that follow a leader, and jobs whose result is there already.
extension ReferenceStore {
    /// A job as its owner sees it: one that follows shows how its leader is doing.
    func shown(_ job: ModelJob) -> ModelJob {
        guard case .following(let id) = job.place, let sharedJob = self.job(id) else { return job }
        var shown = job
        shown.status = sharedJob.status
        shown.error = sharedJob.error
        shown.progress = sharedJob.progress
        shown.currentStep = sharedJob.currentStep
        shown.attempt = sharedJob.attempt
        shown.startedAt = sharedJob.startedAt.map { max($0, job.createdAt) }
        return shown
    }

    /// The unfinished leader of some work, or a new one.
    mutating func lead(_ work: SharedWork, for asked: NewJob) -> JobID {
        if let sharedJob = unfinished(joining: work.key, of: work.owner) { return sharedJob }
        _ = submit(asked.sharedJob(of: work))
        return work.id
    }

    mutating func append(_ asked: NewJob, following sharedJob: JobID) {
        let index = append(asked)
        jobs[index].place = .following(sharedJob)
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

    /// All who follow a job end as it did.
    mutating func endSubscribers(of sharedJob: ModelJob) {
        for index in jobs.indices where jobs[index].follows(sharedJob.id) {
            jobs[index] = shown(jobs[index])
            jobs[index].place = .finished
            jobs[index].completedAt = now
            jobs[index].result = sharedJob.result
            pay(index)
        }
    }

    /// What a job that has ended held is used, or free again.
    mutating func pay(_ index: Int) {
        let cost = jobs[index].asked.cost
        balances[jobs[index].user]?.held -= cost
        if jobs[index].status == .completed { balances[jobs[index].user]?.used += cost }
    }

    /// Lets a job that is tried again follow a leader, if there can be one.
    mutating func followAgain(_ index: Int) -> Bool {
        guard let work = jobs[index].asked.sharedWork, let last = jobs[index].sharedJob else { return false }
        if unfinished(joining: work.key, of: work.owner) == nil, let sharedJob = job(last),
            sharedJob.user == work.owner, sharedJob.asked.uniqueKey == work.key
        {
            _ = retry(last, of: nil)
        }
        guard let sharedJob = unfinished(joining: work.key, of: work.owner) else { return false }
        jobs[index].place = .following(sharedJob)
        jobs[index].sharedJob = sharedJob
        return true
    }
}
