package import JobQueue
internal import JSON
import SQLSupport

extension SQLiteStore {
    package func ask(
        _ question: BatchQuestion, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> BatchReply {
        try Texts.rejectNUL(in: question)
        let request = PackedText(question.request)
        return try await writer.perform { transaction in
            try transaction.ask(question, request, under: lease, limits: limits)
        }
    }

    package func gatherings() async throws(StoreError) -> [Gathering] {
        try await readers.perform { database in try database.all(.batchGatherings) { Gathering(&$0) } }
    }

    package func gatheredLines(
        for model: String, of provider: String, limit: Int
    ) async throws(StoreError) -> [BatchLine] {
        try await writer.perform { transaction in
            try transaction.dropLeavingLines(for: model, of: provider)
            return try transaction.database.all(
                .batchLinesGathered, .text(provider), .text(model), .integer(limit)
            ) { BatchLine(&$0) }
        }
    }

    package func seal(_ batch: ModelBatch, of customIDs: [String]) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            try await writer.perform { transaction in try transaction.seal(batch, of: customIDs) }
            return true
        } catch {
            if error == .leaseLost { return false }
            throw error
        }
    }

    package func takeBatch(of providers: [String], for time: Duration) async throws(StoreError) -> LeasedBatch? {
        let names = JSON(providers).compact
        // Most of the time nothing is due, and a read does not wait for the writer.
        let isDue = try await readers.perform { [clock] database in
            try database.first(.batchNextDue, .timestamp(clock()), .text(names)) { _ in true } ?? false
        }
        guard isDue else { return nil }
        return try await writer.perform { transaction in
            let (database, now) = (transaction.database, transaction.now)
            let found = try database.first(.batchNextDue, .timestamp(now), .text(names)) { row in
                (batch: try ModelBatch(&row), fence: row.integer())
            }
            guard let found else { return nil }
            try database.run(.batchLease, .text(found.batch.id), .timestamp(now + time))
            return LeasedBatch(batch: found.batch, fence: found.fence + 1)
        }
    }

    package func change(
        _ leased: LeasedBatch, to batch: ModelBatch, keepingFor time: Duration
    ) async throws(StoreError) -> Bool {
        try Texts.rejectNUL([("provider_id", batch.providerID)])
        return try await writer.perform { transaction in
            let now = transaction.now
            try transaction.database.run(
                .batchChange, .text(batch.id), .integer(leased.fence), .text(batch.state.rawValue),
                .timestamp(batch.dueAt), .text(batch.providerID), .timestamp(batch.collectedAt),
                .timestamp(now + time), .text(batch.encoded))
            return transaction.database.changes > 0
        }
    }

    package func openLines(of batch: String) async throws(StoreError) -> [BatchLine] {
        try await readers.perform { database in
            try database.all(.batchLinesOpen, .text(batch)) { BatchLine(&$0) }
        }
    }

    package func settle(_ outcomes: [BatchLineOutcome], of leased: LeasedBatch) async throws(StoreError) -> Bool {
        try Texts.rejectNUL(in: outcomes)
        let answers = outcomes.map { outcome -> PackedText? in
            if case .answered(let text, _) = outcome.kind { PackedText(text) } else { nil }
        }
        return try await writer.perform { transaction in
            let fence = try transaction.database.first(.batchFence, .text(leased.batch.id)) { $0.integer() }
            guard fence == leased.fence else { return false }
            for (outcome, answer) in zip(outcomes, answers) {
                try transaction.settle(outcome, answer, in: leased.batch.id)
            }
            return true
        }
    }

    package func knownProviderIDs(
        of provider: String, since timestamp: Timestamp
    ) async throws(StoreError) -> Set<String> {
        Set(
            try await readers.perform { database in
                try database.all(.batchProviderIDs, .text(provider), .timestamp(timestamp)) { $0.text() }
            })
    }

    package func batches(limit: Int) async throws(StoreError) -> [BatchSummary] {
        try await readers.perform { database in
            try database.all(.batchList, .integer(limit)) { try BatchSummary(&$0) }
        }
    }

    package func batchTimes(limit: Int) async throws(StoreError) -> [Duration] {
        try await readers.perform { database in
            try database.all(.batchTimes, .integer(limit)) { .milliseconds($0.integer()) }
        }
    }

    package func forgetBatches(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        try await writer.perform { transaction in
            let database = transaction.database
            try database.run(.batchLinesForget, .timestamp(timestamp), .integer(limit))
            let lines = database.changes
            try database.run(.batchForget, .timestamp(timestamp), .integer(limit))
            return lines + database.changes
        }
    }
}

extension WriteTransaction {
    /// - Throws: `leaseLost` when a line is in another batch by now, or has left.
    fileprivate func seal(_ batch: ModelBatch, of customIDs: [String]) throws {
        try database.run(
            .batchInsert, .text(batch.id), .text(batch.provider), .text(batch.model), .text(batch.state.rawValue),
            .timestamp(batch.dueAt), .timestamp(batch.firstLineAt), .timestamp(batch.sealedAt), .text(batch.encoded))
        for customID in customIDs {
            try database.run(.batchLineSeal, .text(customID), .text(batch.id))
            guard database.changes == 1 else { throw StoreError.leaseLost }
        }
    }

    fileprivate func ask(
        _ question: BatchQuestion, _ request: PackedText, under lease: Lease, limits: SpendLimits
    ) throws -> BatchReply {
        guard let job = try held(lease) else { throw StoreError.leaseLost }
        let now = now
        let present = try database.first(.batchLineGet, .text(question.key.id)) { row in
            (state: row.text(), number: row.int(), answer: row.largeText())
        }
        switch present?.state {
        case "answered": return .answered(present?.answer ?? "")
        case "failed": return .fullPrice
        default: break
        }
        guard now < question.lastChance else { return .fullPrice }
        if present?.state != "open" {
            let number = (present?.number ?? 0) + 1
            var call = question.estimate
            call.id = question.key.callID(try: number)
            if case .refused(let limit, let spend) = try begin(call, under: lease, limits: limits) {
                return .refused(limit, spend)
            }
            try database.run(.batchCallMark, .text(call.id))
            try database.run(
                .batchLineInsert, .text(question.key.id), .id(lease.job), .text(question.key.step),
                .text(question.key.inputHash), .text(question.provider), .text(question.model), .integer(number),
                .text(question.key.customID(try: number)),
                .integer(question.isHurried), .timestamp(question.lastChance), .timestamp(now), .text(call.id),
                .integer(question.request.utf8.count), request.text, request.packed)
        }
        try snooze(job, until: question.lastChance)
        return .waiting(until: question.lastChance)
    }

    /// Ends the lines of jobs that have ended, or make the call at the full price by now. No provider has seen them.
    fileprivate func dropLeavingLines(for model: String, of provider: String) throws {
        let leaving = try database.all(.batchLinesLeaving, .text(provider), .text(model), .timestamp(now)) { row in
            (id: row.text(), job: row.jobID(), call: row.text())
        }
        for line in leaving {
            let call = ModelCall.unmade(line.call, provider: provider, model: model, state: .cancelled)
            try settle([call], of: Lease(job: line.job, epoch: 0))
            try database.run(.batchLineDelete, .text(line.id))
        }
    }

    fileprivate func settle(_ outcome: BatchLineOutcome, _ answer: PackedText?, in batch: String) throws {
        let line = try database.first(.batchLineByCustomID, .text(outcome.customID), .text(batch)) { row in
            (
                id: row.text(), job: row.jobID(), call: row.text(), lastChance: row.timestamp(), number: row.int(),
                provider: row.text(), model: row.text()
            )
        }
        guard let line else { return }
        let lease = Lease(job: line.job, epoch: 0)
        switch outcome.kind {
        case .answered(_, var call):
            call.id = line.call
            try settle([call], of: lease)
            try database.run(
                .batchLineSettle, .text(line.id), .text("answered"), answer?.text ?? .null, answer?.packed ?? .null)
        case .again(let customID, let isAlone):
            try database.run(
                .batchLineAgain, .text(line.id), .integer(line.number + 1), .text(customID), .integer(isAlone),
                .timestamp(now))
            return
        case .failed:
            let call = ModelCall.unmade(line.call, provider: line.provider, model: line.model, state: .failed)
            try settle([call], of: lease)
            try database.run(.batchLineSettle, .text(line.id), .text("failed"), .null, .null)
        }
        try wake(line.job, from: line.lastChance)
    }

    /// Makes a job claimable that waits for a line of a batch.
    private func wake(_ id: JobID, from lastChance: Timestamp) throws {
        guard let job = try state(of: id), job.status == .pending, !job.isBlocked, job.runAt == lastChance else {
            return
        }
        try wake(job)
    }
}
