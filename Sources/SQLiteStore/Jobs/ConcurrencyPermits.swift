import SQLSupport
internal import JobQueue

/// The permits of kinds with limits, and the jobs that wait for one.
///
/// At the end of every transaction no job waits that could have a permit. So a job that finds a free permit may take
/// it: no other job has waited for it.
extension WriteTransaction {
    struct KindLimit {
        var limits: ConcurrencyLimits
        /// Permits in use, counted only while the fleet has a limit.
        var taken: Int

        var hasFree: Bool { limits.fleet.map { taken < $0 } ?? true }
    }

    private struct UserConcurrency {
        var taken = 0
        var waiting = 0
        /// The position in the rotation of users for the fleet's permits.
        var position: Int64?

        func mayTake(_ limits: ConcurrencyLimits) -> Bool { limits.perUser.map { taken < $0 } ?? true }
    }

    func limit(of kind: String) throws -> KindLimit? {
        try database.first(.kindLimitGet, .text(kind)) { row in
            KindLimit(
                limits: ConcurrencyLimits(
                    fleet: row.integerIfAny().map(Int.init), perUser: row.integerIfAny().map(Int.init)),
                taken: row.int())
        }
    }

    /// Sets the limits of a kind that has none yet.
    func setFirstLimits(_ limits: ConcurrencyLimits, of kind: String) throws {
        try database.run(.kindLimitInsert, .text(kind), .integer(limits.fleet), .integer(limits.perUser))
    }

    /// Changes the limits of a kind and promotes the jobs that the new limits allow.
    func change(_ limits: ConcurrencyLimits, of kind: String) throws {
        guard let present = try limit(of: kind) else {
            if !limits.isNone { try setFirstLimits(limits, of: kind) }
            return
        }
        guard present.limits != limits else { return }
        try database.run(.kindLimitChange, .text(kind), .integer(limits.fleet), .integer(limits.perUser))
        try database.run(.userConcurrencyClearPositions, .text(kind))
        let users = try database.all(.userConcurrencyWaiting, .text(kind)) { UserID(rawValue: $0.integer()) }
        for user in users { try updateRotation(user, of: kind, limits) }
        if limits.fleet == nil {
            for user in users { try promote(kind, limits, of: user) }
        } else {
            try promoteInRotation(kind)
        }
    }

    /// Takes a permit if the user may have one.
    func acquirePermit(of kind: String, for user: UserID) throws -> Bool {
        guard let limit = try limit(of: kind) else {
            throw StoreError.unexpected(reason: "a limited job is of a kind without limits")
        }
        guard limit.hasFree, try concurrency(of: user, kind).mayTake(limit.limits) else { return false }
        try add(taken: 1, to: user, kind)
        return true
    }

    func returnPermit(of kind: String, from user: UserID) throws { try add(taken: -1, to: user, kind) }

    /// Gives the permit that a job has returned to the next waiting job.
    func promoteWaiting(after job: JobState) throws {
        guard job.holdsPermit, let limit = try limit(of: job.kind) else { return }
        try updateRotation(job.user, of: job.kind, limit.limits)
        if limit.limits.fleet == nil {
            try promote(job.kind, limit.limits, of: job.user)
        } else {
            try promoteInRotation(job.kind)
        }
    }

    // MARK: Waiting jobs

    func enterWaiting(_ job: PendingJob) throws {
        try database.run(
            .waitingInsert, .text(job.kind), .user(job.user), .integer(job.priority), .integer(job.number))
        try database.run(.jobWaitForPermit, .integer(job.number))
        try note(JobEvent(.waiting, at: now), of: job.number)
        try add(waiting: 1, to: job.user, job.kind)
        if let limit = try limit(of: job.kind) { try updateRotation(job.user, of: job.kind, limit.limits) }
    }

    func leaveWaiting(_ job: JobState) throws {
        try database.run(
            .waitingDelete, .text(job.kind), .user(job.user), .integer(job.priority), .integer(job.number))
        try add(waiting: -1, to: job.user, job.kind)
        if let limit = try limit(of: job.kind) { try updateRotation(job.user, of: job.kind, limit.limits) }
    }

    /// Promotes a user's jobs up to the user's own limit.
    private func promote(_ kind: String, _ limits: ConcurrencyLimits, of user: UserID) throws {
        while case let present = try concurrency(of: user, kind), present.waiting > 0, present.mayTake(limits) {
            guard try promoteBest(of: user, kind) else { return }
        }
        try updateRotation(user, of: kind, limits)
    }

    /// Promotes jobs up to the fleet's limit, one user after the other.
    private func promoteInRotation(_ kind: String) throws {
        while let limit = try limit(of: kind), limit.hasFree {
            let next = try database.first(.userConcurrencyFirst, .text(kind)) { UserID(rawValue: $0.integer()) }
            guard let user = next, try promoteBest(of: user, kind) else { return }
            // The user moves to the end of the rotation.
            try database.run(.userConcurrencySetPosition, .text(kind), .user(user), .null)
            try updateRotation(user, of: kind, limit.limits)
        }
    }

    /// Moves a user's best waiting job to the ready queue, with a permit, or parks it while a pause holds it.
    private func promoteBest(of user: UserID, _ kind: String) throws -> Bool {
        let best = try database.first(.waitingBest, .text(kind), .user(user)) { row in
            let (number, priority, queue) = (row.integer(), row.int(), try row.queue())
            return PendingJob(
                number: number, queue: queue, user: user, priority: priority, kind: kind, isLimited: true)
        }
        guard let best else { return false }
        try database.run(
            .waitingDelete, .text(kind), .user(user), .integer(best.priority), .integer(best.number))
        if try isPaused(kind, best.queue) == true {
            try add(waiting: -1, to: user, kind)
            try park(best.number)
            return true
        }
        try add(taken: 1, waiting: -1, to: user, kind)
        try database.run(.jobPromote, .integer(best.number))
        try note(JobEvent(.ready, at: now), of: best.number)
        try enterReady(best)
        noteVisible()
        return true
    }

    // MARK: Counts of users

    private func concurrency(of user: UserID, _ kind: String) throws -> UserConcurrency {
        try database.first(.userConcurrencyGet, .text(kind), .user(user)) { row in
            UserConcurrency(taken: row.int(), waiting: row.int(), position: row.integerIfAny())
        } ?? UserConcurrency()
    }

    private func add(taken: Int = 0, waiting: Int = 0, to user: UserID, _ kind: String) throws {
        try database.run(.userConcurrencyAdd, .text(kind), .user(user), .integer(taken), .integer(waiting))
        if taken != 0 { try database.run(.kindLimitAddTaken, .text(kind), .integer(taken)) }
    }

    /// Keeps a user in the rotation for the fleet's permits exactly while the user could take one, and deletes the row
    /// of a user without permits and waiting jobs.
    private func updateRotation(_ user: UserID, of kind: String, _ limits: ConcurrencyLimits) throws {
        let present = try concurrency(of: user, kind)
        if present.taken == 0, present.waiting == 0 {
            return try database.run(.userConcurrencyDelete, .text(kind), .user(user))
        }
        let belongs = limits.fleet != nil && present.waiting > 0 && present.mayTake(limits)
        guard belongs != (present.position != nil) else { return }
        let position = belongs ? try database.first(.kindLimitNextPosition, .text(kind)) { $0.integer() } : nil
        try database.run(.userConcurrencySetPosition, .text(kind), .user(user), .integer(position))
    }
}
