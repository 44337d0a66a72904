import JobQueue
import TestSupport

/// Where pending jobs wait, and who comes next.
extension ReferenceStore {
    /// What a job had before it was taken from its place.
    struct Left {
        var job: ModelJob
        var heldSlot: Bool { job.holdsSlot }
    }

    /// Lets a job wait for its time, for a slot of its kind, or for a worker.
    mutating func place(_ index: Int, isReturning: Bool) {
        let job = jobs[index]
        if job.runAt != nil {
            jobs[index].place = .scheduled
        } else if job.isLimited, !hasSlot(of: job.kind, for: job.user) {
            jobs[index].place = .waiting
            takePosition(job.user, of: job.kind)
        } else {
            enterReady(index, isReturning: isReturning)
        }
    }

    private mutating func enterReady(_ index: Int, isReturning: Bool) {
        let seat = Seat(queue: jobs[index].queue, user: jobs[index].user)
        var rank = reached[seat.queue] ?? 0
        if !isReturning {
            rank = max(rank, turns[seat].map { $0 + 1 } ?? rank)
            turns[seat] = rank
        }
        jobs[index].place = .ready(rank: rank)
    }

    /// Takes a job from wherever it is.
    mutating func withdraw(_ index: Int) -> Left {
        let job = jobs[index]
        // What it showed of its leader stays.
        jobs[index] = shown(job)
        jobs[index].place = .finished
        jobs[index].runAt = nil
        // A slot that nobody will use.
        if job.rank != nil { turns[Seat(queue: job.queue, user: job.user), default: 0] -= 1 }
        if job.place == .waiting { takePosition(job.user, of: job.kind) }
        return Left(job: job)
    }

    mutating func end(_ index: Int, as status: JobStatus, error: JobError?) {
        let left = withdraw(index)
        jobs[index].status = status
        jobs[index].error = error
        jobs[index].completedAt = now
        jobs[index].dropStepsFrom = nil
        pay(index)
        endSubscribers(of: jobs[index])
        passOnSlot(left)
        passOnConcurrencyKey(left)
    }

    /// Back to pending, as a job that ran before.
    mutating func sendBack(_ index: Int, after pause: Duration) {
        let left = withdraw(index)
        jobs[index].status = .pending
        if pause.wholeMilliseconds > 0 { jobs[index].runAt = now + pause }
        place(index, isReturning: true)
        passOnSlot(left)
    }

    private mutating func passOnConcurrencyKey(_ left: Left) {
        guard !left.job.isBlocked, let next = line(of: left.job.asked.concurrencyKey, user: left.job.user).first,
            let index = index(of: next.id)
        else { return }
        if let runAt = next.runAt, runAt <= now { jobs[index].runAt = nil }
        place(index, isReturning: false)
    }

    // MARK: Slots of kinds with limits

    private func taken(_ kind: String, by user: UserID? = nil) -> Int {
        jobs.count { $0.kind == kind && $0.holdsSlot && (user == nil || $0.user == user) }
    }

    private func waiting(_ kind: String, of user: UserID) -> [ModelJob] {
        jobs.filter { $0.kind == kind && $0.user == user && $0.place == .waiting }
    }

    private func hasFleetSlot(of kind: String) -> Bool { limits[kind]?.fleet.map { taken(kind) < $0 } ?? true }

    private func mayTake(_ user: UserID, _ kind: String) -> Bool {
        limits[kind]?.perUser.map { taken(kind, by: user) < $0 } ?? true
    }

    private func hasSlot(of kind: String, for user: UserID) -> Bool {
        hasFleetSlot(of: kind) && mayTake(user, kind)
    }

    /// Gives a user a place at the end of the round while they could use a slot, and takes it while they could not.
    private mutating func takePosition(_ user: UserID, of kind: String) {
        let isInRound =
            limits[kind]?.fleet != nil && !waiting(kind, of: user).isEmpty && mayTake(user, kind)
        if !isInRound {
            rounds[kind]?.removeAll { $0 == user }
        } else if rounds[kind]?.contains(user) != true {
            rounds[kind, default: []].append(user)
        }
    }

    private mutating func passOnSlot(_ left: Left) {
        guard left.heldSlot else { return }
        takePosition(left.job.user, of: left.job.kind)
        promote(left.job.kind, firstOf: [left.job.user])
    }

    /// Lets waiting jobs through while there are slots: users in turn, or, without a limit for the fleet, each as far
    /// as their own goes.
    private mutating func promote(_ kind: String, firstOf users: [UserID]) {
        if limits[kind]?.fleet == nil {
            for user in users { while mayTake(user, kind), promoteBest(of: user, kind) {} }
            return
        }
        while hasFleetSlot(of: kind), let user = rounds[kind]?.first, promoteBest(of: user, kind) {
            rounds[kind]?.removeFirst()
            takePosition(user, of: kind)
        }
    }

    private mutating func promoteBest(of user: UserID, _ kind: String) -> Bool {
        let best = waiting(kind, of: user).min { $0.isBetter(than: $1) }
        guard let best, let index = index(of: best.id) else { return false }
        enterReady(index, isReturning: best.epoch > 0)
        return true
    }

    mutating func adopt(_ bundle: String, limits changes: [String: ConcurrencyLimits]) {
        self.bundle = bundle
        for (kind, changed) in changes.sorted(by: { $0.key < $1.key }) {
            guard let present = limits[kind] else {
                if !changed.isNone { limits[kind] = changed }
                continue
            }
            guard present != changed else { continue }
            limits[kind] = changed
            rounds[kind] = []
            var users: [UserID] = []
            for job in jobs where job.kind == kind && job.place == .waiting && !users.contains(job.user) {
                users.append(job.user)
            }
            for user in users { takePosition(user, of: kind) }
            promote(kind, firstOf: users)
        }
    }
}

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
