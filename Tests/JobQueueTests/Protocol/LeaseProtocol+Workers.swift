/// The steps of living workers: each sends one statement, or learns from a refused one.
extension LeaseProtocol {
    func addWorkerSteps(_ number: Int, _ state: LeaseState, to steps: inout Steps) {
        let worker = state.worker(number)
        var crashed = state
        crashed.workers[number] = 0
        for other in 0..<connections where state.transaction(other).worker == worker.id {
            var transaction = state.transaction(other)
            transaction.isAwaited = false
            crashed.transactions[other] = transaction.bits
        }
        add(.crash, .crash(worker: number), crashed, to: &steps)
        guard state.registered.flag(worker.id) else { return addStartOver(number, state, to: &steps) }
        addClaims(number, state, to: &steps)
        for job in 0..<jobs {
            if worker.isRunning(job) {
                addEndOfRun(number, job, state, to: &steps)
            } else {
                addReconciliation(number, job, state, to: &steps)
            }
        }
    }

    /// The database does not know the worker: it was declared dead, or a failover lost it. It stops its jobs and
    /// registers under a new id.
    private func addStartOver(_ number: Int, _ state: LeaseState, to steps: inout Steps) {
        let old = state.worker(number)
        // It also finishes jobs until it learns of it.
        for job in 0..<jobs where old.isRunning(job) { addEndOfRun(number, job, state, to: &steps) }
        var next = state
        next.workers[number] = 0
        add(.startOver(worker: number), next, to: &steps)
    }

    // MARK: Claims

    private func addClaims(_ number: Int, _ state: LeaseState, to steps: inout Steps) {
        let worker = state.worker(number)
        var isWaiting = false
        var isClaiming = false
        var isRescued = false
        for transaction in inFlight(state) where transaction.worker == worker.id {
            if transaction.verb == .claim {
                isWaiting = isWaiting || transaction.isAwaited
                isClaiming = isClaiming || !transaction.isLate
            }
            isRescued = isRescued || transaction.verb == .rescue
        }
        // A worker sends one claim at a time. The claim waits for a rescue, and then is refused.
        guard !isWaiting, !isRescued else { return }
        guard let claim = freeClaim(in: state) else { return }
        addLateClaim(number, claim, state, to: &steps)
        guard !isClaiming || flaws.contains(.claimsNotSerialised) else { return }
        var transaction = Transaction()
        transaction.verb = .claim
        transaction.worker = worker.id
        transaction.claim = claim
        transaction.isAwaited = true
        take(&transaction, forgotten: worker.lost, free: slots - runs(of: worker), in: state)
        if transaction.jobs != 0 {
            guard let next = sending(transaction, in: state) else { return }
            add(.claim(worker: number, jobs: transaction.jobs, repeated: transaction.repeated), next, to: &steps)
        } else if worker.lost != 0 {
            // It writes nothing, so that its commit waits for nothing.
            let next = answer(transaction, state)
            add(.claim(worker: number, jobs: 0, repeated: transaction.repeated), next, to: &steps)
        }
    }

    /// A claim that the worker gives up before the database begins with it.
    private func addLateClaim(_ number: Int, _ claim: Int, _ state: LeaseState, to steps: inout Steps) {
        guard runs(of: state.worker(number)) < slots else { return }
        var transaction = Transaction()
        transaction.verb = .claim
        transaction.worker = state.worker(number).id
        transaction.claim = claim
        transaction.isLate = true
        guard var next = sending(transaction, in: state) else { return }
        var worker = state.worker(number)
        worker.lost.setFlag(claim, true)
        next.workers[number] = worker.bits
        add(.lateClaim, .claimComesLate(worker: number), next, to: &steps)
    }

    private func runs(of worker: WorkerProcess) -> Int {
        var count = 0
        for job in 0..<jobs where worker.isRunning(job) { count += 1 }
        return count
    }

    /// Takes ready jobs that no other transaction has locked, and finds the jobs of lost claims.
    func take(_ transaction: inout Transaction, forgotten: Int, free: Int, in state: LeaseState) {
        var free = free
        for number in 0..<jobs {
            let job = state.job(number)
            if job.status == .ready, free > 0, job.epoch < 7, !isLocked(number, in: state) {
                transaction.jobs.setFlag(number, true)
                free -= 1
            } else if isHeld(job, by: transaction.worker), forgotten.flag(job.claim) {
                transaction.repeated.setFlag(number, true)
            }
        }
    }

    /// The worker starts the jobs of a claim and forgets the lost claims, which this one has asked for.
    func answer(_ transaction: Transaction, _ state: LeaseState) -> LeaseState {
        guard let place = place(of: transaction.worker, in: state) else { return state }
        var next = state
        var worker = state.worker(place)
        for number in 0..<jobs where !worker.isRunning(number) {
            let job = state.job(number)
            // A job of a lost claim may have been handed back since; its lease in the answer is void.
            let isRepeated =
                transaction.repeated.flag(number) && isHeld(job, by: worker.id) && worker.lost.flag(job.claim)
            guard transaction.jobs.flag(number) || isRepeated else { continue }
            worker.setRun(of: number, epoch: job.epoch, claim: job.claim)
        }
        worker.lost = 0
        next.workers[place] = worker.bits
        return next
    }

    // MARK: Runs

    private func addEndOfRun(_ number: Int, _ job: Int, _ state: LeaseState, to steps: inout Steps) {
        let worker = state.worker(number)
        let isWriting = inFlight(state).contains { $0.isAwaited && $0.worker == worker.id && $0.jobs.flag(job) }
        guard !isWriting, !isLocked(job, in: state) else { return }
        let run = worker.run(of: job)
        let row = state.job(job)
        let isOwn = row.epoch == run.epoch && (row.claim == run.claim || flaws.contains(.fenceWithoutClaim))
        var stopped = worker
        stopped.stop(job)
        var without = state
        without.workers[number] = stopped.bits
        guard flaws.contains(.writesNotFenced) || row.status == .held && isOwn else {
            if row.status == .completed, isOwn {
                return add(.repeatCompletion(worker: number, job: job), without, to: &steps)
            }
            return add(.stop(worker: number, job: job), without, to: &steps)
        }
        var transaction = Transaction()
        transaction.verb = .complete
        transaction.worker = worker.id
        transaction.claim = run.claim
        transaction.epoch = run.epoch
        transaction.jobs.setFlag(job, true)
        transaction.isAwaited = true
        if let next = sending(transaction, in: state) { add(.complete(worker: number, job: job), next, to: &steps) }
        // The database refuses the result for a reason of its own: a function or a page that cannot be read.
        if flaws.contains(.refusalsFailJobs) {
            transaction.verb = .fail
            if let next = sending(transaction, in: state) {
                add(.refusal, .refuse(worker: number, job: job), next, to: &steps)
            }
        } else {
            add(.refusal, .refuse(worker: number, job: job), without, to: &steps)
        }
    }

    /// A lease that the worker holds without running the job: it hands the job back.
    private func addReconciliation(_ number: Int, _ job: Int, _ state: LeaseState, to steps: inout Steps) {
        guard !flaws.contains(.leasesNotReconciled) else { return }
        let id = state.worker(number).id
        let row = state.job(job)
        guard isHeld(row, by: id), !isLocked(job, in: state) else { return }
        var transaction = Transaction()
        transaction.verb = .handBack
        transaction.worker = id
        transaction.claim = row.claim
        transaction.epoch = row.epoch
        transaction.jobs.setFlag(job, true)
        if let next = sending(transaction, in: state) { add(.handBack(worker: number, job: job), next, to: &steps) }
    }
}
