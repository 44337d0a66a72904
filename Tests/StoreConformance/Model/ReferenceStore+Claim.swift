import JobQueue
import TestSupport

extension ReferenceStore {
    /// Lets jobs whose time has come wait for a worker.
    mutating func makeDue() {
        let due = jobs.filter { $0.place == .scheduled && ($0.runAt.map { $0 <= now } ?? false) }
        for job in due.sorted(by: { ($0.runAt ?? now, $0.number) < ($1.runAt ?? now, $1.number) }) {
            guard let index = index(of: job.id) else { continue }
            jobs[index].runAt = nil
            place(index, isReturning: job.epoch > 0)
        }
    }

    var nextDue: Timestamp? { jobs.filter { $0.place == .scheduled }.compactMap(\.runAt).min() }

    /// Takes the slot whose turn it is in a lane, once for each job that the store took.
    ///
    /// - Returns: The jobs that were to be had, in the place of the first that was not allowed, or after the last.
    mutating func claim(_ taken: [JobID], upTo slots: Int, in queue: QueueName, for worker: WorkerID) -> String? {
        var highest = reached[queue] ?? 0
        for (place, id) in taken.enumerated() {
            let allowed = place < slots ? candidates(in: queue) : []
            guard let choice = allowed.first(where: { $0.best.id == id }) else {
                return "claim \(place + 1) of the lane \(queue) took \(id), allowed: \(allowed.map(\.best.id))"
            }
            highest = max(highest, choice.rank)
            if choice.best.id != choice.standing.id, let standing = index(of: choice.standing.id),
                let rank = choice.best.rank
            {
                jobs[standing].place = .ready(rank: rank)
            }
            run(choice.best.id, on: worker)
        }
        reached[queue] = highest
        let left = taken.count < slots ? candidates(in: queue) : []
        return left.isEmpty ? nil : "the claim left \(left.map(\.best.id)) in the lane \(queue)"
    }

    /// A slot that comes first, the job that stands there, and the best of its user's, which gets it.
    private struct Candidate {
        var rank: Int
        var standing: ModelJob
        var best: ModelJob
    }

    /// One for each user who has a slot of the lowest rank.
    private func candidates(in queue: QueueName) -> [Candidate] {
        let ready = jobs.filter { $0.queue == queue && $0.rank != nil }
        guard let rank = ready.compactMap(\.rank).min() else { return [] }
        let first = ready.filter { $0.rank == rank }
        return Set(first.map(\.user)).compactMap { user in
            guard let standing = first.first(where: { $0.user == user }),
                let best = ready.filter({ $0.user == user }).min(by: { $0.isBetter(than: $1) })
            else { return nil }
            return Candidate(rank: rank, standing: standing, best: best)
        }
    }

    private mutating func run(_ id: JobID, on worker: WorkerID) {
        guard let index = index(of: id) else { return }
        jobs[index].place = .running(worker)
        jobs[index].status = .processing
        jobs[index].epoch += 1
        if !jobs[index].isInterrupted {
            jobs[index].attempt += 1
            jobs[index].progress = 0
            jobs[index].currentStep = nil
        }
        jobs[index].isInterrupted = false
        jobs[index].error = nil
        if jobs[index].startedAt == nil { jobs[index].startedAt = now }
    }

    func leases(of worker: WorkerID) -> Set<Lease> {
        Set(jobs.filter { $0.worker == worker }.map { Lease(job: $0.id, epoch: $0.epoch) })
    }
}
