package import JobQueue
import SQLSupport

extension SQLiteStore {
    package func register(_ worker: WorkerRegistration) async throws(StoreError) {
        let abilities = worker.abilities.text
        try Texts.rejectNUL([
            ("worker.id", worker.id.rawValue), ("worker.host", worker.host), ("worker.machine", worker.machine),
            ("worker.abilities", abilities), ("worker.version", worker.version),
        ])
        try await writer.perform { transaction in
            try transaction.database.run(
                .workerRegister, .text(worker.id.rawValue), .text(worker.host), .integer(Int64(worker.processID)),
                .integer(worker.concurrency), .timestamp(transaction.now), .text(worker.machine),
                .integer(worker.processStart), .text(abilities), .text(worker.version))
            try transaction.database.run(.workerNameKeep, .text(worker.id.rawValue))
            try transaction.database.run(.workerNameForget, .integer(WorkerRecord.keptNames))
        }
    }

    package func observe(as observer: FleetObserver) async throws(StoreError) -> FleetObservation {
        try Texts.rejectNUL([("worker.id", observer.worker?.rawValue ?? "")])
        return try await writer.perform { transaction in try transaction.observe(as: observer) }
    }

    package func deregister(_ worker: WorkerID) async throws(StoreError) {
        try await writer.perform { transaction in
            let number = try transaction.database.first(.workerDelete, .text(worker.rawValue)) { $0.integer() }
            guard let number else { return }
            for job in try transaction.jobs(ofWorker: number) { try transaction.snooze(job) }
        }
    }

    package func leases(of worker: WorkerID) async throws(StoreError) -> Set<Lease> {
        let leases = try await readers.perform { database in
            try database.all(.leasesOfWorker, .text(worker.rawValue)) { row in
                Lease(job: row.jobID(), epoch: row.integer())
            }
        }
        return Set(leases)
    }

    package func snooze(
        _ leases: [Lease], after pause: Duration, waitingFor wait: WaitCause?
    ) async throws(StoreError) {
        try await writer.perform { transaction in
            for lease in leases {
                guard let job = try transaction.state(of: lease.job), job.isHeld(by: lease) else { continue }
                try transaction.snooze(job, after: pause, waitingFor: wait)
            }
        }
    }

    package func heartbeats() async throws(StoreError) -> [WorkerHeartbeat] {
        try await readers.perform { database in
            try database.all(.workerBeats) { row in
                WorkerHeartbeat(
                    worker: WorkerID(rawValue: row.text()), count: row.integer(),
                    missing: WorkerAbilities.missing(in: row.text()))
            }
        }
    }
}

extension WriteTransaction {
    fileprivate func observe(as observer: FleetObserver) throws -> FleetObservation {
        let stored = try database.first(.fleetClockGet) { row in
            FleetClock(
                observedAt: row.timestamp(), elapsed: row.integer(), resumedAt: row.integer(), turnAt: row.integer())
        }
        guard var fleet = stored else { throw StoreError.unexpected(reason: "the fleet's time is missing") }
        var looks = fleet.advance(to: now)
        var observation = FleetObservation(leases: 0, hasTurn: false, bundle: nil, now: now, others: [])
        if let worker = observer.worker {
            try database.run(
                .workerBeat, .text(worker.rawValue), .integer(observer.running), .integer(fleet.elapsed))
            if database.changes == 0 { throw StoreError.workerUnknown }
            observation.hasTurn = fleet.takeTurn()
            looks = looks || observation.hasTurn
            observation.leases = try database.first(.leaseCount, .text(worker.rawValue)) { $0.int() } ?? 0
        }
        if looks {
            try database.run(
                .fleetClockSet, .timestamp(fleet.observedAt), .integer(fleet.elapsed), .integer(fleet.resumedAt),
                .integer(fleet.turnAt))
        }
        observation.bundle = try database.first(.currentBundleGet) { $0.text() }
        observation.others = try others(than: observer, at: fleet, amongAll: looks)
        return observation
    }

    /// The workers on the observer's machine and, among all, those that are silent.
    private func others(
        than observer: FleetObserver, at fleet: FleetClock, amongAll looks: Bool
    ) throws -> [ObservedWorker] {
        guard looks || !observer.machine.isEmpty else { return [] }
        func read(_ row: inout SQLiteRow) -> ObservedWorker {
            let heartbeat = WorkerHeartbeat(worker: WorkerID(rawValue: row.text()), count: row.integer())
            let processID = Int32(truncatingIfNeeded: row.integer())
            let isNear = row.text() == observer.machine && !observer.machine.isEmpty
            let start = row.integer()
            return ObservedWorker(
                heartbeat: heartbeat, processID: processID, processStart: isNear ? start : nil,
                isSilent: fleet.silence(since: row.integer()) >= FleetClock.silence)
        }
        let workers =
            looks
            ? try database.all(.workerList) { read(&$0) }
            : try database.all(.workerListOfMachine, .text(observer.machine)) { read(&$0) }
        return workers.filter {
            $0.heartbeat.worker != observer.worker && ($0.isSilent || $0.processStart != nil)
        }
    }

    /// The jobs of the worker with a number.
    func jobs(ofWorker number: Int64) throws -> [JobState] {
        let jobs = try database.all(.leaseJobs, .integer(number)) { $0.integer() }
        return try jobs.compactMap { try state(ofNumber: $0) }
    }
}

extension SQLiteStore {
    package func rescue(_ heartbeat: WorkerHeartbeat) async throws(StoreError) -> Rescue {
        try await writer.perform { transaction in
            let gone = try transaction.database.first(
                .workerDeleteSilent, .text(heartbeat.worker.rawValue), .integer(heartbeat.count)
            ) { (number: $0.integer(), lastSeen: $0.timestamp()) }
            guard let gone else { return Rescue(requeued: [], poisoned: []) }
            return try transaction.requeue(try transaction.jobs(ofWorker: gone.number), lastSeen: gone.lastSeen)
        }
    }

    package func expire(limit: Int) async throws(StoreError) -> [JobID] {
        try await writer.perform { transaction in
            let late = try transaction.database.all(
                .jobExpired, .timestamp(transaction.now), .integer(limit)
            ) { $0.integer() }
            return try late.compactMap { number in
                guard let job = try transaction.state(ofNumber: number) else { return nil }
                // It may just have ended with its shared job.
                if !job.status.isFinished { try transaction.end(job, as: .failed, error: job.deadlinePassed) }
                return job.id
            }
        }
    }
}

extension WriteTransaction {
    /// Returns the jobs of a dead worker to pending, and fails one that is to blame for the death.
    fileprivate func requeue(_ jobs: [JobState], lastSeen: Timestamp) throws -> Rescue {
        var rescue = Rescue(requeued: [], poisoned: [])
        let fleet = try database.first(.fleetCountDeath) { $0.int() } ?? 0
        let most = jobs.map(\.deaths).max() ?? 0
        let isAlone = jobs.count { $0.deaths == most } == 1
        var suspects = 0
        for job in jobs {
            let first = try database.first(.jobCountDeath, .integer(job.number), .integer(fleet)) { row in
                _ = row.integer()
                return row.int()
            }
            let deaths = job.deaths + 1
            let fleetDeaths = fleet - (first ?? fleet) + 1
            let isPoison = PoisonRule.blames(
                deaths: deaths, fleetDeaths: fleetDeaths, isAlone: isAlone && job.deaths == most)
            if isPoison {
                try note(.interrupted, of: job, lastSeen: lastSeen)
                try end(job, as: .failed, error: .poison)
                rescue.poisoned.append(job.id)
                continue
            }
            let isSuspect = PoisonRule.suspects(deaths: deaths, fleetDeaths: fleetDeaths)
            try snooze(
                job, after: isSuspect ? PoisonRule.pause(atPosition: suspects) : .zero, lastSeen: lastSeen)
            if isSuspect { suspects += 1 }
            rescue.requeued.append(job.id)
        }
        return rescue
    }
}
