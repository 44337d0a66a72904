package import JobQueue
import JSON
import SQLSupport

extension PostgresStore {
    package func begin(
        _ call: ModelCall, under lease: Lease, limits: SpendLimits
    ) async throws(StoreError) -> SpendVerdict {
        try Texts.rejectNUL(in: [.recordModelCall(call)])
        let input = BeginCallInput(call: call, lease: lease, limits: limits)
        guard let verdict = try await writers.perform(input, in: writes.beginCall) else { throw .leaseLost }
        return verdict
    }

    package func correct(_ calls: [ModelCall]) async throws(StoreError) {
        guard !calls.isEmpty else { return }
        try await writers.perform(calls, in: writes.correctCalls)
    }

    package func settle(_ calls: [ModelCall], of lease: Lease) async throws(StoreError) {
        try Texts.rejectNUL(in: calls.map { .recordModelCall($0) })
        guard !calls.isEmpty else { return }
        try await writers.perform(SettleCallsInput(lease: lease, calls: calls), in: writes.settleCalls)
    }

    package func closeAbandonedCalls(limit: Int) async throws(StoreError) -> Int {
        try await writers.perform(limit, in: writes.closeCalls)
    }

    package func spend(of user: UserID) async throws(StoreError) -> Spend {
        try await readers.perform(user, in: reads.spend)
    }

    package func modelSpend(of user: UserID, since timestamp: Timestamp) async throws(StoreError) -> Int64 {
        try await readers.perform(SpendQuestion(user: user, since: timestamp), in: reads.modelSpend)
    }

    package func callsOfLastHour() async throws(StoreError) -> CallSum {
        try await readers.perform((), in: reads.callsOfLastHour)
    }

    package func modelCosts(
        by grouping: CostGrouping, since start: Timestamp, until end: Timestamp?
    ) async throws(StoreError) -> [CostLine] {
        try await readers.perform(CostQuestion(grouping: grouping, since: start, until: end), in: reads.costs)
    }
}

struct BeginCallInput: Sendable {
    var call: ModelCall
    var lease: Lease
    var limits: SpendLimits
}

struct SettleCallsInput: Sendable {
    var lease: Lease
    var calls: [ModelCall]
}

/// Asks for a user's spend on models since a time.
struct SpendQuestion: Sendable {
    var user: UserID
    var since: Timestamp
}

/// Asks for the spend on models since a time, in groups.
struct CostQuestion: Sendable {
    var grouping: CostGrouping
    var since: Timestamp
    var until: Timestamp?
}

extension BatchOperation where Input == BeginCallInput, Output == SpendVerdict? {
    /// Repeatable: a call that is booked already is not booked again.
    static let beginCall = BatchOperation(
        limit: 64, batching: .running,
        keys: { [.text($0.call.id)] },
        statements: { inputs, context in
            [
                Statement(.beginModelCalls) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(ids: inputs.map(\.lease.job))
                    parameters.add(integers: inputs.map(\.lease.epoch))
                    parameters.add(texts: inputs.map(\.call.id))
                    parameters.add(texts: inputs.map(\.call.provider))
                    parameters.add(texts: inputs.map(\.call.model))
                    parameters.add(integers: inputs.map(\.call.inputTokens))
                    parameters.add(integers: inputs.map(\.call.outputTokens))
                    parameters.add(integers: inputs.map(\.call.costMicroDollars))
                    parameters.add(integers: inputs.map(\.limits.user))
                    parameters.add(integers: inputs.map(\.limits.service))
                    parameters.add(integers: inputs.map(\.limits.free))
                    parameters.add(integers: inputs.map(\.call.least?.outputTokens))
                    parameters.add(integers: inputs.map(\.call.least?.costMicroDollars))
                    parameters.add(integers: inputs.map(\.call.cacheReadTokens))
                    parameters.add(integers: inputs.map(\.call.cacheWriteTokens))
                    parameters.add(integers: inputs.map(\.call.cacheWrite1hTokens))
                    parameters.add(texts: inputs.map(\.call.details.prompt))
                    parameters.add(texts: inputs.map(\.call.hedgeOf))
                    let hedges = inputs.map { $0.call.hedgeOf == nil ? nil : $0.limits.hedges }
                    parameters.add(integers: hedges.map { $0?.calls })
                    parameters.add(integers: hedges.map { $0?.microDollars })
                    parameters.add(integers: inputs.map { $0.call.details.isSimulated ? 1 : 0 })
                }
            ]
        },
        read: { answer, inputs in
            answer.verdicts(inputs.count, missing: .done(nil)) { row in
                let outcome = row.text()
                let spend = Spend(&row)
                if outcome == "hedge" { return .done(.hedgeRefused) }
                return .done(SpendLimit(rawValue: outcome).map { .refused($0, spend) } ?? .booked(spend))
            }
        })
}

extension BatchOperation where Input == SettleCallsInput, Output == Void {
    /// Repeatable: the end of a call is stored once.
    static let settleCalls = BatchOperation(
        batching: .running,
        statements: { inputs, context in Statement.ends(of: inputs, at: context.now) },
        read: { _, inputs in inputs.map { _ in .done(()) } })
}

extension BatchOperation where Input == [ModelCall], Output == Void {
    /// Repeatable: the same use changes nothing.
    static let correctCalls = BatchOperation(
        statements: { inputs, context in
            let calls = inputs.flatMap(\.self)
            return [
                Statement(.correctModelCalls) { parameters in
                    parameters.add(texts: calls.map(\.id))
                    parameters.add(integers: calls.map { Int64($0.certainty.rawValue) })
                    parameters.add(integers: calls.map(\.inputTokens))
                    parameters.add(integers: calls.map(\.outputTokens))
                    parameters.add(integers: calls.map(\.cacheReadTokens))
                    parameters.add(integers: calls.map(\.cacheWriteTokens))
                    parameters.add(integers: calls.map(\.costMicroDollars))
                    parameters.add(integers: calls.map(\.cacheWrite1hTokens))
                    parameters.add(context.now?.milliseconds)
                }
            ]
        },
        read: { _, inputs in inputs.map { _ in .done(()) } })
}

extension BatchOperation where Input == Int, Output == Int {
    static let closeCalls = BatchOperation(
        limit: 1,
        statements: { inputs, context in
            inputs.map { limit in
                Statement(.closeAbandonedCalls) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(Int64(limit))
                }
            }
        },
        read: { answer, _ in answer.rows.map { rows in .done(rows.first { $0.int() } ?? 0) } })
}

extension Statement {
    /// Names the billed users of new jobs of the service, after the statement that stores them.
    static func billedUsers(of jobs: [NewJob]) -> [Statement] {
        let billedUsers = jobs.compactMap { job -> (id: JobID, billedUser: UserID)? in
            if let work = job.sharedWork { return (work.id, job.billedUser ?? job.user) }
            return job.billedUser.map { (job.id, $0) }
        }
        if billedUsers.isEmpty { return [] }
        return [
            Statement(.setBilledUsers) { parameters in
                parameters.add(ids: billedUsers.map(\.id))
                parameters.add(integers: billedUsers.map(\.billedUser.rawValue))
            }
        ]
    }

    /// The domain writes of requests, after the statement that checks their leases. Model calls are booked in any case:
    /// they were made.
    static func effects(of requests: [(lease: Lease, effects: [Effect])], at now: Timestamp?) -> [Statement] {
        let calls = requests.map { SettleCallsInput(lease: $0.lease, calls: $0.effects.modelCalls) }
        return records(of: requests, at: now) + ends(of: calls, at: now)
    }

    /// The ends of model calls.
    fileprivate static func ends(of requests: [SettleCallsInput], at now: Timestamp?) -> [Statement] {
        let ends = requests.flatMap { request in request.calls.map { (lease: request.lease, call: $0) } }
        if ends.isEmpty { return [] }
        return [
            Statement(.settleModelCalls) { parameters in
                parameters.add(now?.milliseconds)
                parameters.add(ids: ends.map(\.lease.job))
                parameters.add(texts: ends.map(\.call.id))
                parameters.add(texts: ends.map(\.call.provider))
                parameters.add(texts: ends.map(\.call.model))
                parameters.add(texts: ends.map(\.call.state.rawValue))
                parameters.add(integers: ends.map { Int64($0.call.certainty.rawValue) })
                parameters.add(integers: ends.map(\.call.inputTokens))
                parameters.add(integers: ends.map(\.call.outputTokens))
                parameters.add(integers: ends.map(\.call.cacheReadTokens))
                parameters.add(integers: ends.map(\.call.cacheWriteTokens))
                parameters.add(integers: ends.map(\.call.costMicroDollars))
                parameters.add(integers: ends.map(\.lease.epoch))
                parameters.add(integers: ends.map(\.call.cacheWrite1hTokens))
                parameters.add(texts: ends.map(\.call.details.json.compact))
                parameters.add(texts: ends.map(\.call.hedgeOf))
            }
        ]
    }
}

extension Spend {
    /// Reads the sums of a user, of the service and of its free work, and the end of the day.
    fileprivate init(_ row: inout PostgresRow) {
        self.init(user: row.integer(), service: row.integer(), free: row.integer(), dayEnd: row.timestamp())
    }
}

extension BatchOperation where Input == UserID, Output == Spend {
    static let spend = BatchOperation(
        limit: 32,
        statements: { inputs, context in
            inputs.map { user in
                Statement(.spendOfDay) { parameters in
                    parameters.add(context.now?.milliseconds)
                    parameters.add(user.rawValue)
                }
            }
        },
        read: { answer, _ in
            answer.rows.map { rows in
                rows.first { Spend(&$0) }.map { .done($0) }
                    ?? .failed(.unexpected(reason: "the server has told no sums"))
            }
        })
}

extension BatchOperation where Input == SpendQuestion, Output == Int64 {
    static let modelSpend = BatchOperation(
        limit: 32,
        statements: { inputs, _ in
            inputs.map { question in
                Statement(.modelSpend) { parameters in
                    parameters.add(question.user.rawValue)
                    parameters.add(question.since.milliseconds)
                }
            }
        },
        read: { answer, _ in answer.rows.map { rows in .done(rows.first { $0.integer() } ?? 0) } })
}

extension BatchOperation where Input == Void, Output == CallSum {
    static let callsOfLastHour = BatchOperation(
        statements: { _, context in
            [Statement(.callsOfLastHour) { $0.add(context.now?.milliseconds) }]
        },
        read: { answer, inputs in
            let sum = answer.rows.first?.first { $0.callSum() }
            return inputs.map { _ in .done(sum ?? CallSum(calls: 0, microDollars: 0)) }
        })
}

extension BatchOperation where Input == CostQuestion, Output == [CostLine] {
    static let costs = BatchOperation(
        limit: 4, timeout: .seconds(120),
        statements: { inputs, _ in
            inputs.map { question in
                Statement(.modelCosts) {
                    $0.add(question.since.milliseconds)
                    $0.add(question.grouping.rawValue)
                    $0.add(question.until?.milliseconds ?? .max)
                }
            }
        },
        read: { answer, _ in
            answer.rows.map { rows in
                .done(
                    rows.map {
                        CostLine(
                            group: $0.text(), calls: $0.integer(), inputTokens: $0.integer(),
                            outputTokens: $0.integer(), microDollars: $0.integer(), failedMicroDollars: $0.integer(),
                            cancelledMicroDollars: $0.integer(), cacheReadTokens: $0.integer(),
                            markedCalls: $0.integer(), savedByCache: $0.integer(), savedByBatch: $0.integer(),
                            simulatedCalls: $0.integer())
                    })
            }
        })
}
