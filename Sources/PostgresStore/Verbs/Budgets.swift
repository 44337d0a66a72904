import SQLSupport
package import JobQueue
internal import Synchronization

extension PostgresStore: BudgetStore {
    package func exchange(_ orders: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        for order in orders { try Texts.rejectNUL([("budget", order.budget)]) }
        return try await writers.perform(orders, in: writes.exchange)
    }
}

/// What a process knows of the fleet's budgets. It decides on orders from that and offers the database the change; when
/// somebody else was first, it learns what they did and decides anew. So a budget costs one statement, and no lock is
/// held while anybody thinks.
final class BudgetMemory: Sendable {
    struct Known: Sendable {
        var version: Int64
        var budget: SharedBudget
    }

    /// Orders that were decided on, to be answered when the database has taken them.
    struct Proposal: Sendable {
        var replies: [[BudgetReply]] = []
        /// What each budget becomes; without one nothing changes.
        var states: [String: (version: Int64, state: SharedBudget?)] = [:]
        /// Whether there was something to decide by.
        var isDecided = true
    }

    private struct State {
        var known: [String: Known] = [:]
        /// The database's clock beside this process's monotonic one.
        var clock: (database: Timestamp, here: ContinuousClock.Instant)?
        var proposal = Proposal()
    }

    private let state = Mutex(State())

    /// Decides on the orders of a batch, one after the other, from what is known.
    func propose(_ inputs: [[BudgetRequest]], now fixed: Timestamp?) -> Proposal {
        state.withLock { state in
            let now = fixed ?? state.clock.map { $0.database + (ContinuousClock.now - $0.here) }
            var proposal = Proposal()
            for name in Set(inputs.joined().map(\.budget)) {
                proposal.states[name] = (state.known[name]?.version ?? -1, nil)
            }
            proposal.isDecided = now != nil && proposal.states.values.allSatisfy { $0.version >= 0 }
            if let now, proposal.isDecided {
                proposal.replies = inputs.map { orders in
                    orders.map { order in
                        let before = proposal.states[order.budget]?.state ?? state.known[order.budget]?.budget
                        var budget = before ?? SharedBudget()
                        let reply = budget.apply(order, at: now)
                        if budget != before { proposal.states[order.budget]?.state = budget }
                        return reply
                    }
                }
            }
            state.proposal = proposal
            return proposal
        }
    }

    /// Takes in what the budgets are now, and says whether the last proposal was taken.
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
    /// Repeatable: what was lent by a try whose answer was lost counts as spent, as a loan does that nobody uses. Such a
    /// try has moved the version on, so that the next one is told what there is and decides anew.
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
