import JobQueue
import LanguageModels

/// The budgets of model calls, kept in the database that all processes share.
struct StoreBank: BudgetBank {
    let store: any BudgetStore

    func exchange(_ request: BudgetRequest) async throws -> BudgetAnswer {
        let order = BudgetOrder(
            budget: request.budget.name,
            limits: BudgetLimits(
                requestsPerMinute: request.budget.requestsPerMinute, tokensPerMinute: request.budget.tokensPerMinute),
            need: request.need.map(BudgetAmount.init), wanted: BudgetAmount(request.wanted),
            isInteractive: request.isInteractive,
            corrections: request.corrections.map { correction in
                BudgetCorrection(
                    lentAt: Timestamp(milliseconds: correction.timestamp), amount: BudgetAmount(correction.amount))
            },
            blockedFor: request.blockedFor)
        guard let reply = try await store.exchange([order]).first else {
            throw StoreError.unexpected(reason: "a budget was not answered")
        }
        return BudgetAnswer(
            granted: reply.granted.map { BudgetUse(requests: $0.requests, tokens: $0.tokens) }, wait: reply.wait,
            blockedFor: reply.blockedFor, timestamp: reply.timestamp.milliseconds)
    }
}

extension BudgetAmount {
    fileprivate init(_ use: BudgetUse) { self.init(requests: use.requests, tokens: use.tokens) }
}
