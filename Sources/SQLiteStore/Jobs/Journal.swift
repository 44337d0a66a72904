package import JobQueue
internal import JSON
import SQLSupport

extension SQLiteStore {
    package func steps(of lease: Lease) async throws(StoreError) -> [Step] {
        let rows = try await readers.perform { database in
            guard let job = try database.first(.jobStateById, .id(lease.job), read: JobState.init),
                job.isHeld(by: lease)
            else { throw StoreError.leaseLost }
            return try database.all(.stepList, .integer(job.number), read: StoredStep.init)
        }
        return rows.map(\.step)
    }

    package func journal(of job: JobID) async throws(StoreError) -> [Step] {
        let rows = try await readers.perform { database -> [StoredStep] in
            guard let state = try database.first(.jobStateById, .id(job), read: JobState.init) else { return [] }
            return try database.all(.stepList, .integer(state.number), read: StoredStep.init)
        }
        return rows.map(\.step)
    }

    package func append(
        _ step: Step, replacingFrom sequence: Int64?, effects: [Effect], under lease: Lease
    ) async throws(StoreError) -> Int64 {
        try Texts.rejectNUL([("step.name", step.name), ("step.input_hash", step.inputHash)])
        try Texts.rejectNUL(in: step.output, field: "step.output")
        try Texts.rejectNUL(in: effects)
        let output = step.output.compact
        return try await writer.perform { transaction in
            let job = try transaction.fenced(lease)
            if job.deaths > 0 { try transaction.database.run(.jobResetDeaths, .integer(job.number)) }
            if let sequence { try transaction.dropSteps(of: job, from: sequence) }
            try transaction.apply(effects, of: job)
            return try transaction.append(step, output: output, to: job)
        }
    }
}

extension WriteTransaction {
    /// Appends a step to the journal.
    ///
    /// A present step is returned as it is, since its first acknowledgement was lost. A step with another input at its
    /// position drops the journal from there on.
    func append(_ step: Step, output: String, to job: JobState) throws -> Int64 {
        if let sequence = try insert(step, output: output, in: job) { return sequence }
        let present = try database.first(
            .stepSamePlace, .integer(job.number), .text(step.name), .integer(step.occurrence)
        ) { row in (sequence: row.integer(), inputHash: row.text()) }
        if let present {
            if present.inputHash == step.inputHash { return present.sequence }
            try dropSteps(of: job, from: present.sequence)
        }
        guard let sequence = try insert(step, output: output, in: job) else {
            throw StoreError.unexpected(reason: "the journal refused a step")
        }
        return sequence
    }

    private func insert(_ step: Step, output: String, in job: JobState) throws -> Int64? {
        try database.run(
            .stepInsert, .integer(job.number), .text(step.name), .integer(step.occurrence), .text(step.inputHash),
            .text(output))
        return database.changes > 0 ? database.lastInsertedRow : nil
    }

    func dropSteps(of job: JobState, from sequence: Int64) throws {
        try database.run(.stepDropFrom, .integer(job.number), .integer(sequence))
    }

    /// Applies domain writes. Each is an upsert by natural key, so that a repetition changes nothing.
    func apply(_ effects: [Effect], of job: JobState) throws {
        for effect in effects {
            switch effect {
            case .recordModelCall(let call):
                try database.run(
                    .modelCallInsert, .text(call.id), .id(job.id), .user(job.user), .text(job.kind),
                    .text(call.provider), .text(call.model), .integer(call.inputTokens), .integer(call.outputTokens),
                    .integer(call.cacheReadTokens), .integer(call.cacheWriteTokens), .integer(call.costMicroDollars),
                    .timestamp(now))
            case .record(let change):
                try database.apply(change)
            }
        }
    }
}

extension SQLiteStore {
    package func report(_ progress: [ProgressReport]) async throws(StoreError) {
        for report in progress { try Texts.rejectNUL([("current_step", report.currentStep)]) }
        try await writer.perform { transaction in
            for report in progress {
                try transaction.database.run(
                    .jobReport, .id(report.lease.job), .integer(report.lease.epoch),
                    .integer(min(max(report.progress, 0), 100)), .text(report.currentStep))
                if transaction.database.changes > 0 { transaction.noteVisible() }
            }
        }
    }
}
