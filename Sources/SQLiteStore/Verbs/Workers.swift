import SQLSupport
package import JobQueue

extension SQLiteStore {
    package func register(_ worker: WorkerRegistration) async throws(StoreError) {
        try Texts.rejectNUL([("worker.id", worker.id.rawValue), ("worker.host", worker.host)])
        try await writer.perform { transaction in
            try transaction.database.run(
                .workerRegister, .text(worker.id.rawValue), .text(worker.host), .integer(Int64(worker.processID)),
                .integer(worker.concurrency), .timestamp(transaction.now))
        }
    }

    package func heartbeat(_ worker: WorkerID) async throws(StoreError) {
        try await writer.perform { transaction in
            try transaction.database.run(.workerBeat, .text(worker.rawValue))
            if transaction.database.changes == 0 { throw StoreError.workerUnknown }
        }
    }

    package func deregister(_ worker: WorkerID) async throws(StoreError) {
        try await writer.perform { transaction in
            let number = try transaction.database.first(.workerDelete, .text(worker.rawValue)) { $0.integer() }
            guard let number else { return }
            for job in try transaction.jobs(ofWorker: number) { try transaction.giveBack(job) }
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

    package func snooze(_ leases: [Lease], after pause: Duration) async throws(StoreError) {
        try await writer.perform { transaction in
            for lease in leases {
                guard let job = try transaction.state(of: lease.job), job.isHeld(by: lease) else { continue }
                try transaction.giveBack(job, after: pause)
            }
        }
    }

    package func heartbeats() async throws(StoreError) -> [WorkerHeartbeat] {
        try await readers.perform { database in
            try database.all(.workerBeats) { row in
                WorkerHeartbeat(worker: WorkerID(rawValue: row.text()), count: row.integer())
            }
        }
    }
}

extension WriteTransaction {
    /// The jobs that a worker runs, by its number.
    func jobs(ofWorker number: Int64) throws -> [JobState] {
        let jobs = try database.all(.leaseJobs, .integer(number)) { $0.integer() }
        return try jobs.compactMap { try state(ofNumber: $0) }
    }
}
