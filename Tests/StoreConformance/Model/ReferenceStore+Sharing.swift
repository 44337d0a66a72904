import JSON
import JobQueue

/// Jobs that follow a leader, and jobs whose result is there already.
extension ReferenceStore {
    /// A job as its owner sees it: one that follows shows how its leader is doing.
    func shown(_ job: ModelJob) -> ModelJob {
        guard case .following(let id) = job.place, let leader = self.job(id) else { return job }
        var shown = job
        shown.status = leader.status
        shown.error = leader.error
        shown.progress = leader.progress
        shown.currentStep = leader.currentStep
        shown.attempt = leader.attempt
        shown.startedAt = leader.startedAt.map { max($0, job.createdAt) }
        return shown
    }

    /// The unfinished leader of some work, or a new one.
    mutating func lead(_ work: SharedWork, for asked: NewJob) -> JobID {
        if let leader = unfinished(joining: work.key, of: work.owner) { return leader }
        _ = submit(asked.leader(of: work))
        return work.id
    }

    mutating func append(_ asked: NewJob, following leader: JobID) {
        let index = append(asked)
        jobs[index].place = .following(leader)
        jobs[index].leader = leader
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
    mutating func endFollowers(of leader: ModelJob) {
        for index in jobs.indices where jobs[index].follows(leader.id) {
            jobs[index] = shown(jobs[index])
            jobs[index].place = .finished
            jobs[index].completedAt = now
            jobs[index].result = leader.result
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
        guard let work = jobs[index].asked.sharedWork, let last = jobs[index].leader else { return false }
        if unfinished(joining: work.key, of: work.owner) == nil, let leader = job(last),
            leader.user == work.owner, leader.asked.joinKey == work.key
        {
            _ = retry(last, of: nil)
        }
        guard let leader = unfinished(joining: work.key, of: work.owner) else { return false }
        jobs[index].place = .following(leader)
        jobs[index].leader = leader
        return true
    }
}
