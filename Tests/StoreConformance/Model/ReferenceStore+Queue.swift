import JobQueue
import TestSupport

/// The places of pending jobs, and the order of claims.
extension ReferenceStore {
    /// A job before its withdrawal from its place.
    struct Withdrawn {
        var job: ModelJob
        var heldPermit: Bool { job.holdsPermit }
    }

    /// Lets a job wait for its time, for a permit of its kind, or for a worker.
    mutating func place(_ index: Int) {
        let job = jobs[index]
        if job.runAt != nil {
            jobs[index].place = .scheduled
        } else if job.isLimited, !hasPermit(of: job.kind, for: job.user) {
            jobs[index].place = .waiting
            updateRotation(job.user, of: job.kind)
        } else {
            enterReady(index)
        }
    }

    private mutating func enterReady(_ index: Int) {
        let userQueue = UserQueue(queue: jobs[index].queue, user: jobs[index].user)
        var position = reached[userQueue.queue] ?? 0
        position = max(position, positions[userQueue].map { $0 + 1 } ?? position)
        positions[userQueue] = position
        jobs[index].place = .ready(position: position)
    }

    /// Removes a job from its place.
    mutating func withdraw(_ index: Int) -> Withdrawn {
        let job = jobs[index]
        // The job keeps the progress of its shared job.
        jobs[index] = shown(job)
        jobs[index].place = .finished
        jobs[index].runAt = nil
        leaveReady(job)
        if job.place == .waiting { updateRotation(job.user, of: job.kind) }
        return Withdrawn(job: job)
    }

    /// Gives the position of a job that will not run to its user's last job, unless the queue has passed it.
    private mutating func leaveReady(_ job: ModelJob) {
        guard let freed = job.position, freed >= reached[job.queue] ?? 0 else { return }
        let later = jobs.indices.filter { index in
            jobs[index].user == job.user && jobs[index].queue == job.queue && (jobs[index].position ?? freed) > freed
        }
        if let last = later.max(by: { (jobs[$0].position ?? 0) < (jobs[$1].position ?? 0) }) {
            jobs[last].place = .ready(position: freed)
        }
        positions[UserQueue(queue: job.queue, user: job.user), default: 0] -= 1
    }

    mutating func end(_ index: Int, as status: JobStatus, error: JobError?) {
        let left = withdraw(index)
        jobs[index].status = status
        jobs[index].error = error
        jobs[index].completedAt = now
        jobs[index].dropStepsFrom = nil
        pay(index)
        endSubscribers(of: jobs[index])
        promoteWaiting(left)
        unblockNext(left)
    }

    /// Returns a job that ran before to pending.
    mutating func returnToPending(_ index: Int, after pause: Duration) {
        let left = withdraw(index)
        jobs[index].status = .pending
        if pause.wholeMilliseconds > 0 { jobs[index].runAt = now + pause }
        place(index)
        promoteWaiting(left)
    }

    private mutating func unblockNext(_ left: Withdrawn) {
        guard !left.job.isBlocked, let next = line(of: left.job.asked.concurrencyKey, user: left.job.user).first,
            let index = index(of: next.id)
        else { return }
        if let runAt = next.runAt, runAt <= now { jobs[index].runAt = nil }
        place(index)
    }

    // MARK: Permits of kinds with limits

    private func taken(_ kind: String, by user: UserID? = nil) -> Int {
        jobs.count { $0.kind == kind && $0.holdsPermit && (user == nil || $0.user == user) }
    }

    private func waiting(_ kind: String, of user: UserID) -> [ModelJob] {
        jobs.filter { $0.kind == kind && $0.user == user && $0.place == .waiting }
    }

    private func hasFleetPermit(of kind: String) -> Bool { limits[kind]?.fleet.map { taken(kind) < $0 } ?? true }

    private func mayTake(_ user: UserID, _ kind: String) -> Bool {
        limits[kind]?.perUser.map { taken(kind, by: user) < $0 } ?? true
    }

    private func hasPermit(of kind: String, for user: UserID) -> Bool {
        hasFleetPermit(of: kind) && mayTake(user, kind)
    }

    /// Keeps a user in the rotation exactly while the user could take a permit of the fleet.
    private mutating func updateRotation(_ user: UserID, of kind: String) {
        let belongs =
            limits[kind]?.fleet != nil && !waiting(kind, of: user).isEmpty && mayTake(user, kind)
        if !belongs {
            rotations[kind]?.removeAll { $0 == user }
        } else if rotations[kind]?.contains(user) != true {
            rotations[kind, default: []].append(user)
        }
    }

    private mutating func promoteWaiting(_ left: Withdrawn) {
        guard left.heldPermit else { return }
        updateRotation(left.job.user, of: left.job.kind)
        promote(left.job.kind, firstOf: [left.job.user])
    }

    /// Promotes waiting jobs while there are permits: users in turn, or, without a limit for the fleet, each user up to
    /// their own limit.
    private mutating func promote(_ kind: String, firstOf users: [UserID]) {
        if limits[kind]?.fleet == nil {
            for user in users { while mayTake(user, kind), promoteBest(of: user, kind) {} }
            return
        }
        while hasFleetPermit(of: kind), let user = rotations[kind]?.first, promoteBest(of: user, kind) {
            rotations[kind]?.removeFirst()
            updateRotation(user, of: kind)
        }
    }

    private mutating func promoteBest(of user: UserID, _ kind: String) -> Bool {
        let best = waiting(kind, of: user).min { $0.isBetter(than: $1) }
        guard let best, let index = index(of: best.id) else { return false }
        enterReady(index)
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
            rotations[kind] = []
            var users: [UserID] = []
            for job in jobs where job.kind == kind && job.place == .waiting && !users.contains(job.user) {
                users.append(job.user)
            }
            for user in users { updateRotation(user, of: kind) }
            promote(kind, firstOf: users)
        }
    }
}

extension ReferenceStore {
    /// Makes due jobs ready.
    mutating func makeDue() {
        let due = jobs.filter { $0.place == .scheduled && ($0.runAt.map { $0 <= now } ?? false) }
        for job in due.sorted(by: { ($0.runAt ?? now, $0.number) < ($1.runAt ?? now, $1.number) }) {
            guard let index = index(of: job.id) else { continue }
            jobs[index].runAt = nil
            place(index)
        }
    }

    var nextDue: Timestamp? { jobs.filter { $0.place == .scheduled }.compactMap(\.runAt).min() }

    /// Claims the first position of a queue once for each job that the store claimed.
    ///
    /// - Returns: The difference: the allowed jobs in place of the first wrong one, or the jobs that the claim left.
    mutating func claim(_ taken: [JobID], upTo capacity: Int, in queue: QueueName, for worker: WorkerID) -> String? {
        var highest = reached[queue] ?? 0
        for (place, id) in taken.enumerated() {
            let allowed = place < capacity ? candidates(in: queue) : []
            guard let choice = allowed.first(where: { $0.best.id == id }) else {
                return "claim \(place + 1) of the queue \(queue) took \(id), allowed: \(allowed.map(\.best.id))"
            }
            highest = max(highest, choice.position)
            if choice.best.id != choice.holder.id, let holder = index(of: choice.holder.id),
                let position = choice.best.position
            {
                jobs[holder].place = .ready(position: position)
            }
            run(choice.best.id, on: worker)
        }
        reached[queue] = highest
        let left = taken.count < capacity ? candidates(in: queue) : []
        return left.isEmpty ? nil : "the claim left \(left.map(\.best.id)) in the queue \(queue)"
    }

    /// A first position, the job that has it, and the user's best job, which gets it.
    private struct Candidate {
        var position: Int
        var holder: ModelJob
        var best: ModelJob
    }

    /// One candidate for each user with the lowest position.
    private func candidates(in queue: QueueName) -> [Candidate] {
        let ready = jobs.filter { $0.queue == queue && $0.position != nil }
        guard let position = ready.compactMap(\.position).min() else { return [] }
        let first = ready.filter { $0.position == position }
        return Set(first.map(\.user)).compactMap { user in
            guard let holder = first.first(where: { $0.user == user }),
                let best = ready.filter({ $0.user == user }).min(by: { $0.isBetter(than: $1) })
            else { return nil }
            return Candidate(position: position, holder: holder, best: best)
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
