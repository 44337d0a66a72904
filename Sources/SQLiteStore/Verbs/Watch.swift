import SQLSupport
package import JobQueue

extension SQLiteStore {
    /// How long an idempotency key is kept at least.
    private static let idempotencyWindow: Duration = .seconds(24 * 3600)

    package func rescue(_ beat: WorkerHeartbeat) async throws(StoreError) -> Rescue {
        try await writer.perform { transaction in
            let number = try transaction.database.first(
                .workerDeleteSilent, .text(beat.worker.rawValue), .integer(beat.count)
            ) { $0.integer() }
            guard let number else { return Rescue(requeued: [], poisoned: []) }
            return try transaction.takeBack(try transaction.jobs(ofWorker: number))
        }
    }

    package func expire(limit: Int) async throws(StoreError) -> [JobID] {
        try await writer.perform { transaction in
            let late = try transaction.database.all(
                .jobExpired, .timestamp(transaction.now), .integer(limit)
            ) { $0.integer() }
            return try late.compactMap { number in
                guard let job = try transaction.state(ofNumber: number) else { return nil }
                // It may have ended with its leader a moment ago.
                if !job.status.isFinished { try transaction.end(job, as: .failed, error: .deadlinePassed) }
                return job.id
            }
        }
    }

    package func deleteFinished(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let keysBefore = transaction.now - Self.idempotencyWindow
            try transaction.database.run(.jobDeleteFinished, .timestamp(timestamp), .timestamp(keysBefore), .integer(limit))
            return transaction.database.changes
        }
    }
}

extension WriteTransaction {
    /// Takes the jobs of a worker that died back to pending, but for one that is to blame for it.
    fileprivate func takeBack(_ jobs: [JobState]) throws -> Rescue {
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
            let isPoison = PoisonRule.blames(
                deaths: deaths, fleetDeaths: fleet - (first ?? fleet) + 1, isAlone: isAlone && job.deaths == most)
            if isPoison {
                try end(job, as: .failed, error: .poison)
                rescue.poisoned.append(job.id)
                continue
            }
            try giveBack(job, after: deaths >= PoisonRule.deaths ? PoisonRule.pause(atPosition: suspects) : .zero)
            if deaths >= PoisonRule.deaths { suspects += 1 }
            rescue.requeued.append(job.id)
        }
        return rescue
    }
}
