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
        try Texts.rejectNUL(in: effects)
        try JobLimit.check(effects)
        let output = PackedText(try StoredOutput(step))
        let place = try await writer.perform { transaction -> Int64? in
            try transaction.settle(effects.modelCalls, of: lease)
            guard let job = try transaction.held(lease) else { return nil }
            if job.deaths > 0 { try transaction.database.run(.jobResetDeaths, .integer(job.number)) }
            if let sequence { try transaction.dropSteps(of: job, from: sequence) }
            try transaction.apply(effects)
            for line in effects.journalledBatchLines {
                try transaction.database.run(.batchLineJournalled, .text(line))
            }
            return try transaction.append(step, output: output, to: job)
        }
        guard let place else { throw .leaseLost }
        return place
    }
}

extension WriteTransaction {
    /// Appends a step to the journal.
    ///
    /// A present step is returned as it is, since its first acknowledgement was lost. A step with another input at its
    /// position drops the journal from there on.
    func append(_ step: Step, output: PackedText, to job: JobState) throws -> Int64 {
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

    private func insert(_ step: Step, output: PackedText, in job: JobState) throws -> Int64? {
        let now = now
        try database.run(
            .stepInsert, .integer(job.number), .text(step.name), .integer(step.occurrence), .text(step.inputHash),
            output.text, output.packed, .integer(job.epoch), .timestamp(now - step.took), .timestamp(now))
        guard database.changes > 0 else { return nil }
        let sequence = database.lastInsertedRow
        try JobLimit.steps.check(try database.first(.stepCount, .integer(job.number)) { $0.int() } ?? 0)
        return sequence
    }

    func dropSteps(of job: JobState, from sequence: Int64) throws {
        try database.run(.stepDropFrom, .integer(job.number), .integer(sequence))
    }

    /// Applies the records among domain writes. Each is an upsert by natural key, so that a repetition changes nothing.
    func apply(_ effects: [Effect]) throws {
        for case .record(let change) in effects { try database.apply(change) }
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
