package import JobQueue
import JSON
import SQLSupport

extension PostgresStore {
    package func ask(
        _ question: BatchQuestion, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> BatchReply {
        try Texts.rejectNUL(in: question)
        let (now, call) = (now?(), question.estimate)
        let statement = Statement(.askByBatch) { parameters in
            parameters.add(now?.milliseconds)
            parameters.add(lease.job)
            parameters.add(lease.epoch)
            parameters.add(question.key.id)
            parameters.add(question.key.step)
            parameters.add(question.key.inputHash)
            parameters.add(question.provider)
            parameters.add(question.model)
            parameters.add(question.request)
            parameters.add(question.isHurried ? 1 : 0)
            parameters.add(question.lastChance.milliseconds)
            parameters.add(call.inputTokens)
            parameters.add(call.outputTokens)
            parameters.add(call.costMicroDollars)
            parameters.add(limits.user)
            parameters.add(limits.service)
            parameters.add(limits.free)
            parameters.add(call.details.prompt)
        }
        let replies = try await perform(statement, movesJobs: true) { row -> BatchReply? in
            let (outcome, answer) = (row.text(), row.text())
            switch outcome {
            case "lost": return nil
            case "answered": return .answered(answer)
            case "full_price": return .fullPrice
            case "waiting": return .waiting(until: question.lastChance)
            default: break
            }
            guard let limit = SpendLimit(rawValue: outcome) else {
                throw StoreError.unexpected(reason: "outcome '\(outcome)'")
            }
            let spend = Spend(
                user: row.integer(), service: row.integer(), free: row.integer(), dayEnd: row.timestamp())
            return .refused(limit, spend)
        }
        guard let reply = replies.first ?? nil else { throw .leaseLost }
        return reply
    }

    package func gatherings() async throws(StoreError) -> [Gathering] {
        try await perform(Statement(.batchGatherings), isRead: true) { Gathering(&$0) }
    }

    package func gatheredLines(
        for model: String, of provider: String, limit: Int
    ) async throws(StoreError) -> [BatchLine] {
        let now = now?()
        let statement = Statement(.batchGatheredLines) { parameters in
            parameters.add(now?.milliseconds)
            parameters.add(provider)
            parameters.add(model)
            parameters.add(Int64(limit))
        }
        return try await perform(statement) { BatchLine(&$0) }
    }

    package func seal(_ batch: ModelBatch, of customIDs: [String]) async throws(StoreError) -> Bool {
        let statement = Statement(.sealBatch) { parameters in
            parameters.add(batch.id)
            parameters.add(batch.provider)
            parameters.add(batch.model)
            parameters.add(batch.state.rawValue)
            parameters.add(batch.dueAt?.milliseconds)
            parameters.add(batch.firstLineAt.milliseconds)
            parameters.add(batch.sealedAt.milliseconds)
            parameters.add(batch.encoded)
            parameters.add(texts: customIDs)
        }
        return try await perform(statement) { $0.integer() }.first == 1
    }

    package func takeBatch(of providers: [String], for time: Duration) async throws(StoreError) -> LeasedBatch? {
        let now = now?()
        let statement = Statement(.takeBatch) { parameters in
            parameters.add(now?.milliseconds)
            parameters.add(texts: providers)
            parameters.add(time.wholeMilliseconds)
        }
        return try await perform(statement) { row in
            LeasedBatch(batch: try ModelBatch(&row), fence: row.integer())
        }.first
    }

    package func change(
        _ leased: LeasedBatch, to batch: ModelBatch, keepingFor time: Duration
    ) async throws(StoreError) -> Bool {
        try Texts.rejectNUL([("provider_id", batch.providerID)])
        let now = now?()
        let statement = Statement(.changeBatch) { parameters in
            parameters.add(now?.milliseconds)
            parameters.add(batch.id)
            parameters.add(leased.fence)
            parameters.add(batch.state.rawValue)
            parameters.add(batch.dueAt?.milliseconds)
            parameters.add(batch.providerID)
            parameters.add(batch.collectedAt?.milliseconds)
            parameters.add(time.wholeMilliseconds)
            parameters.add(batch.encoded)
        }
        return try await perform(statement) { $0.integer() }.first == 1
    }

    package func openLines(of batch: String) async throws(StoreError) -> [BatchLine] {
        try await perform(Statement(.batchOpenLines) { $0.add(batch) }, isRead: true) { BatchLine(&$0) }
    }

    package func settle(_ outcomes: [BatchLineOutcome], of leased: LeasedBatch) async throws(StoreError) -> Bool {
        try Texts.rejectNUL(in: outcomes)
        let now = now?()
        let calls = outcomes.map { outcome in
            if case .answered(_, let call) = outcome.kind { call } else { nil as ModelCall? }
        }
        let statement = Statement(.settleBatchLines) { parameters in
            parameters.add(now?.milliseconds)
            parameters.add(leased.batch.id)
            parameters.add(leased.fence)
            parameters.add(texts: outcomes.map(\.customID))
            parameters.add(texts: outcomes.map(\.kind.word))
            parameters.add(texts: outcomes.map { if case .answered(let text, _) = $0.kind { text } else { nil } })
            parameters.add(texts: outcomes.map { if case .again(let next, _) = $0.kind { next } else { nil } })
            parameters.add(
                integers: outcomes.map { if case .again(_, isAlone: true) = $0.kind { 1 as Int64 } else { 0 } })
            parameters.add(texts: calls.map { $0?.state.rawValue })
            parameters.add(integers: calls.map { $0.map { Int64($0.certainty.rawValue) } })
            parameters.add(integers: calls.map { $0?.inputTokens })
            parameters.add(integers: calls.map { $0?.outputTokens })
            parameters.add(integers: calls.map { $0?.cacheReadTokens })
            parameters.add(integers: calls.map { $0?.cacheWriteTokens })
            parameters.add(integers: calls.map { $0?.costMicroDollars })
            parameters.add(integers: calls.map { $0?.cacheWrite1hTokens })
            parameters.add(texts: calls.map { $0?.details.json.compact })
        }
        return try await perform(statement, movesJobs: true) { $0.integer() }.first == 1
    }

    package func knownProviderIDs(
        of provider: String, since timestamp: Timestamp
    ) async throws(StoreError) -> Set<String> {
        let statement = Statement(.batchProviderIDs) { parameters in
            parameters.add(provider)
            parameters.add(timestamp.milliseconds)
        }
        return Set(try await perform(statement, isRead: true) { $0.text() })
    }

    package func batches(limit: Int) async throws(StoreError) -> [BatchSummary] {
        try await perform(Statement(.batchList) { $0.add(Int64(limit)) }, isRead: true) { try BatchSummary(&$0) }
    }

    package func batchTimes(limit: Int) async throws(StoreError) -> [Duration] {
        try await perform(Statement(.batchTimes) { $0.add(Int64(limit)) }, isRead: true) {
            .milliseconds($0.integer())
        }
    }

    package func forgetBatches(before timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int {
        let statement = Statement(.forgetBatches) { parameters in
            parameters.add(timestamp.milliseconds)
            parameters.add(Int64(limit))
        }
        return try await perform(statement) { $0.int() }.first ?? 0
    }

    private func perform<Value: Sendable>(
        _ statement: Statement, isRead: Bool = false, movesJobs: Bool = false,
        row: @escaping @Sendable (inout PostgresRow) throws -> Value
    ) async throws(StoreError) -> [Value] {
        let answer: any Sendable
        if isRead {
            answer = try await readers.perform(
                RecordStatement(statement: statement) { try $0.map(row) }, in: reads.records)
        } else {
            let request = ModelBatchStatement(statement: statement, movesJobs: movesJobs) { try $0.map(row) }
            answer = try await writers.perform(request, in: writes.modelBatches)
        }
        guard let values = answer as? [Value] else { throw .unavailable(reason: "an answer is missing") }
        return values
    }
}

/// A statement over batches of model calls, and the reading of its rows.
struct ModelBatchStatement: Sendable {
    let statement: Statement
    /// Whether it may change the places of jobs.
    let movesJobs: Bool
    let read: @Sendable (PostgresRows) throws -> any Sendable
}

extension BatchOperation where Input == ModelBatchStatement, Output == any Sendable {
    /// Each statement is a transaction of its own. It can be repeated: under a void lease it changes nothing.
    static let modelBatches = BatchOperation(
        limit: 1,
        weight: { $0.statement.parameters.bytes.count },
        statements: { inputs, _ in inputs.map(\.statement) },
        read: { answer, inputs in
            if inputs.contains(where: \.movesJobs) { (answer.madeReady, answer.madeVisible) = (true, true) }
            return try zip(inputs, answer.rows).map { input, rows in .done(try input.read(rows)) }
        })
}

extension BatchLineOutcome.Kind {
    fileprivate var word: String {
        switch self {
        case .answered: "answered"
        case .again: "again"
        case .failed: "failed"
        }
    }
}

extension Statement {
    /// Names the time of new jobs whose calls may go by batch, after the statement that stores them.
    static func withins(of jobs: [NewJob]) -> [Statement] {
        let withins = jobs.compactMap { job in job.within.map { (id: job.id, within: $0) } }
        if withins.isEmpty { return [] }
        return [
            Statement(.setWithins) { parameters in
                parameters.add(ids: withins.map(\.id))
                parameters.add(integers: withins.map { $0.within.wholeMilliseconds })
            }
        ]
    }

    /// Notes the lines of batches whose answers are journalled, after the statement that checks the leases.
    static func journalledBatchLines(of requests: [(lease: Lease, effects: [Effect])]) -> [Statement] {
        let lines = requests.flatMap { request in
            request.effects.journalledBatchLines.map { (lease: request.lease, line: $0) }
        }
        if lines.isEmpty { return [] }
        return [
            Statement(.journalBatchLines) { parameters in
                parameters.add(ids: lines.map(\.lease.job))
                parameters.add(integers: lines.map(\.lease.epoch))
                parameters.add(texts: lines.map(\.line))
            }
        ]
    }
}
