package import JSON

/// A user's credits, with `granted == remaining + held + used` at all times.
package struct CreditBalance: Hashable, Sendable {
    package var granted: Int
    /// Credits of accepted, unfinished jobs.
    package var held: Int
    package var used: Int

    package init(granted: Int, held: Int, used: Int) {
        self.granted = granted
        self.held = held
        self.used = used
    }

    package var remaining: Int { granted - held - used }

    /// The form of the API and the command line.
    package var json: JSON {
        ["granted": JSON(granted), "remaining": JSON(remaining), "held": JSON(held), "used": JSON(used)]
    }
}

/// A user whose stored balance differs from the sums of the ledger.
package struct CreditDiscrepancy: Hashable, Sendable {
    package var user: UserID
    package var stored: CreditBalance
    package var recomputed: CreditBalance
    /// Other problems in words, such as an unfinished job without its hold.
    package var remarks: [String]

    package init(user: UserID, stored: CreditBalance, recomputed: CreditBalance, remarks: [String] = []) {
        self.user = user
        self.stored = stored
        self.recomputed = recomputed
        self.remarks = remarks
    }
}

/// The grouping of model costs.
package enum CostGrouping: String, Sendable, CaseIterable {
    case day, kind, model, user, job, prompt, bundle
    /// The users' numbers, of which a reader makes their plans.
    case plan
}

/// The ended model calls and the costs of one group, calls that failed or were cancelled included.
package struct CostLine: Hashable, Sendable {
    /// The day as `2026-11-21` (UTC), the job kind, `provider/model`, the user's number, the job's id, or the name
    /// of the prompt (empty for calls without one).
    package var group: String
    package var calls: Int64
    package var inputTokens: Int64
    package var outputTokens: Int64
    package var microDollars: Int64
    /// The part for calls without a usable answer: failed, stalled or cut ones.
    package var failedMicroDollars: Int64
    /// The part for cancelled calls, losers against hedges included.
    package var cancelledMicroDollars: Int64
    /// The part of the prompts that was read from a cache.
    package var cacheReadTokens: Int64
    /// The calls that marked a part of their prompt for a cache.
    package var markedCalls: Int64
    /// What caching saved against the list price: reads save, and writes cost more than plain input.
    package var savedByCache: Int64
    package var savedByBatch: Int64
    /// The calls that a simulator answered.
    package var simulatedCalls: Int64

    /// What caching and batches saved against the list price.
    package var saved: Int64 { savedByCache + savedByBatch }

    package init(
        group: String, calls: Int64, inputTokens: Int64, outputTokens: Int64, microDollars: Int64,
        failedMicroDollars: Int64 = 0, cancelledMicroDollars: Int64 = 0, cacheReadTokens: Int64 = 0,
        markedCalls: Int64 = 0, savedByCache: Int64 = 0, savedByBatch: Int64 = 0, simulatedCalls: Int64 = 0
    ) {
        self.group = group
        self.calls = calls
        self.inputTokens = inputTokens
        self.outputTokens = outputTokens
        self.microDollars = microDollars
        self.failedMicroDollars = failedMicroDollars
        self.cancelledMicroDollars = cancelledMicroDollars
        self.cacheReadTokens = cacheReadTokens
        self.markedCalls = markedCalls
        self.savedByCache = savedByCache
        self.savedByBatch = savedByBatch
        self.simulatedCalls = simulatedCalls
    }

    /// Adds the sums of another line.
    package mutating func add(_ other: CostLine) {
        for sum in Self.sums { self[keyPath: sum] += other[keyPath: sum] }
    }

    private static var sums: [WritableKeyPath<CostLine, Int64>] {
        [
            \.calls, \.inputTokens, \.outputTokens, \.microDollars, \.failedMicroDollars, \.cancelledMicroDollars,
            \.cacheReadTokens, \.markedCalls, \.savedByCache, \.savedByBatch, \.simulatedCalls,
        ]
    }
}

extension [CostLine] {
    /// The lines under other names, the dearest first; lines of one name are summed.
    package func renamed(_ name: (String) -> String) -> [CostLine] {
        var sums: [String: CostLine] = [:]
        for var line in self {
            line.group = name(line.group)
            if sums[line.group]?.add(line) == nil { sums[line.group] = line }
        }
        return sums.values.sorted { ($1.microDollars, $0.group) < ($0.microDollars, $1.group) }
    }
}
