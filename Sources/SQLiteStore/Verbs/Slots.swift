import SQLSupport
internal import JobQueue

/// The slots of kinds with limits.
///
/// At the end of every transaction, no job waits that could have a slot. So whoever finds one free may take it: nobody
/// has waited for it.
extension WriteTransaction {
    struct KindLimit {
        var limits: ConcurrencyLimits
        /// Counted only while there is a limit for the fleet.
        var taken: Int

        var hasFree: Bool { limits.fleet.map { taken < $0 } ?? true }
    }

    private struct Share {
        var taken = 0
        var waiting = 0
        var turn: Int64?

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

    /// Changes the limits of a kind and lets through who may go now.
    func change(_ limits: ConcurrencyLimits, of kind: String) throws {
        guard let present = try limit(of: kind) else {
            if !limits.isNone { try setFirstLimits(limits, of: kind) }
            return
        }
        guard present.limits != limits else { return }
        try database.run(.kindLimitChange, .text(kind), .integer(limits.fleet), .integer(limits.perUser))
        try database.run(.userConcurrencyClearTurns, .text(kind))
        let users = try database.all(.userConcurrencyWaiting, .text(kind)) { UserID(rawValue: $0.integer()) }
        for user in users { try takePosition(user, of: kind, limits) }
        if limits.fleet == nil {
            for user in users { try promote(kind, limits, of: user) }
        } else {
            try promoteInTurn(kind)
        }
    }

    /// Takes a slot if there is one for the user.
    func takeSlot(of kind: String, for user: UserID) throws -> Bool {
        guard let limit = try limit(of: kind) else {
            throw StoreError.unexpected(reason: "a limited job is of a kind without limits")
        }
        guard limit.hasFree, try share(of: user, kind).mayTake(limit.limits) else { return false }
        try add(taken: 1, to: user, kind)
        return true
    }

    func giveSlotBack(of kind: String, from user: UserID) throws { try add(taken: -1, to: user, kind) }

    /// Gives the slot that a job has left to whoever comes next.
    func passOnSlot(of job: JobState) throws {
        guard job.holdsSlot, let limit = try limit(of: job.kind) else { return }
        try takePosition(job.user, of: job.kind, limit.limits)
        if limit.limits.fleet == nil {
            try promote(job.kind, limit.limits, of: job.user)
        } else {
            try promoteInTurn(job.kind)
        }
    }

    // MARK: Waiting

    func enterWaiting(_ job: PendingJob) throws {
        try database.run(
            .waitingInsert, .text(job.kind), .user(job.user), .integer(job.priority), .integer(job.number))
        try database.run(.jobWaitForPermit, .integer(job.number))
        try add(waiting: 1, to: job.user, job.kind)
        if let limit = try limit(of: job.kind) { try takePosition(job.user, of: job.kind, limit.limits) }
    }

    func leaveWaiting(_ number: Int64, kind: String, user: UserID, priority: Int) throws {
        try database.run(.waitingDelete, .text(kind), .user(user), .integer(priority), .integer(number))
        try add(waiting: -1, to: user, kind)
        if let limit = try limit(of: kind) { try takePosition(user, of: kind, limit.limits) }
    }

    /// Lets a user's jobs through up to their own limit.
    private func promote(_ kind: String, _ limits: ConcurrencyLimits, of user: UserID) throws {
        while case let share = try share(of: user, kind), share.waiting > 0, share.mayTake(limits) {
            guard try promoteBest(of: user, kind) else { return }
        }
        try takePosition(user, of: kind, limits)
    }

    /// Lets jobs through up to the fleet's limit, users in turn.
    private func promoteInTurn(_ kind: String) throws {
        while let limit = try limit(of: kind), limit.hasFree {
            let next = try database.first(.userConcurrencyFirst, .text(kind)) { UserID(rawValue: $0.integer()) }
            guard let user = next, try promoteBest(of: user, kind) else { return }
            // To the end of the round.
            try database.run(.userConcurrencySetTurn, .text(kind), .user(user), .null)
            try takePosition(user, of: kind, limit.limits)
        }
    }

    /// Moves a user's best waiting job to the ready ones, with a slot.
    private func promoteBest(of user: UserID, _ kind: String) throws -> Bool {
        let best = try database.first(.waitingBest, .text(kind), .user(user)) { row in
            let (number, priority, queue) = (row.integer(), row.int(), try row.queue())
            return PendingJob(
                number: number, queue: queue, user: user, priority: priority, kind: kind, isLimited: true,
                isReturning: row.integer() > 0)
        }
        guard let best else { return false }
        try database.run(
            .waitingDelete, .text(kind), .user(user), .integer(best.priority), .integer(best.number))
        try add(taken: 1, waiting: -1, to: user, kind)
        try database.run(.jobPromote, .integer(best.number))
        try enterReady(best)
        noteVisible()
        return true
    }

    // MARK: Shares

    private func share(of user: UserID, _ kind: String) throws -> Share {
        try database.first(.userConcurrencyGet, .text(kind), .user(user)) { row in
            Share(taken: row.int(), waiting: row.int(), turn: row.integerIfAny())
        } ?? Share()
    }

    private func add(taken: Int = 0, waiting: Int = 0, to user: UserID, _ kind: String) throws {
        try database.run(.userConcurrencyAdd, .text(kind), .user(user), .integer(taken), .integer(waiting))
        if taken != 0 { try database.run(.kindLimitAddTaken, .text(kind), .integer(taken)) }
    }

    /// Gives a user a place in the round of the fleet's slots while they could use one, and takes it while they could
    /// not; forgets a user who has nothing.
    private func takePosition(_ user: UserID, of kind: String, _ limits: ConcurrencyLimits) throws {
        let share = try share(of: user, kind)
        if share.taken == 0, share.waiting == 0 {
            return try database.run(.userConcurrencyDelete, .text(kind), .user(user))
        }
        let isInRound = limits.fleet != nil && share.waiting > 0 && share.mayTake(limits)
        guard isInRound != (share.turn != nil) else { return }
        let turn = isInRound ? try database.first(.kindLimitNextTurn, .text(kind)) { $0.integer() } : nil
        try database.run(.userConcurrencySetTurn, .text(kind), .user(user), .integer(turn))
    }
}
