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

/// One process's report on a budget, and its request for calls.
package struct BudgetRequest: Hashable, Sendable {
    /// The provider and model family: `claude/sonnet`.
    package var budget: String
    package var limits: BudgetLimits
    /// What the process holds of the budget; `nil` for a request that concerns no calls.
    package var holder: BudgetHolder?
    /// The calls that wait, in the order in which they shall begin.
    package var calls: [CallNeed]
    /// Whether the calls wait that waited at the process's last request: this one asks only what else could begin.
    package var waitsAsBefore = false
    /// A usual call, to learn how many of them could begin soon.
    package var usual: CallNeed?
    /// What earlier calls have shown.
    package var reports: [BudgetReport]
    /// Changes of the process's circuit breakers for calls from this budget.
    package var breakers: [BreakerReport]

    package init(
        budget: String, limits: BudgetLimits = BudgetLimits(), holder: BudgetHolder? = nil, calls: [CallNeed] = [],
        usual: CallNeed? = nil, reports: [BudgetReport] = [], breakers: [BreakerReport] = []
    ) {
        self.budget = budget
        self.limits = limits
        self.holder = holder
        self.calls = calls
        self.usual = usual
        self.reports = reports
        self.breakers = breakers
    }

    /// Whether the request cannot change the budget.
    package var isReadOnly: Bool { holder == nil && calls.isEmpty && reports.isEmpty && breakers.isEmpty }
}

/// What a process holds of a budget: all of its calls, also those that the budget let in before.
package struct BudgetHolder: Hashable, Sendable {
    /// Names the process; another one after a restart.
    package var id: String
    /// Calls that have begun or are about to.
    package var calls: Int64
    /// The output that is expected of them and not yet counted.
    package var expectedOutput: Int64
    /// The usual time of a whole call, by `UsualTime`.
    package var usualTime: Duration
    /// The level of the process's retry budget for the provider; `nil` when it told none.
    package var retries: Int64?

    package init(
        id: String, calls: Int64 = 0, expectedOutput: Int64 = 0, usualTime: Duration = .zero, retries: Int64? = nil
    ) {
        self.id = id
        self.calls = calls
        self.expectedOutput = expectedOutput
        self.usualTime = usualTime
        self.retries = retries
    }
}

/// What a call has shown about a budget.
package enum BudgetReport: Hashable, Sendable {
    /// The head of an answer, which told these limits (none when it told nothing).
    case head(LimitReading, BudgetMark)
    /// The provider counted other tokens of the prompt than estimated (or, for limits of input and output together, of
    /// both): positive when more.
    case corrected(BudgetAmount, BudgetMark)
    /// A call that the budget let in was not made, or was refused.
    case returned(BudgetAmount, BudgetMark)
    /// The output that the process's answers got since its last such report; below zero where more was reported before.
    case written(Int64)
    /// A call was sent so much later than calls usually are after they were let in.
    case late(Duration)
    /// The provider answered 429, with this pause.
    case refused(after: Duration?, LimitReading)

    /// Whether it tells the output of answers.
    package var tellsOutput: Bool {
        if case .written = self { true } else { false }
    }
}

/// The limits that the head of an answer tells.
package struct LimitReading: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        /// Per minute.
        package var limit: Int64
        /// The least that remains.
        package var remaining: Int64
        /// What remains besides at most, of a number that the provider has rounded.
        package var uncertainty: Int64
        /// The time until the bucket is full again, at least; `nil` when it was not told.
        package var fullIn: Duration?

        package init(limit: Int64, remaining: Int64, uncertainty: Int64 = 0, fullIn: Duration? = nil) {
            self.limit = limit
            self.remaining = remaining
            self.uncertainty = uncertainty
            self.fullIn = fullIn
        }
    }

    package var lines: [LimitKind: Line]

    package init(_ lines: [LimitKind: Line] = [:]) { self.lines = lines }
}

/// A place in the order of the calls that a budget let in: what the provider had counted when it told its limits.
package struct BudgetMark: Hashable, Sendable {
    package var at: Timestamp
    /// The number of the call among all that the budget let in.
    package var call: Int64
    /// What the budget had let in of each kind, without calls that may still have been on their way to the provider.
    var spent: [LimitKind: Int64]
    /// The `LimitBucket.flow` of each bucket, likewise.
    var flow: [LimitKind: Int64]

    package init(at: Timestamp, call: Int64) {
        self.init(at: at, call: call, spent: [:], flow: [:])
    }

    init(at: Timestamp, call: Int64, spent: [LimitKind: Int64], flow: [LimitKind: Int64]) {
        (self.at, self.call, self.spent, self.flow) = (at, call, spent, flow)
    }

    /// The mark of an earlier call that was let in together with later ones.
    package func before(_ later: ArraySlice<CallNeed>) -> BudgetMark {
        var mark = self
        mark.call -= Int64(later.count)
        mark.withdraw(later.reduce(BudgetAmount()) { $0 + $1.amount })
        return mark
    }

    /// Makes the mark one of a time at which an amount had not been let in yet.
    mutating func withdraw(_ amount: BudgetAmount) {
        guard !amount.isZero else { return }
        for kind in LimitKind.charged {
            spent[kind, default: 0] &-= amount[kind]
            flow[kind]? &+= amount[kind] * LimitBucket.unit
        }
    }
}

/// The store's reply about a budget.
package struct BudgetReply: Hashable, Sendable {
    /// The number of the first calls of the request that may begin now, within `SharedBudget.loanLifetime`.
    package var granted: Int
    /// The mark of the last of them.
    package var mark: BudgetMark?
    /// The time after which the next call of the request can begin at the earliest.
    package var wait: Duration
    /// The usual calls that this process may begin within the next two seconds; `nil` for no limit.
    package var startable: Int?
    /// Without one: the time after which there may be one.
    package var startableIn: Duration
    /// The rest of the pause that the provider asked for; `nil` when it may be called.
    package var blockedFor: Duration?
    /// Whether the provider has told limits; `nil` before the head of any answer.
    package var tellsLimits: Bool?
    /// The store's time.
    package var timestamp: Timestamp
    /// The buckets, told and set ones, for operators.
    package var buckets: [BucketLevel]
    /// The circuit breakers that are open for calls from this budget, at all processes.
    package var openings: [SharedOpening]
    /// The breakers for which the process may make the one call that finds out whether they can close.
    package var probes: [BreakerScope]
    /// The calls of the last hour that the provider refused with 429.
    package var refusals: Int64 = 0
    /// The lowest retry budget of the processes that were heard of last; `nil` when none was.
    package var retries: Int64?

    package init(
        granted: Int = 0, mark: BudgetMark? = nil, wait: Duration = .zero, startable: Int? = nil,
        startableIn: Duration = .zero, blockedFor: Duration? = nil, tellsLimits: Bool? = nil, timestamp: Timestamp,
        buckets: [BucketLevel] = [], openings: [SharedOpening] = [], probes: [BreakerScope] = []
    ) {
        self.granted = granted
        self.mark = mark
        self.wait = wait
        self.startable = startable
        self.startableIn = startableIn
        self.blockedFor = blockedFor
        self.tellsLimits = tellsLimits
        self.timestamp = timestamp
        self.buckets = buckets
        self.openings = openings
        self.probes = probes
    }
}

/// One bucket of a budget, for operators.
package struct BucketLevel: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable {
        /// The provider's answers.
        case told
        /// `models.yaml`.
        case set
    }

    package var kind: LimitKind
    package var source: Source
    /// Per minute.
    package var limit: Int64
    package var size: Int64
    package var level: Int64
    /// Whether a second usual call finds no room in the full bucket.
    package var holdsOneCall: Bool

    /// 0 for an empty bucket, 1 for a full one.
    package var fill: Double { min(max(Double(level) / Double(max(size, 1)), 0), 1) }
}
