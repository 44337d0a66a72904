/// States that differ only in names are one state: ids of workers, numbers of claims, epochs that were skipped, the
/// order of connections, and the places of workers and jobs.
extension LeaseProtocol {
    func canonical(_ state: LeaseState) -> LeaseState {
        var best = renamed(state)
        if workers == 2 { best = min(best, renamed(swappingWorkers(state))) }
        guard jobs == 2 else { return best }
        let swapped = swappingJobs(state)
        best = min(best, renamed(swapped))
        return workers == 2 ? min(best, renamed(swappingWorkers(swapped))) : best
    }

    private func min(_ left: LeaseState, _ right: LeaseState) -> LeaseState { left.precedes(right) ? left : right }

    private func swappingWorkers(_ state: LeaseState) -> LeaseState {
        var next = state
        next.workers[0] = state.workers[1]
        next.workers[1] = state.workers[0]
        return next
    }

    private func swappingJobs(_ state: LeaseState) -> LeaseState {
        var next = state
        next.jobs[0] = state.jobs[1]
        next.jobs[1] = state.jobs[0]
        if state.isReplicaBehind {
            next.replica[0] = state.replica[1]
            next.replica[1] = state.replica[0]
        }
        for number in 0..<workers {
            var worker = state.worker(number)
            let (first, second) = (worker.run(of: 0), worker.run(of: 1))
            worker.setRun(of: 0, epoch: second.epoch, claim: second.claim)
            worker.setRun(of: 1, epoch: first.epoch, claim: first.claim)
            next.workers[number] = worker.bits
        }
        for number in 0..<connections {
            var transaction = state.transaction(number)
            transaction.jobs = Self.swapped[transaction.jobs]
            transaction.repeated = Self.swapped[transaction.repeated]
            next.transactions[number] = transaction.bits
        }
        return next
    }

    /// Bits with the first two exchanged.
    private static let swapped = [0, 2, 1, 3]

    private func renamed(_ state: LeaseState) -> LeaseState {
        var next = state
        var ids = Names()
        var claims = Names()
        claims.name(0)
        let isBehind = state.isReplicaBehind
        for number in 0..<workers {
            var worker = state.worker(number)
            if worker.isUp { worker.id = ids.name(worker.id) }
            next.workers[number] = worker.bits
        }
        for number in 0..<jobs {
            next.jobs[number] = renamed(JobRow(bits: state.jobs[number]), &ids, &claims)
            if isBehind { next.replica[number] = renamed(JobRow(bits: state.replica[number]), &ids, &claims) }
        }
        for number in 0..<connections {
            var transaction = state.transaction(number)
            guard transaction.verb != .none else { continue }
            transaction.worker = ids.name(transaction.worker)
            transaction.claim = claims.name(transaction.claim)
            next.transactions[number] = transaction.bits
        }
        for number in 0..<workers {
            var worker = next.worker(number)
            for job in 0..<jobs where worker.isRunning(job) {
                let run = worker.run(of: job)
                worker.setRun(of: job, epoch: run.epoch, claim: claims.name(run.claim))
            }
            next.workers[number] = worker.bits
        }
        for number in 0..<workers where state.worker(number).isUp {
            var worker = next.worker(number)
            worker.lost = claims.names(of: worker.lost)
            next.workers[number] = worker.bits
        }
        for job in 0..<jobs { lowerEpochs(of: job, in: &next) }
        next.registered = ids.names(of: state.registered)
        next.replicaRegistered = ids.names(of: state.replicaRegistered)
        sortTransactions(&next)
        return next
    }

    /// Counts the epochs of a job from the lowest one that anything names.
    private func lowerEpochs(of job: Int, in state: inout LeaseState) {
        var row = state.job(job)
        var replica = JobRow(bits: state.replica[job])
        var lowest = state.isReplicaBehind ? Swift.min(row.epoch, replica.epoch) : row.epoch
        guard lowest > 0 else { return }
        for number in 0..<workers where state.worker(number).isRunning(job) {
            lowest = Swift.min(lowest, state.worker(number).run(of: job).epoch)
        }
        for number in 0..<connections where isFenced(state.transaction(number), job) {
            lowest = Swift.min(lowest, state.transaction(number).epoch)
        }
        guard lowest > 0 else { return }
        row.epoch -= lowest
        state.jobs[job] = row.bits
        if state.isReplicaBehind {
            replica.epoch -= lowest
            state.replica[job] = replica.bits
        }
        for number in 0..<workers where state.worker(number).isRunning(job) {
            var worker = state.worker(number)
            let run = worker.run(of: job)
            worker.setRun(of: job, epoch: run.epoch - lowest, claim: run.claim)
            state.workers[number] = worker.bits
        }
        for number in 0..<connections where isFenced(state.transaction(number), job) {
            var transaction = state.transaction(number)
            transaction.epoch -= lowest
            state.transactions[number] = transaction.bits
        }
    }

    /// Whether a transaction writes to a job under an epoch.
    private func isFenced(_ transaction: Transaction, _ job: Int) -> Bool {
        [.complete, .handBack, .fail].contains(transaction.verb) && transaction.jobs.flag(job)
    }

    private func renamed(_ row: JobRow, _ ids: inout Names, _ claims: inout Names) -> Int {
        guard row.status == .held || row.status == .completed else { return row.bits }
        var row = row
        row.worker = ids.name(row.worker)
        row.claim = claims.name(row.claim)
        return row.bits
    }

    private func sortTransactions(_ state: inout LeaseState) {
        for end in stride(from: connections - 1, to: 0, by: -1) {
            for number in 0..<end where state.transactions[number] < state.transactions[number + 1] {
                let first = state.transactions[number]
                state.transactions[number] = state.transactions[number + 1]
                state.transactions[number + 1] = first
            }
        }
    }

    /// New names in the order of the first use.
    private struct Names {
        private var table = 0
        private var count = 0

        @discardableResult
        mutating func name(_ old: Int) -> Int {
            if table.flag(4 * old + 3) { return table.bits(4 * old, 3) }
            table.setBits(4 * old, 4, 8 | count)
            count += 1
            return count - 1
        }

        /// A set of names; those that were not used before come last.
        mutating func names(of old: Int) -> Int {
            var new = 0
            for name in 0..<8 where old.flag(name) { new.setFlag(self.name(name), true) }
            return new
        }
    }
}
