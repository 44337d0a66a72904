/// What a store tells operators about the fleet's model calls.
///
/// The cost of each reading grows with the calls since a time, which an index finds, or with the batches that are not
/// collected.
package protocol ModelMonitoring: ModelCallStore, BudgetStore, BatchStore {
    /// Sums the calls that began since a time and have ended, by model, state, service tier and whether they
    /// were made beside others.
    func modelCallSums(since timestamp: Timestamp) async throws(StoreError) -> [ModelCallSum]

    /// Counts the durations of the calls that began since a time and have ended.
    func modelDurations(since timestamp: Timestamp) async throws(StoreError) -> [ModelDurations]

    /// The latencies of answered calls that began since a time: the latest 200 of each model, newest first.
    func modelLatencies(since timestamp: Timestamp) async throws(StoreError) -> [ModelLatency]

    /// Calls that marked prefixes and have ended, the eldest first.
    ///
    /// - Parameters:
    ///   - timestamp: The time since which they began.
    ///   - last: The last call of the page before; `nil` for the first page.
    ///   - limit: The most calls of a page.
    /// - Returns: A page; one with fewer calls than `limit` is the last.
    /// - Throws: The error of the database.
    func markedCalls(
        since timestamp: Timestamp, after last: MarkedCall?, limit: Int
    ) async throws(StoreError) -> [MarkedCall]

    /// Counts the batches that are not collected.
    func batchCounts() async throws(StoreError) -> [BatchCount]

    /// The times that batches took, of those that were collected since a time; the latest 10,000.
    func batchDurations(since timestamp: Timestamp) async throws(StoreError) -> [BatchDuration]
}

/// The ended calls of one model with the same state, service tier and cause.
package struct ModelCallSum: Hashable, Sendable {
    package var provider: String
    /// The id in the catalogue.
    package var model: String
    package var state: ModelCall.State
    package var serviceTier: ModelCall.ServiceTier
    /// They were made beside other calls.
    package var isHedge: Bool
    package var calls: Int64
    /// Tokens of prompts that were neither read from a cache nor written to one.
    package var inputTokens: Int64
    package var outputTokens: Int64
    package var cacheReadTokens: Int64
    package var cacheWrite5mTokens: Int64
    package var cacheWrite1hTokens: Int64
    package var microDollars: Int64
    /// What caching saved against the list price: reads save, and writes cost more than plain input.
    package var savedByCache: Int64
    package var savedByBatch: Int64

    package init(
        provider: String, model: String, state: ModelCall.State, serviceTier: ModelCall.ServiceTier, isHedge: Bool,
        calls: Int64, inputTokens: Int64, outputTokens: Int64, cacheReadTokens: Int64, cacheWrite5mTokens: Int64,
        cacheWrite1hTokens: Int64, microDollars: Int64, savedByCache: Int64, savedByBatch: Int64
    ) {
        self.provider = provider
        self.model = model
        self.state = state
        self.serviceTier = serviceTier
        self.isHedge = isHedge
        self.calls = calls
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.cacheReadTokens = cacheReadTokens
        self.cacheWrite5mTokens = cacheWrite5mTokens
        self.cacheWrite1hTokens = cacheWrite1hTokens
        self.microDollars = microDollars
        self.savedByCache = savedByCache
        self.savedByBatch = savedByBatch
    }
}

/// The durations of one kind of one model's calls, counted by their length.
package struct ModelDurations: Hashable, Sendable {
    package enum Series: String, Sendable, CaseIterable {
        case firstByte = "first_byte"
        case firstContent = "first_content"
        /// The wait for the provider's budget.
        case wait
    }

    /// The upper end of each bucket in milliseconds, as the queries of the stores have them; one more bucket holds
    /// longer durations.
    package static let bounds: [Int64] = [100, 250, 500, 1000, 2500, 5000, 10_000, 20_000, 30_000, 60_000, 180_000]

    package var provider: String
    package var model: String
    package var series: Series
    /// A person waited for the calls.
    package var isInteractive: Bool
    package var counts: [Int64]
    package var sum: Duration

    package init(
        provider: String, model: String, series: Series, isInteractive: Bool,
        counts: [Int64] = Array(repeating: 0, count: bounds.count + 1), sum: Duration = .zero
    ) {
        self.provider = provider
        self.model = model
        self.series = series
        self.isInteractive = isInteractive
        self.counts = counts
        self.sum = sum
    }
}

/// The latencies of one answered call.
package struct ModelLatency: Hashable, Sendable {
    package var provider: String
    package var model: String
    package var firstByte: Duration
    package var firstContent: Duration?
    package var longestGap: Duration?

    package init(
        provider: String, model: String, firstByte: Duration, firstContent: Duration?, longestGap: Duration?
    ) {
        self.provider = provider
        self.model = model
        self.firstByte = firstByte
        self.firstContent = firstContent
        self.longestGap = longestGap
    }
}

/// The batches of one model that are in one state.
package struct BatchCount: Hashable, Sendable {
    package var provider: String
    package var model: String
    package var state: ModelBatch.State
    package var count: Int64

    package init(provider: String, model: String, state: ModelBatch.State, count: Int64) {
        self.provider = provider
        self.model = model
        self.state = state
        self.count = count
    }
}

/// The time that a batch took from its first line to the end.
package struct BatchDuration: Hashable, Sendable {
    package var provider: String
    package var model: String
    package var duration: Duration

    package init(provider: String, model: String, duration: Duration) {
        self.provider = provider
        self.model = model
        self.duration = duration
    }
}

/// A budget of the catalogue, as far as operators ask about it.
package struct MonitoredBudget: Hashable, Sendable {
    /// `claude/sonnet`.
    package var name: String
    package var provider: String
    /// The ids of the models whose calls it limits.
    package var models: [String]
    package var limits: BudgetLimits

    package init(name: String, provider: String, models: [String], limits: BudgetLimits) {
        self.name = name
        self.provider = provider
        self.models = models
        self.limits = limits
    }

    /// A question that changes nothing.
    package var question: BudgetRequest { BudgetRequest(budget: name, limits: limits) }
}
