public import JobQueue

extension SQLiteStore {
    /// Deaths in a row, without a new step in between, after which a job fails.
    private static let deathsAllowed = 3
    /// How long an idempotency key is kept at least.
    private static let idempotencyWindow: Duration = .seconds(24 * 3600)

    public func rescue(_ beat: WorkerBeat) async throws(StoreError) -> Rescue {
        try await writer.perform { transaction in
            var rescue = Rescue(requeued: [], poisoned: [])
            let number = try transaction.database.first(
                .workerDeleteSilent, .text(beat.worker.rawValue), .integer(beat.count)
            ) { $0.integer() }
            guard let number else { return rescue }
            for job in try transaction.jobs(ofWorker: number) {
                if job.deaths + 1 < Self.deathsAllowed {
                    try transaction.giveBack(job, deaths: job.deaths + 1)
                    rescue.requeued.append(job.id)
                } else {
                    try transaction.end(job, as: .failed, error: .poison)
                    rescue.poisoned.append(job.id)
                }
            }
            return rescue
        }
    }

    public func expire(limit: Int) async throws(StoreError) -> [JobID] {
        try await writer.perform { transaction in
            let late = try transaction.database.all(
                .jobExpired, .moment(transaction.now), .integer(limit)
            ) { $0.integer() }
            return try late.compactMap { number in
                guard let job = try transaction.state(ofNumber: number) else { return nil }
                // It may have ended with its leader a moment ago.
                if !job.status.isFinished { try transaction.end(job, as: .failed, error: .deadlinePassed) }
                return job.id
            }
        }
    }

    public func deleteFinished(before moment: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let keysBefore = transaction.now - Self.idempotencyWindow
            try transaction.database.run(.jobDeleteFinished, .moment(moment), .moment(keysBefore), .integer(limit))
            return transaction.database.changes
        }
    }
}
