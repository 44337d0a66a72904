internal import JobQueue
internal import Observability

/// What the fleet's calls of models have done since midnight UTC, and the state of budgets and batches: all of it read
/// from the database, so that every broker tells the same.
struct ModelFigures: Sendable {
    private let budgets: [MonitoredBudget]
    private let replies: [BudgetReply]
    private let sums: [ModelCallSum]
    private let durations: [ModelDurations]
    private let batches: [BatchCount]
    private let gatherings: Int
    private let batchTimes: [BatchDuration]
    private let spend: Spend

    private static let day: Int64 = 86_400_000

    init(_ store: any ModelMonitoring, budgets: [MonitoredBudget], at now: Timestamp) async throws(StoreError) {
        let midnight = Timestamp(milliseconds: now.milliseconds / Self.day * Self.day)
        self.budgets = budgets
        replies = budgets.isEmpty ? [] : try await store.exchange(budgets.map(\.question))
        sums = try await store.modelCallSums(since: midnight)
        durations = try await store.modelDurations(since: midnight)
        batches = try await store.batchCounts()
        gatherings = try await store.gatherings().count
        batchTimes = try await store.batchDurations(since: midnight)
        spend = try await store.spend(of: .system)
    }

    /// Writes all metrics.
    func write(to text: inout PrometheusText, limits: SpendLimits) {
        writeBudgets(to: &text)
        writeCalls(to: &text)
        writeHedges(to: &text)
        writeDurations(to: &text)
        writeBatches(to: &text)
        text.family("dossier_spend_ratio", .gauge, "The day's model spend by the limits of plans.yaml.")
        for limit in [SpendLimit.service, .free] {
            guard let highest = limits[limit], highest > 0 else { continue }
            text.sample("dossier_spend_ratio", Double(spend[limit]) / Double(highest), [("of", limit.rawValue)])
        }
    }

    // MARK: Budgets

    private func writeBudgets(to text: inout PrometheusText) {
        let known = zip(budgets, replies)
        text.family("dossier_provider_limit", .gauge, "What a provider or models.yaml allows a minute.")
        for (budget, reply) in known {
            for (kind, buckets) in reply.byKind {
                text.sample("dossier_provider_limit", Int(buckets.map(\.limit).min() ?? 0), budget.labels(kind))
            }
        }
        text.family("dossier_provider_level_ratio", .gauge, "How full a limit is: 1 when it is not in use.")
        for (budget, reply) in known {
            for (kind, buckets) in reply.byKind {
                text.sample("dossier_provider_level_ratio", buckets.map(\.fill).min() ?? 0, budget.labels(kind))
            }
        }
        text.family("dossier_provider_refusals", .gauge, "Calls of the last hour that a provider refused with 429.")
        for (budget, reply) in known {
            text.sample("dossier_provider_refusals", Int(reply.refusals), [("budget", budget.name)])
        }
        text.family("dossier_breaker_open", .gauge, "Whether calls of a model are stopped after stalls or failures.")
        for (budget, reply) in known {
            let stopped = Set(reply.openings.map(\.scope))
            for model in budget.models {
                let isOpen = stopped.contains(.provider) || stopped.contains(.model(model))
                text.sample(
                    "dossier_breaker_open", isOpen ? 1 : 0, [("provider", budget.provider), ("model", model)])
            }
        }
        text.family(
            "dossier_retry_budget", .gauge,
            "The second calls that a provider's retry budget holds, in the process with the fewest.")
        let retries = Dictionary(
            known.compactMap { budget, reply in reply.retries.map { (budget.provider, $0) } }, uniquingKeysWith: min)
        for (provider, level) in retries.sorted(by: { $0.key < $1.key }) {
            text.sample("dossier_retry_budget", Int(level), [("provider", provider)])
        }
    }

    // MARK: Calls

    /// The sums of calls with the same labels, in the order of the labels.
    private func totals(
        _ name: (ModelCallSum) -> [String], _ value: (ModelCallSum) -> Int64
    ) -> [(labels: [String], total: Int64)] {
        var totals: [[String]: Int64] = [:]
        for sum in sums { totals[name(sum), default: 0] += value(sum) }
        return totals.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { ($0.key, $0.value) }
    }

    private func writeCalls(to text: inout PrometheusText) {
        func model(_ sum: ModelCallSum) -> [String] { [sum.provider, sum.model] }
        text.family(
            "dossier_model_calls_total", .counter,
            "Ended model calls since midnight UTC, failed and cancelled ones included.")
        for (labels, count) in totals({ model($0) + [$0.state.rawValue] }, \.calls) {
            text.sample(
                "dossier_model_calls_total", Int(count),
                [("provider", labels[0]), ("model", labels[1]), ("outcome", labels[2])])
        }
        func write(_ name: String, _ label: String, _ classes: [(String, (ModelCallSum) -> Int64)]) {
            for (value, amount) in classes {
                for (labels, total) in totals(model, amount) {
                    text.sample(
                        name, Int(total), [("provider", labels[0]), ("model", labels[1]), (label, value)])
                }
            }
        }
        text.family("dossier_model_tokens_total", .counter, "Tokens of model calls since midnight UTC.")
        write(
            "dossier_model_tokens_total", "direction",
            [("input", { $0.promptTokens }), ("output", { $0.outputTokens })])
        text.family(
            "dossier_cache_tokens_total", .counter,
            "Tokens of prompts since midnight UTC, by what the provider's cache did with them.")
        write(
            "dossier_cache_tokens_total", "class",
            [
                ("read", { $0.cacheReadTokens }), ("write_5m", { $0.cacheWrite5mTokens }),
                ("write_1h", { $0.cacheWrite1hTokens }), ("uncached", { $0.inputTokens }),
            ])
        text.family(
            "dossier_model_cost_dollars_total", .counter, "Cost of model calls in dollars since midnight UTC.")
        for (labels, cost) in totals(model, \.microDollars) {
            text.sample(
                "dossier_model_cost_dollars_total", Double(cost) / 1_000_000,
                [("provider", labels[0]), ("model", labels[1])])
        }
        text.family(
            "dossier_cost_saved_dollars_total", .counter,
            "Dollars saved against the list price since midnight UTC. A write to a cache takes from it.")
        for (by, saved) in [
            ("cache", sums.reduce(0) { $0 + $1.savedByCache }), ("batch", sums.reduce(0) { $0 + $1.savedByBatch }),
        ] {
            text.sample("dossier_cost_saved_dollars_total", Double(saved) / 1_000_000, [("by", by)])
        }
    }

    private func writeHedges(to text: inout PrometheusText) {
        let losers = sums.filter { $0.state == .hedgeLost }
        // The loser is the first call where the hedge has won.
        let won = losers.filter { !$0.isHedge }.reduce(0) { $0 + $1.calls }
        let hedges = sums.filter(\.isHedge).reduce(0) { $0 + $1.calls }
        text.family(
            "dossier_hedges_total", .counter,
            "Model calls made beside another one since midnight UTC, by whether they had content first.")
        text.sample("dossier_hedges_total", Int(won), [("won", "true")])
        text.sample("dossier_hedges_total", Int(max(0, hedges - won)), [("won", "false")])
        text.family(
            "dossier_hedge_cost_dollars_total", .counter,
            "Cost in dollars since midnight UTC of calls that lost against another one for the same answer.")
        let cost = losers.reduce(0) { $0 + $1.microDollars }
        text.sample("dossier_hedge_cost_dollars_total", Double(cost) / 1_000_000)
    }

    // MARK: Durations

    private func writeDurations(to text: inout PrometheusText) {
        text.family(
            "dossier_provider_wait_seconds", .histogram,
            "Waits of calls for a provider's limits, of calls that ended since midnight UTC.")
        for line in durations where line.series == .wait {
            text.sample(
                "dossier_provider_wait_seconds", line,
                line.labels + [("lane", line.isInteractive ? "interactive" : "background")])
        }
        for (series, name, help) in [
            (ModelDurations.Series.firstByte, "dossier_model_first_byte_seconds", "Time to the head of an answer."),
            (.firstContent, "dossier_model_first_content_seconds", "Time to the first text, thinking or tool input."),
        ] {
            text.family(name, .histogram, help)
            for line in ofAllQueues(series) { text.sample(name, line, line.labels) }
        }
    }

    /// The durations of a series, those of both lanes in one.
    private func ofAllQueues(_ series: ModelDurations.Series) -> [ModelDurations] {
        var lines: [ModelDurations] = []
        for line in durations where line.series == series {
            guard let last = lines.last, last.provider == line.provider, last.model == line.model else {
                lines.append(line)
                continue
            }
            lines[lines.count - 1].counts = zip(last.counts, line.counts).map(+)
            lines[lines.count - 1].sum += line.sum
        }
        return lines
    }

    // MARK: Batches

    private func writeBatches(to text: inout PrometheusText) {
        text.family("dossier_batches", .gauge, "Batches of model calls that are not collected, by state.")
        text.sample("dossier_batches", gatherings, [("state", "gathering")])
        for state in ModelBatch.State.allCases where state != .collected {
            let count = batches.reduce(0) { $0 + ($1.state == state ? $1.count : 0) }
            text.sample("dossier_batches", Int(count), [("state", state.rawValue)])
        }
        text.family(
            "dossier_batch_seconds", .histogram,
            "Time from the first line of a batch to its end, of batches collected since midnight UTC.")
        let byModel = Dictionary(grouping: batchTimes) { [$0.provider, $0.model] }
        for (labels, batches) in byModel.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let histogram = Histogram(bounds: Self.batchBounds)
            for batch in batches { histogram.record(batch.duration) }
            text.sample("dossier_batch_seconds", histogram, [("provider", labels[0]), ("model", labels[1])])
        }
    }

    /// From ten minutes to a day.
    private static let batchBounds: [Duration] = [600, 1200, 1800, 3600, 7200, 14_400, 28_800, 57_600, 86_400].map {
        .seconds($0)
    }
}

extension ModelCallSum {
    fileprivate var promptTokens: Int64 {
        inputTokens + cacheReadTokens + cacheWrite5mTokens + cacheWrite1hTokens
    }
}

extension ModelDurations {
    fileprivate var labels: PrometheusText.Labels { [("provider", provider), ("model", model)] }
}

extension BudgetReply {
    /// The buckets of each kind: what the provider told, and what `models.yaml` sets.
    fileprivate var byKind: [(LimitKind, [BucketLevel])] {
        LimitKind.allCases.compactMap { kind in
            let buckets = buckets.filter { $0.kind == kind }
            return buckets.isEmpty ? nil : (kind, buckets)
        }
    }
}

extension MonitoredBudget {
    fileprivate func labels(_ kind: LimitKind) -> PrometheusText.Labels { [("budget", name), ("kind", kind.rawValue)] }
}

extension PrometheusText {
    fileprivate mutating func sample(_ name: String, _ line: ModelDurations, _ labels: Labels) {
        sample(
            name, counts: line.counts.map { Int($0) }, bounds: ModelDurations.bounds.map { .milliseconds($0) },
            sum: line.sum.inSeconds, labels)
    }
}
