/// The steps of transactions: late statements begin, commits end, connections break.
extension LeaseProtocol {
    func addTransactionSteps(_ number: Int, _ state: LeaseState, to steps: inout Steps) {
        let transaction = state.transaction(number)
        if transaction.isLate { return addLateStart(number, state, to: &steps) }
        let isBlocked =
            transaction.verb == .rescue
            && (0..<jobs).contains { job in
                transaction.jobs.flag(job) && isLocked(job, in: state)
            }
        if !isBlocked {
            let next = commit(transaction, number, state)
            add(.commit(transaction.verb, jobs: transaction.jobs, isAwaited: transaction.isAwaited), next, to: &steps)
        }
        if transaction.isAwaited {
            add(.lostAnswer, .giveUp(transaction.verb), withoutAnswer(number, state, isEnded: false), to: &steps)
        }
        add(.abort, .abort(transaction.verb), withoutAnswer(number, state, isEnded: true), to: &steps)
    }

    /// The database begins with a claim whose worker has given it up.
    private func addLateStart(_ number: Int, _ state: LeaseState, to steps: inout Steps) {
        var late = state.transaction(number)
        var next = state
        next.transactions[number] = 0
        var isBlocked = false
        for other in inFlight(next) where other.worker == late.worker {
            isBlocked =
                isBlocked || other.verb == .rescue
                || other.verb == .claim && !other.isLate && !flaws.contains(.claimsNotSerialised)
        }
        guard !isBlocked else { return }
        late.isLate = false
        if state.registered.flag(late.worker) { take(&late, forgotten: 0, free: slots, in: next) }
        if late.jobs != 0 { next.transactions[number] = late.bits }
        add(.lateStart(jobs: late.jobs), next, to: &steps)
    }

    /// The effects of a transaction become visible, and the answer arrives where it is still awaited.
    private func commit(_ transaction: Transaction, _ number: Int, _ state: LeaseState) -> LeaseState {
        var next = state
        next.transactions[number] = 0
        for job in 0..<jobs where transaction.jobs.flag(job) {
            var row = state.job(job)
            if ![.claim, .rescue].contains(transaction.verb),
                row.status != .held || row.worker != transaction.worker || row.claim != transaction.claim
            {
                next.hasForeignWrite = true
            }
            switch transaction.verb {
            case .none: break
            case .claim:
                row.status = .held
                row.epoch += 1
                row.worker = transaction.worker
                row.claim = transaction.claim
            case .complete:
                row.status = .completed
                row.results += 1
                row.settlements += 1
            case .handBack: row.status = .ready
            case .fail: row.status = .failed
            case .rescue:
                if isHeld(row, by: transaction.worker) || flaws.contains(.rescueWithoutLeaseCheck) {
                    row.status = .ready
                }
            }
            if row.status == .ready {
                row.worker = 0
                row.claim = 0
            }
            next.jobs[job] = row.bits
        }
        if transaction.verb == .rescue { next.registered.setFlag(transaction.worker, false) }
        guard transaction.isAwaited else { return next }
        if transaction.verb == .claim { return answer(transaction, next) }
        guard let place = place(of: transaction.worker, in: next) else { return next }
        var worker = next.worker(place)
        for job in 0..<jobs where transaction.jobs.flag(job) && worker.run(of: job).claim == transaction.claim {
            worker.stop(job)
        }
        next.workers[place] = worker.bits
        return next
    }
}
