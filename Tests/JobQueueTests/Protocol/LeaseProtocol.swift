/// The protocol between workers and the database that hands out jobs: claim, repetition after a lost answer, commit in
/// flight, rescue, failover, and the writes under a lease.
///
/// PostgreSQL's side follows `claim_jobs`, `complete_jobs`, `snooze_jobs` and `rescue_worker`. A statement takes its
/// locks and decides in one action, and commits in another, which may come late or never. A client may give up waiting
/// at any moment. Workers may be suspected at any moment, so no promise rests on the timing of heartbeats;
/// `HeartbeatProtocol` and `DeadlineProtocol` have the time.
struct LeaseProtocol: StateMachine {
    typealias State = LeaseState

    /// A mistake in the protocol, which breaks a promise.
    enum Flaw: Sendable, Hashable {
        /// Two claims of one worker may be in flight at once: the second does not see the leases of the first, and the
        /// answer to it makes the worker forget the lost one.
        case claimsNotSerialised
        /// Nobody compares the leases that a worker holds with the jobs that it runs.
        case leasesNotReconciled
        /// A write that is refused for an unknown reason makes the job fail.
        case refusalsFailJobs
        /// A result is written without a look at the lease.
        case writesNotFenced
        /// The fence compares the epoch alone, which is given out again after a failover that lost a claim.
        case fenceWithoutClaim
        /// A rescue returns the jobs that it has read, without a second look under their locks.
        case rescueWithoutLeaseCheck
        /// A rescue does not wait for a claim in flight of its worker.
        case rescueOvertakesClaims
    }

    /// Something that may happen to the fleet.
    enum Fault: Sendable, Hashable, CaseIterable {
        /// The worker gives up waiting while the transaction is in flight.
        case lostAnswer
        /// The worker gives up waiting before the database begins with its claim.
        case lateClaim
        /// The connection breaks, and the transaction is rolled back.
        case abort
        case crash
        /// A living worker is declared dead.
        case suspicion
        /// The database refuses a result for a reason that passes.
        case refusal
        /// A replica takes over that has not received everything.
        case failover
    }

    /// The shape of the fleet; at most two workers and three jobs.
    var workers = 2
    var jobs = 2
    /// The number of jobs that a worker runs at once.
    var slots = 2
    /// The number of faults of any kind; the names of claims are enough for four.
    var faults = 2
    var kinds = Set(Fault.allCases)
    /// The number of transactions that may be in flight.
    var connections = 3
    var flaws: Set<Flaw> = []

    var start: LeaseState {
        var state = LeaseState()
        state.faultsLeft = faults
        for number in 0..<workers {
            var worker = WorkerProcess()
            worker.isUp = true
            worker.id = number
            state.workers[number] = worker.bits
            state.registered |= 1 << number
        }
        return state
    }

    func isDone(_ state: LeaseState) -> Bool { (0..<jobs).allSatisfy { state.job($0).status == .completed } }

    func brokenPromise(in state: LeaseState) -> ProtocolPromise? {
        for number in 0..<jobs {
            let job = state.job(number)
            if job.results > 1 { return .oneResult }
            if job.settlements > 1 || job.settlements != job.results { return .settledOnce }
            if job.status == .failed { return .passingReasons }
        }
        return state.hasForeignWrite ? .holdersWrite : nil
    }

    func steps(from state: LeaseState) -> [Step<LeaseAction, LeaseState>] {
        var steps: [Step<LeaseAction, LeaseState>] = []
        steps.reserveCapacity(16)
        for number in 0..<connections where state.transaction(number).verb != .none {
            addTransactionSteps(number, state, to: &steps)
        }
        for number in 0..<workers {
            if state.worker(number).isUp {
                addWorkerSteps(number, state, to: &steps)
            } else {
                addStart(of: number, state, to: &steps)
            }
        }
        addRescues(state, to: &steps)
        addFailover(state, to: &steps)
        return steps
    }

    typealias Steps = [Step<LeaseAction, LeaseState>]

    func add(_ action: LeaseAction, _ state: LeaseState, to steps: inout Steps) {
        steps.append(Step(action: action, state: state))
    }

    /// Adds a step that uses up one of the faults.
    func add(_ fault: Fault, _ action: LeaseAction, _ state: LeaseState, to steps: inout Steps) {
        guard state.faultsLeft > 0, kinds.contains(fault) else { return }
        var state = state
        state.faultsLeft -= 1
        steps.append(Step(action: action, state: state, isFault: true))
    }

    // MARK: Processes

    private func addStart(of number: Int, _ state: LeaseState, to steps: inout Steps) {
        guard let id = freeID(in: state) else { return }
        var next = state
        var worker = WorkerProcess()
        worker.isUp = true
        worker.id = id
        next.workers[number] = worker.bits
        next.registered.setFlag(id, true)
        add(.start(worker: number), next, to: &steps)
    }

    /// A rescue of a dead worker, or of a living one that is suspected.
    private func addRescues(_ state: LeaseState, to steps: inout Steps) {
        let living = (0..<workers).filter { state.worker($0).isUp }
        guard !living.isEmpty else { return }
        for id in 0..<8 where state.registered.flag(id) {
            let place = living.first { state.worker($0).id == id }
            let isLocked = inFlight(state).contains { transaction in
                transaction.worker == id
                    && (transaction.verb == .rescue
                        || transaction.verb == .claim && !transaction.isLate
                            && !flaws.contains(.rescueOvertakesClaims))
            }
            guard !isLocked else { continue }
            var transaction = Transaction()
            transaction.verb = .rescue
            transaction.worker = id
            for job in 0..<jobs where isHeld(state.job(job), by: id) { transaction.jobs.setFlag(job, true) }
            guard let next = sending(transaction, in: state) else { continue }
            if let place {
                add(.suspicion, .suspect(worker: place, jobs: transaction.jobs), next, to: &steps)
            } else {
                add(.rescue(jobs: transaction.jobs), next, to: &steps)
            }
        }
    }

    /// An asynchronous replica takes over: what it had not received is lost, and every connection breaks.
    private func addFailover(_ state: LeaseState, to steps: inout Steps) {
        guard state.isReplicaBehind else {
            var next = state
            next.isReplicaBehind = true
            next.replica = state.jobs
            next.replicaRegistered = state.registered
            return add(.failover, .replicaFallsBehind, next, to: &steps)
        }
        var next = state
        next.isReplicaBehind = false
        next.jobs = state.replica
        next.registered = state.replicaRegistered
        next.replica = PackedValues()
        next.replicaRegistered = 0
        for number in 0..<connections { next = withoutAnswer(number, next, isEnded: true) }
        // The loss was counted when the replica fell behind.
        steps.append(Step(action: .failover, state: next, isFault: true))
    }

    // MARK: Helpers

    func inFlight(_ state: LeaseState) -> [Transaction] {
        (0..<connections).map(state.transaction).filter { $0.verb != .none }
    }

    func isHeld(_ job: JobRow, by id: Int) -> Bool { job.status == .held && job.worker == id }

    func isLocked(_ job: Int, in state: LeaseState) -> Bool {
        for number in 0..<connections where state.transaction(number).locks(job) { return true }
        return false
    }

    /// The state with one transaction more; `nil` when no connection is free.
    func sending(_ transaction: Transaction, in state: LeaseState) -> LeaseState? {
        for number in 0..<connections where state.transaction(number).verb == .none {
            var next = state
            next.transactions[number] = transaction.bits
            return next
        }
        return nil
    }

    /// The state in which a worker does not wait for a transaction any more, which may have ended, too.
    func withoutAnswer(_ number: Int, _ state: LeaseState, isEnded: Bool) -> LeaseState {
        var next = state
        var transaction = state.transaction(number)
        if transaction.isAwaited, transaction.verb == .claim, let place = place(of: transaction.worker, in: state) {
            var worker = state.worker(place)
            worker.lost.setFlag(transaction.claim, true)
            next.workers[place] = worker.bits
        }
        transaction.isAwaited = false
        next.transactions[number] = isEnded ? 0 : transaction.bits
        return next
    }

    /// The place of the living process with an id.
    func place(of id: Int, in state: LeaseState) -> Int? {
        for number in 0..<workers where state.worker(number).isUp && state.worker(number).id == id { return number }
        return nil
    }

    /// An id that nothing names; real ids are random.
    private func freeID(in state: LeaseState) -> Int? {
        var used = state.registered | state.replicaRegistered
        for number in 0..<workers where state.worker(number).isUp { used.setFlag(state.worker(number).id, true) }
        for number in 0..<jobs {
            used.setFlag(state.job(number).worker, true)
            used.setFlag(JobRow(bits: state.replica[number]).worker, true)
        }
        for transaction in inFlight(state) { used.setFlag(transaction.worker, true) }
        return (0..<8).first { !used.flag($0) }
    }

    /// A number for a claim that nothing names; real ones are random.
    func freeClaim(in state: LeaseState) -> Int? {
        var used = 1
        for number in 0..<workers {
            let worker = state.worker(number)
            used |= worker.lost
            for job in 0..<jobs { used.setFlag(worker.run(of: job).claim, true) }
        }
        for number in 0..<jobs {
            used.setFlag(state.job(number).claim, true)
            used.setFlag(JobRow(bits: state.replica[number]).claim, true)
        }
        for transaction in inFlight(state) { used.setFlag(transaction.claim, true) }
        return (1..<8).first { !used.flag($0) }
    }
}
