/// Where the fleet's use of its providers is counted.
///
/// One row for each budget holds a `SharedBudget`, which decides. A store locks the row, decodes it, applies the order
/// at its own clock and writes it back, all in one transaction; the rows of several orders are locked in the order of
/// their names. A budget without a row is an empty one.
package protocol BudgetStore: Sendable {
    /// Applies each order and answers it, in the order given.
    func exchange(_ orders: [BudgetOrder]) async throws(StoreError) -> [BudgetReply]
}

/// What a provider allows in any minute; `nil` is no limit.
package struct BudgetLimits: Hashable, Sendable {
    package var requestsPerMinute: Int64?
    package var tokensPerMinute: Int64?

    package init(requestsPerMinute: Int64? = nil, tokensPerMinute: Int64? = nil) {
        self.requestsPerMinute = requestsPerMinute
        self.tokensPerMinute = tokensPerMinute
    }

    package var isNone: Bool { requestsPerMinute == nil && tokensPerMinute == nil }
}

/// Calls and their tokens.
package struct BudgetAmount: Hashable, Sendable {
    package var requests: Int64
    package var tokens: Int64

    package init(requests: Int64 = 0, tokens: Int64 = 0) {
        self.requests = requests
        self.tokens = tokens
    }

    package static func + (left: BudgetAmount, right: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: left.requests + right.requests, tokens: left.tokens + right.tokens)
    }

    package var isZero: Bool { requests == 0 && tokens == 0 }
}

/// What one process tells and asks about one budget.
package struct BudgetOrder: Hashable, Sendable {
    /// Provider and model family: `claude/sonnet`.
    package var budget: String
    package var limits: BudgetLimits
    /// What the next call needs; `nil` when nothing is to be borrowed.
    package var need: BudgetAmount?
    /// What would be of use within the next second, the need included. The need is lent whole or not at all; of the
    /// rest, as much as fits a share.
    package var wanted: BudgetAmount
    /// Somebody waits for the call: it may use what is kept back from others.
    package var isInteractive: Bool
    /// Earlier loans whose true use is known by now.
    package var corrections: [BudgetCorrection]
    /// The provider said "too many" and wants to be left alone for so long.
    package var blockedFor: Duration?

    package init(
        budget: String, limits: BudgetLimits, need: BudgetAmount? = nil, wanted: BudgetAmount = BudgetAmount(),
        isInteractive: Bool = false, corrections: [BudgetCorrection] = [], blockedFor: Duration? = nil
    ) {
        self.budget = budget
        self.limits = limits
        self.need = need
        self.wanted = wanted
        self.isInteractive = isInteractive
        self.corrections = corrections
        self.blockedFor = blockedFor
    }
}

extension BudgetOrder {
    /// Whether it only asks, so that nothing can change.
    package var isQuestion: Bool { need == nil && corrections.isEmpty && blockedFor == nil }
}

/// The difference between what was lent and what was used: negative gives back, positive was used beyond the loan.
package struct BudgetCorrection: Hashable, Sendable {
    /// `BudgetReply.timestamp` of the loan.
    package var lentAt: Timestamp
    package var amount: BudgetAmount

    package init(lentAt: Timestamp, amount: BudgetAmount) {
        self.lentAt = lentAt
        self.amount = amount
    }
}

/// What the store says of a budget.
package struct BudgetReply: Hashable, Sendable {
    /// What was lent, at least the need; `nil` when nothing was. A loan ends after `SharedBudget.loanTime`; what was
    /// not used until then counts as spent unless a correction gives it back.
    package var granted: BudgetAmount?
    /// When nothing was lent: the shortest time after which the need could be met.
    package var wait: Duration
    /// For how long the provider wants to be left alone; `nil` when it may be asked.
    package var blockedFor: Duration?
    /// The store's time.
    package var timestamp: Timestamp

    package init(granted: BudgetAmount?, wait: Duration, blockedFor: Duration?, timestamp: Timestamp) {
        self.granted = granted
        self.wait = wait
        self.blockedFor = blockedFor
        self.timestamp = timestamp
    }
}
