import JSON
import JobQueue
import TestSupport

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
