/// A store of the budgets that limit the fleet's use of its providers.
///
/// One row for each budget holds a `SharedBudget`, which decides. A store locks the row, decodes it, applies the
/// request at its own clock and writes it back, all in one transaction; the rows of several requests are locked in the
/// order of their names. A budget without a row is an empty one.
package protocol BudgetStore: Sendable {
    /// Applies each request.
    ///
    /// - Returns: The replies in the order of the requests.
    func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply]
}

/// The limits of a provider for any minute; `nil` is no limit.
package struct BudgetLimits: Hashable, Sendable {
    package var requestsPerMinute: Int64?
    package var tokensPerMinute: Int64?

    package init(requestsPerMinute: Int64? = nil, tokensPerMinute: Int64? = nil) {
        self.requestsPerMinute = requestsPerMinute
        self.tokensPerMinute = tokensPerMinute
    }

    package var isNone: Bool { requestsPerMinute == nil && tokensPerMinute == nil }
}

/// A number of calls and of tokens.
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

    package static func - (left: BudgetAmount, right: BudgetAmount) -> BudgetAmount {
        BudgetAmount(requests: left.requests - right.requests, tokens: left.tokens - right.tokens)
    }

    package var isZero: Bool { requests == 0 && tokens == 0 }
}

/// One process's report on a budget, and its request for a grant.
package struct BudgetRequest: Hashable, Sendable {
    /// The provider and model family: `claude/sonnet`.
    package var budget: String
    package var limits: BudgetLimits
    /// The need of the next call; `nil` to ask for no grant.
    package var need: BudgetAmount?
    /// The need of the calls within the next second, `need` included. The need is granted whole or not at all; of the
    /// rest, as much as fits a share.
    package var wanted: BudgetAmount
    /// A person waits for the call, which may use the part that is reserved for such calls.
    package var isInteractive: Bool
    /// Earlier grants whose use is known by now.
    package var corrections: [BudgetCorrection]
    /// The pause that the provider asked for with a 429.
    package var blockedFor: Duration?
    /// Changes of the process's circuit breakers for calls from this budget.
    package var breakers: [BreakerReport]

    package init(
        budget: String, limits: BudgetLimits, need: BudgetAmount? = nil, wanted: BudgetAmount = BudgetAmount(),
        isInteractive: Bool = false, corrections: [BudgetCorrection] = [], blockedFor: Duration? = nil,
        breakers: [BreakerReport] = []
    ) {
        self.budget = budget
        self.limits = limits
        self.need = need
        self.wanted = wanted
        self.isInteractive = isInteractive
        self.corrections = corrections
        self.blockedFor = blockedFor
        self.breakers = breakers
    }
}

extension BudgetRequest {
    /// Whether the request cannot change the budget.
    package var isReadOnly: Bool {
        need == nil && corrections.isEmpty && blockedFor == nil && breakers.isEmpty
    }
}

/// The difference between the use and the grant: a negative amount is returned, a positive one was used beyond the
/// grant.
package struct BudgetCorrection: Hashable, Sendable {
    /// `BudgetReply.timestamp` of the grant.
    package var grantedAt: Timestamp
    package var amount: BudgetAmount

    package init(grantedAt: Timestamp, amount: BudgetAmount) {
        self.grantedAt = grantedAt
        self.amount = amount
    }
}

/// The store's reply about a budget.
package struct BudgetReply: Hashable, Sendable {
    /// The grant, at least the need; `nil` when nothing was granted. A grant ends after `SharedBudget.grantLifetime`;
    /// its unused part counts as used unless a correction returns it.
    package var granted: BudgetAmount?
    /// Without a grant: the shortest time after which the need could be met.
    package var wait: Duration
    /// The rest of the pause that the provider asked for; `nil` when it may be called.
    package var blockedFor: Duration?
    /// The store's time.
    package var timestamp: Timestamp
    /// The circuit breakers that are open for calls from this budget, at all processes.
    package var openings: [SharedOpening]
    /// The breakers for which the process may make the one call that finds out whether they can close.
    package var probes: [BreakerScope]

    package init(
        granted: BudgetAmount?, wait: Duration, blockedFor: Duration?, timestamp: Timestamp,
        openings: [SharedOpening] = [], probes: [BreakerScope] = []
    ) {
        self.granted = granted
        self.wait = wait
        self.blockedFor = blockedFor
        self.timestamp = timestamp
        self.openings = openings
        self.probes = probes
    }
}
