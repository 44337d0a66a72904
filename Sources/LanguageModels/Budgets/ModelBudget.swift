/// What a provider allows in any minute for some of its models, to all processes together.
public struct ModelBudget: Hashable, Sendable {
    /// Provider and name, `claude/sonnet`: the same in every process.
    public var name: String
    /// `nil` for no limit.
    public var requestsPerMinute: Int64?
    /// Tokens of prompts, what was read from a cache left out, and of answers; `nil` for no limit.
    public var tokensPerMinute: Int64?

    public init(name: String, requestsPerMinute: Int64? = nil, tokensPerMinute: Int64? = nil) {
        self.name = name
        self.requestsPerMinute = requestsPerMinute
        self.tokensPerMinute = tokensPerMinute
    }

    var isUnlimited: Bool { requestsPerMinute == nil && tokensPerMinute == nil }
}

/// Calls and tokens.
public struct BudgetUse: Hashable, Sendable {
    public var requests: Int64
    public var tokens: Int64

    public init(requests: Int64 = 0, tokens: Int64 = 0) {
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
public protocol BudgetBank: Sendable {
    /// Applies one request. It throws when nobody can be asked now.
    func exchange(_ request: BudgetRequest) async throws -> BudgetAnswer
}

/// What a process tells and asks its bank.
public struct BudgetRequest: Sendable {
    public var budget: ModelBudget
    /// What the next call needs; `nil` when nothing is to be borrowed.
    public var need: BudgetUse?
    /// What would be of use within a second, the need included.
    public var wanted: BudgetUse
    /// Somebody waits in front of a screen.
    public var isInteractive: Bool
    /// Used minus lent, by the moment of the loan.
    public var corrections: [Correction]
    /// The provider wants to be left alone for so long.
    public var blockedFor: Duration?

    public struct Correction: Hashable, Sendable {
        /// `BudgetAnswer.moment` of the loan.
        public var moment: Int64
        public var amount: BudgetUse

        public init(moment: Int64, amount: BudgetUse) {
            self.moment = moment
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
public struct BudgetAnswer: Sendable {
    /// What was lent, usable for five seconds; `nil` when nothing was.
    public var granted: BudgetUse?
    /// When nothing was: after what time the need could be met.
    public var wait: Duration
    /// For how long the provider is to be left alone.
    public var blockedFor: Duration?
    /// A mark of the bank's own.
    public var moment: Int64

    public init(granted: BudgetUse?, wait: Duration, blockedFor: Duration?, moment: Int64) {
        self.granted = granted
        self.wait = wait
        self.blockedFor = blockedFor
        self.moment = moment
    }
}
