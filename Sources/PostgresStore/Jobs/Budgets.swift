import SQLSupport
package import JobQueue
internal import Synchronization

extension PostgresStore: BudgetStore {
    package func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        for request in requests { try Texts.rejectNUL([("budget", request.budget)]) }
        return try await writers.perform(requests, in: writes.exchange)
    }
}

/// A process's copy of the fleet's budgets.
///
/// The process decides on requests by its copy and proposes the change to the database. When another process changed
/// the budgets first, it learns the new state and decides again. So an exchange takes one statement and holds no lock
/// while it decides.
final class BudgetMemory: Sendable {
    struct Known: Sendable {
        var version: Int64
        var budget: SharedBudget
    }

    /// Decisions on requests, valid once the database has accepted them.
    struct Proposal: Sendable {
        var replies: [[BudgetReply]] = []
        /// The new state of each budget; `nil` when it stays as it is.
        var states: [String: (version: Int64, state: SharedBudget?)] = [:]
        /// Whether the copy was complete enough to decide.
        var isDecided = true
    }

    private struct State {
        var known: [String: Known] = [:]
        /// The database's clock and this process's monotonic clock at one instant.
        var clock: (database: Timestamp, here: ContinuousClock.Instant)?
        var proposal = Proposal()
    }

    private let state = Mutex(State())

    /// Decides on the requests of a batch, one after the other.
    func propose(_ inputs: [[BudgetRequest]], now fixed: Timestamp?) -> Proposal {
        state.withLock { state in
            let now = fixed ?? state.clock.map { $0.database + (ContinuousClock.now - $0.here) }
            var proposal = Proposal()
            for name in Set(inputs.joined().map(\.budget)) {
                proposal.states[name] = (state.known[name]?.version ?? -1, nil)
            }
            proposal.isDecided = now != nil && proposal.states.values.allSatisfy { $0.version >= 0 }
            if let now, proposal.isDecided {
                proposal.replies = inputs.map { requests in
                    requests.map { request in
                        let before = proposal.states[request.budget]?.state ?? state.known[request.budget]?.budget
                        var budget = before ?? SharedBudget()
                        let reply = budget.apply(request, at: now)
                        if budget != before { proposal.states[request.budget]?.state = budget }
                        return reply
                    }
                }
            }
            state.proposal = proposal
            return proposal
        }
    }

    /// Stores the current state of the budgets, and returns the last proposal if the database accepted it.
    func settle(_ rows: [(name: String, isCurrent: Bool, version: Int64, state: String?, now: Timestamp)]) -> Proposal?
    {
        state.withLock { state in
            let proposal = state.proposal
            for row in rows {
                state.clock = (row.now, .now)
                let budget = row.state.flatMap { SharedBudget(encoded: $0) } ?? SharedBudget()
                state.known[row.name] = Known(version: row.version, budget: budget)
            }
            return proposal.isDecided && rows.allSatisfy(\.isCurrent) ? proposal : nil
        }
    }
}

extension BatchOperation where Input == [BudgetRequest], Output == [BudgetReply] {
    /// Repeatable: amounts granted by a try whose answer was lost count as spent, like unused loans. That try has
    /// raised the version, so the next one is refused, learns the state and decides again.
    static func exchange(_ memory: BudgetMemory) -> BatchOperation {
        BatchOperation(
            statements: { inputs, context in
                let proposal = memory.propose(inputs, now: context.now)
                let names = proposal.states.keys.sorted()
                return [
                    Statement(.exchangeBudgets) { parameters in
                        parameters.add(texts: names)
                        parameters.add(integers: names.map { proposal.states[$0]?.version ?? -1 })
                        parameters.add(texts: names.map { proposal.states[$0]?.state?.encoded })
                    }
                ]
            },
            read: { answer, inputs in
                let rows = answer.rows.first?.map { row in
                    (
                        name: row.text(), isCurrent: row.flag(), version: row.integer(), state: row.textIfAny(),
                        now: row.timestamp()
                    )
                }
                guard let proposal = memory.settle(rows ?? []) else { return inputs.map { _ in .again } }
                return proposal.replies.map { .done($0) }
            })
    }
}
