internal import DossierAPI
import SQLSupport
package import JobQueue

extension PostgresStore {
    package func register(_ worker: WorkerRegistration) async throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.id.rawValue), ("worker.host", worker.host)])
        try await writers.perform(worker, in: writes.register)
    }

    package func heartbeat(_ worker: WorkerID) async throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        guard try await writers.perform(worker, in: writes.beat) else { throw .workerUnknown }
    }

    package func deregister(_ worker: WorkerID) async throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        try await writers.perform(worker, in: writes.deregister)
    }

    package func leases(of worker: WorkerID) async throws(StoreError) -> Set<Lease> {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        return try await readers.perform(worker, in: reads.leases)
    }

    package func heartbeats() async throws(StoreError) -> [WorkerHeartbeat] {
        try await readers.perform((), in: reads.beats)
    }

    package func rescue(_ beat: WorkerHeartbeat) async throws(StoreError) -> Rescue {
        try Texts.rejectNUL([("worker.id", beat.worker.rawValue)])
        return try await writers.perform(beat, in: writes.rescue)
    }
}

extension BatchOperation where Input == WorkerRegistration, Output == Void {
    /// Repeatable: a second registration counts as a heartbeat.
    static let register = BatchOperation(
        limit: 32,
        keys: { [.text($0.id.rawValue)] },
        lockOrder: { .text($0.id.rawValue) },
        statements: { inputs, context in
            inputs.map { worker in
                Statement(.workerRegister) { parameters in
                    parameters.add(worker.id.rawValue)
                    parameters.add(worker.host)
                    parameters.add(Int64(worker.processID))
                    parameters.add(Int64(worker.concurrency))
                    parameters.add(context.now?.milliseconds)
                }
            }
        },
        read: { _, inputs in inputs.map { _ in .done(()) } })
}

extension BatchOperation where Input == WorkerID, Output == Bool {
    /// Repeatable: one more heartbeat does no harm.
    static let beat = BatchOperation(
        limit: 32,
        keys: { [.text($0.rawValue)] },
        lockOrder: { .text($0.rawValue) },
        statements: { inputs, _ in inputs.map { worker in Statement(.workerBeat) { $0.add(worker.rawValue) } } },
        read: { answer, _ in answer.rows.map { .done($0.count > 0) } })
}

extension BatchOperation where Input == WorkerID, Output == Void {
    /// Repeatable: removing an absent worker changes nothing.
    static let deregister = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { worker in
                Statement(.deregisterWorker) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(worker.rawValue)
                }
            }
        },
        read: { answer, inputs in
            answer.madeReady = true
            answer.madeVisible = true
            return inputs.map { _ in .done(()) }
        })
}

extension BatchOperation where Input == WorkerHeartbeat, Output == Rescue {
    /// Repeatable: rescuing an absent worker changes nothing. A repetition does not return the jobs of the first try.
    static let rescue = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { beat in
                Statement(.rescueWorker) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(beat.worker.rawValue)
                    parameters.add(beat.count)
                    parameters.add(Int64(PoisonRule.deaths))
                    parameters.add(JobError.poison.code.rawValue)
                    parameters.add(JobError.poison.message)
                    parameters.add(JobError.poison.userMessage)
                }
            }
        },
        read: { answer, _ in
            var rescue = Rescue(requeued: [], poisoned: [])
            answer.rows.first?.each { row in
                let job = row.jobID()
                if row.flag() { rescue.poisoned.append(job) } else { rescue.requeued.append(job) }
            }
            let isChanged = !rescue.requeued.isEmpty || !rescue.poisoned.isEmpty
            answer.madeReady = isChanged
            answer.madeVisible = isChanged
            return [.done(rescue)]
        })
}
