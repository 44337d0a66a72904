/// What a provider allows in any minute for some of its models, to all processes together.
package struct ModelBudget: Hashable, Sendable {
    /// Provider and name, `claude/sonnet`: the same in every process.
    package var name: String
    /// `nil` for no limit.
    package var requestsPerMinute: Int64?
    /// Tokens of prompts, what was read from a cache left out, and of answers; `nil` for no limit.
    package var tokensPerMinute: Int64?

    package init(name: String, requestsPerMinute: Int64? = nil, tokensPerMinute: Int64? = nil) {
        self.name = name
        self.requestsPerMinute = requestsPerMinute
        self.tokensPerMinute = tokensPerMinute
    }

    var isUnlimited: Bool { requestsPerMinute == nil && tokensPerMinute == nil }
}

/// Calls and tokens.
package struct BudgetUse: Hashable, Sendable {
    package var requests: Int64
    package var tokens: Int64

    package init(requests: Int64 = 0, tokens: Int64 = 0) {
        self.requests = requests
        self.tokens = tokens
    }

    static func + (left: BudgetUse, right: BudgetUse) -> BudgetUse {
        BudgetUse(requests: left.requests + right.requests, tokens: left.tokens + right.tokens)
    }

    static func - (left: BudgetUse, right: BudgetUse) -> BudgetUse {
        BudgetUse(requests: left.requests - right.requests, tokens: left.tokens - right.tokens)
    }

    func covers(_ need: BudgetUse) -> Bool { requests >= need.requests && tokens >= need.tokens }

    var isZero: Bool { requests == 0 && tokens == 0 }
}

/// Where a fleet keeps what it has borrowed of its budgets. Whoever puts Dossier together provides one.
package protocol BudgetBank: Sendable {
    /// Applies one request. It throws when nobody can be asked now.
    func exchange(_ request: BudgetRequest) async throws -> BudgetAnswer
}

/// What a process tells and asks its bank.
package struct BudgetRequest: Sendable {
    package var budget: ModelBudget
    /// What the next call needs; `nil` when nothing is to be borrowed.
    package var need: BudgetUse?
    /// What would be of use within a second, the need included.
    package var wanted: BudgetUse
    /// Somebody waits in front of a screen.
    package var isInteractive: Bool
    /// Used minus lent, by the moment of the loan.
    package var corrections: [Correction]
    /// The provider wants to be left alone for so long.
    package var blockedFor: Duration?

    package struct Correction: Hashable, Sendable {
        /// `BudgetAnswer.timestamp` of the loan.
        package var timestamp: Int64
        package var amount: BudgetUse

        package init(timestamp: Int64, amount: BudgetUse) {
            self.timestamp = timestamp
            self.amount = amount
        }
    }

    init(_ budget: ModelBudget) {
        self.budget = budget
        wanted = BudgetUse()
        isInteractive = false
        corrections = []
    }
}

/// What the bank says.
package struct BudgetAnswer: Sendable {
    /// What was lent, usable for five seconds; `nil` when nothing was.
    package var granted: BudgetUse?
    /// When nothing was: after what time the need could be met.
    package var wait: Duration
    /// For how long the provider is to be left alone.
    package var blockedFor: Duration?
    /// A mark of the bank's own.
    package var timestamp: Int64

    package init(granted: BudgetUse?, wait: Duration, blockedFor: Duration?, timestamp: Int64) {
        self.granted = granted
        self.wait = wait
        self.blockedFor = blockedFor
        self.timestamp = timestamp
    }
}
