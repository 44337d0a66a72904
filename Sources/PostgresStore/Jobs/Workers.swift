internal import DossierAPI
import SQLSupport
package import JobQueue

extension PostgresStore {
    package func register(_ worker: WorkerRegistration) async throws(StoreError) {
        let abilities = worker.abilities.text
        try Texts.rejectNUL([
            ("worker.id", worker.id.rawValue), ("worker.host", worker.host), ("worker.machine", worker.machine),
            ("worker.abilities", abilities), ("worker.version", worker.version),
        ])
        try await writers.perform(worker, in: writes.register)
    }

    package func observe(as observer: FleetObserver) async throws(StoreError) -> FleetObservation {
        try Texts.rejectNUL([("worker.id", observer.worker?.rawValue ?? ""), ("machine", observer.machine)])
        let observation = try await liveness.perform(observer, in: beats.observe)
        guard let observation else { throw .workerUnknown }
        return observation
    }

    package func deregister(_ worker: WorkerID) async throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        try await writers.perform(worker, in: writes.deregister)
    }

    package func leases(of worker: WorkerID) async throws(StoreError) -> Set<Lease> {
        try Texts.rejectNUL([("worker.id", worker.rawValue)])
        return try await liveness.perform(worker, in: beats.leases)
    }

    package func heartbeats() async throws(StoreError) -> [WorkerHeartbeat] {
        try await liveness.perform((), in: beats.beats)
    }

    package func rescue(_ beat: WorkerHeartbeat) async throws(StoreError) -> Rescue {
        try Texts.rejectNUL([("worker.id", beat.worker.rawValue)])
        return try await liveness.perform(beat, in: beats.rescue)
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
                    parameters.add(worker.machine)
                    parameters.add(worker.processStart)
                    parameters.add(worker.abilities.text)
                    parameters.add(worker.abilities.isPartial ? 1 : 0)
                    parameters.add(Int64(WorkerRecord.keptNames))
                    parameters.add(worker.version)
                }
            }
        },
        read: { _, inputs in inputs.map { _ in .done(()) } })
}

extension BatchOperation where Input == FleetObserver, Output == FleetObservation? {
    /// Repeatable: one more heartbeat does no harm.
    static let observe = BatchOperation(
        limit: 32,
        keys: { [.text($0.worker?.rawValue ?? "")] },
        lockOrder: { .text($0.worker?.rawValue ?? "") },
        statements: { inputs, context in
            inputs.map { observer in
                Statement(.observeWorkers) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(observer.worker?.rawValue)
                    parameters.add(Int64(observer.running))
                    parameters.add(observer.machine)
                    parameters.add(FleetClock.longestGap.wholeMilliseconds)
                    parameters.add(FleetClock.silence.wholeMilliseconds)
                    parameters.add(FleetClock.silenceWhenClosed.wholeMilliseconds)
                    parameters.add(FleetClock.turn.wholeMilliseconds)
                }
            }
        },
        read: { answer, inputs in
            zip(inputs, answer.rows).map { observer, rows in
                var observation: FleetObservation?
                rows.each { row in
                    if row.isNull {
                        for _ in 0..<5 { row.skip() }
                        observation?.others.append(ObservedWorker(&row))
                        return
                    }
                    let isKnown = row.flag()
                    let (leases, hasTurn, bundle) = (row.int(), row.flag(), row.textIfAny())
                    guard isKnown || observer.worker == nil else { return }
                    observation = FleetObservation(
                        leases: leases, hasTurn: hasTurn, bundle: bundle, now: row.timestamp(), others: [])
                }
                return .done(observation)
            }
        })
}

extension ObservedWorker {
    fileprivate init(_ row: inout PostgresRow) {
        let heartbeat = WorkerHeartbeat(worker: WorkerID(rawValue: row.text()), count: row.integer())
        self.init(
            heartbeat: heartbeat, processID: Int32(truncatingIfNeeded: row.integer()),
            processStart: row.integerIfAny(), isSilent: row.flag())
    }
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
