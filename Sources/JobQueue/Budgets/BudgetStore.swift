/// Where the fleet's use of its providers is counted.
///
/// One row for each budget holds a `SharedBudget`, which decides. A store locks the row, decodes it, applies the order
/// at its own clock and writes it back, all in one transaction; the rows of several orders are locked in the order of
/// their names. A budget without a row is an empty one.
public protocol BudgetStore: Sendable {
    /// Applies each order and answers it, in the order given.
    func exchange(_ orders: [BudgetOrder]) async throws(StoreError) -> [BudgetReply]
}

/// What a provider allows in any minute; `nil` is no limit.
public struct BudgetLimits: Hashable, Sendable {
    public var requestsPerMinute: Int64?
    public var tokensPerMinute: Int64?

    public init(requestsPerMinute: Int64? = nil, tokensPerMinute: Int64? = nil) {
        self.requestsPerMinute = requestsPerMinute
        self.tokensPerMinute = tokensPerMinute
    }

    public var isNone: Bool { requestsPerMinute == nil && tokensPerMinute == nil }
}

/// Calls and their tokens.
public struct BudgetAmount: Hashable, Sendable {
    public var requests: Int64
    public var tokens: Int64

    public init(requests: Int64 = 0, tokens: Int64 = 0) {
        self.requests = requests
        self.tokens = tokens
    }

    public static func + (left: BudgetAmount, right: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: left.requests + right.requests, tokens: left.tokens + right.tokens)
    }

    public var isZero: Bool { requests == 0 && tokens == 0 }
}

/// What one process tells and asks about one budget.
public struct BudgetOrder: Hashable, Sendable {
    /// Provider and model family: `claude/sonnet`.
    public var budget: String
    public var limits: BudgetLimits
    /// What the next call needs; `nil` when nothing is to be borrowed.
    public var need: BudgetAmount?
    /// What would be of use within the next second, the need included. The need is lent whole or not at all; of the
    /// rest, as much as fits a share.
    public var wanted: BudgetAmount
    /// Somebody waits for the call: it may use what is kept back from others.
    public var isInteractive: Bool
    /// Earlier loans whose true use is known by now.
    public var corrections: [BudgetCorrection]
    /// The provider said "too many" and wants to be left alone for so long.
    public var blockedFor: Duration?

    public init(
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

/// The difference between what was lent and what was used: negative gives back, positive was used beyond the loan.
public struct BudgetCorrection: Hashable, Sendable {
    /// `BudgetReply.moment` of the loan.
    public var lentAt: Timestamp
    public var amount: BudgetAmount

    public init(lentAt: Timestamp, amount: BudgetAmount) {
        self.lentAt = lentAt
        self.amount = amount
    }
}

/// What the store says of a budget.
public struct BudgetReply: Hashable, Sendable {
    /// What was lent, at least the need; `nil` when nothing was. A loan ends after `SharedBudget.loanTime`; what was
    /// not used until then counts as spent unless a correction gives it back.
    public var granted: BudgetAmount?
    /// When nothing was lent: the shortest time after which the need could be met.
    public var wait: Duration
    /// For how long the provider wants to be left alone; `nil` when it may be asked.
    public var blockedFor: Duration?
    /// The store's time.
    public var moment: Timestamp

    public init(granted: BudgetAmount?, wait: Duration, blockedFor: Duration?, moment: Timestamp) {
        self.granted = granted
        self.wait = wait
        self.blockedFor = blockedFor
        self.moment = moment
    }
}
