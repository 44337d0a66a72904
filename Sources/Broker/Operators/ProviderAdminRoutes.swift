internal import Basics
internal import HTTPServer
package import JSON
package import JobQueue
internal import Observability

/// `/api/v1/admin/providers` and `/api/v1/admin/batches`.
struct ProviderAdminRoutes: Sendable {
    let view: ProviderView

    /// The batches that one answer can hold.
    private static let mostBatches = 200

    func batches(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let limit = try context.queryInteger("limit", in: 1...Self.mostBatches, default: 50)
        let view = view
        return APIResponse(
            .array(try await reading { () async throws(StoreError) in try await view.batches(limit: limit) }))
    }

    func batch(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let id = context.request.parameters["batch"] ?? ""
        let view = view
        let found = try await reading { () async throws(StoreError) in
            try await view.batches(limit: Self.mostBatches)
        }.first { $0["id"]?.string?.hasSameBytes(as: id) == true }
        guard let found else { throw .notFound("The batch") }
        return APIResponse(found)
    }

    func list(_: AdminContext) async throws(APIError) -> APIResponse {
        let view = view
        return APIResponse(.array(try await reading { () async throws(StoreError) in try await view.providers() }))
    }
}

/// How long calls of a model take, and how long they may.
package struct ModelClock: Sendable {
    /// `first_byte`, `first_content` or `gap`.
    package var name: String
    package var median: Duration?
    package var p95: Duration?
    /// The limit of background calls.
    package var limit: Duration
    package var interactiveLimit: Duration

    package init(
        name: String, median: Duration?, p95: Duration?, limit: Duration, interactiveLimit: Duration
    ) {
        (self.name, self.median, self.p95) = (name, median, p95)
        (self.limit, self.interactiveLimit) = (limit, interactiveLimit)
    }
}

/// What operators see of the providers of models: one model for the API and for `dossier admin providers`.
package struct ProviderView: Sendable {
    package typealias ProviderRecords = JobAdministration & WorkerAdministration
    /// Makes the clocks of a model from the latest calls.
    package typealias Clocks = @Sendable (_ model: String, _ latencies: [ModelLatency]) -> [ModelClock]

    private static let day: Int64 = 86_400_000

    private let store: any JobStore & ModelMonitoring & BatchStore
    private let records: any ProviderRecords
    private let budgets: [MonitoredBudget]
    private let clocks: Clocks

    /// - Parameters:
    ///   - store: The calls and budgets.
    ///   - records: The workers.
    ///   - budgets: The budgets of the catalogue.
    ///   - clocks: The clocks of the catalogue's models.
    package init(
        _ store: any JobStore & ModelMonitoring & BatchStore, _ records: any ProviderRecords,
        budgets: [MonitoredBudget], clocks: @escaping Clocks
    ) {
        (self.store, self.records, self.budgets, self.clocks) = (store, records, budgets, clocks)
    }

    /// The batches that are not collected and the latest others, newest first.
    package func batches(limit: Int) async throws(StoreError) -> [JSON] {
        let usual = BatchTimes.estimate(recent: try await store.batchTimes(limit: 50))
        return try await store.batches(limit: limit).map { summary in
            let batch = summary.batch
            let isDone = [.collected, .refused].contains(batch.state)
            let since: Timestamp =
                switch batch.state {
                case .sealed: batch.sealedAt
                case .sending: batch.sendingAt ?? batch.sealedAt
                case .unclear: batch.unclearAt ?? batch.sealedAt
                case .out, .ended, .refused: batch.outAt ?? batch.sealedAt
                case .collected: batch.collectedAt ?? batch.sealedAt
                }
            return [
                "id": JSON(batch.id), "provider": JSON(batch.provider), "provider_id": JSON(batch.providerID),
                "model": JSON(batch.model), "state": JSON(batch.state.rawValue), "lines": JSON(batch.lines),
                "done": JSON(summary.done), "since": JSON(since.iso8601),
                "estimated_at": isDone ? .null : JSON((batch.firstLineAt + usual).iso8601),
                "cost_micro_dollars": JSON(summary.costMicroDollars),
            ]
        }
    }

    /// The providers that take no calls, in the order of their names.
    package func closedProviders() async throws(StoreError) -> [ClosedProvider] {
        guard !budgets.isEmpty else { return [] }
        let now = try await store.now()
        let replies = try await store.exchange(budgets.map(\.question))
        let known = Dictionary(grouping: zip(budgets, replies), by: \.0.provider).mapValues { $0.map(\.1) }
        return known.sorted { $0.key < $1.key }.flatMap { provider, replies in
            let causes: [(WhyCode, Duration?)] = [
                (.providerBlocked, replies.compactMap(\.blockedFor).max()),
                (.breakerOpen, replies.flatMap(\.openings).map(\.rest).max()),
            ]
            return causes.compactMap { cause, rest in
                rest.map { ClosedProvider(provider: provider, cause: cause, until: now + $0) }
            }
        }
    }

    /// The providers in the order of their names.
    package func providers() async throws(StoreError) -> [JSON] {
        let now = try await store.now()
        let replies = budgets.isEmpty ? [] : try await store.exchange(budgets.map(\.question))
        let hour = now - .seconds(3600)
        let midnight = Timestamp(milliseconds: now.milliseconds / Self.day * Self.day)
        let figures = Figures(
            now: now, budgets: Array(zip(budgets, replies)),
            workers: try await records.workers(below: .max, limit: 1000, id: nil, at: now).map(\.worker),
            running: try await records.runningCalls(), hour: try await store.modelCallSums(since: hour),
            day: try await store.modelCallSums(since: midnight), latencies: try await store.modelLatencies(since: hour),
            signs: try await records.providerSigns(since: now - .milliseconds(Self.day)), clocks: clocks)
        return figures.names.map(figures.json)
    }
}

/// A provider that takes no calls: it has refused one, or its circuit breaker is open.
package struct ClosedProvider: Hashable, Sendable {
    var provider: String
    var cause: WhyCode
    /// For a breaker: when a call finds out whether the provider is back.
    var until: Timestamp
}

/// What is known of all providers at one time.
private struct Figures {
    let now: Timestamp
    let budgets: [(budget: MonitoredBudget, reply: BudgetReply)]
    let workers: [WorkerRecord]
    let running: [RunningCallCount]
    let hour: [ModelCallSum]
    let day: [ModelCallSum]
    let latencies: [ModelLatency]
    let signs: [ProviderSigns]
    let clocks: ProviderView.Clocks

    var names: [String] {
        Set(budgets.map(\.budget.provider) + workers.flatMap(\.providers) + running.map(\.provider)).sorted()
    }

    func json(_ provider: String) -> JSON {
        let known = budgets.filter { $0.budget.provider == provider }
        let call = running.first { $0.provider == provider }
        let ended = hour.filter { $0.provider == provider }
        let good = ended.filter { $0.state == .ok }.reduce(0) { $0 + $1.calls }
        let bad = ended.filter { [.failed, .stalled, .cut].contains($0.state) }.reduce(0) { $0 + $1.calls }
        let waits = latencies.filter { $0.provider == provider }.map(\.firstByte).sorted()
        let blocked = known.compactMap(\.reply.blockedFor).max()
        let last = signs.first { $0.provider == provider }
        let error = last?.error.map { error -> JSON in
            [
                "code": JSON(error.code), "message": JSON(error.message), "at": JSON(last?.failedAt?.iso8601),
            ]
        }
        return [
            "name": JSON(provider),
            "configured": JSON(workers.contains { $0.isAlive && $0.providers.contains(provider) }),
            "models": .array(Set(known.flatMap(\.budget.models)).sorted().map { model($0, of: provider, known) }),
            "breaker": breaker(known, failures: last?.failuresInARow ?? 0),
            "blocked_until": JSON(blocked.map { (now + $0).iso8601 }),
            "budgets": .array(known.map { budget($0.budget, $0.reply) }), "in_flight": JSON(call?.calls ?? 0),
            "silent_seconds": JSON(call.map { max((now - $0.heardAt).components.seconds, 0) }),
            "last_error": error ?? .null, "last_success_at": JSON(last?.succeededAt?.iso8601),
            "hour": [
                "ok": JSON(good), "failed": JSON(bad), "p50_ms": milliseconds(waits, 0.5),
                "p99_ms": milliseconds(waits, 0.99),
            ],
            "today_micro_dollars": JSON(day.filter { $0.provider == provider }.reduce(0) { $0 + $1.microDollars }),
        ]
    }

    private func model(
        _ id: String, of provider: String, _ known: [(budget: MonitoredBudget, reply: BudgetReply)]
    ) -> JSON {
        let openings = known.filter { $0.budget.models.contains(id) }.flatMap(\.reply.openings)
        let rest = openings.filter { [.provider, .model(id)].contains($0.scope) }.map(\.rest).max()
        let stalls = hour.filter { $0.provider == provider && $0.model == id && $0.state == .stalled }
        return [
            "name": JSON(id), "state": JSON(rest.map { $0 > .zero ? "open" : "half_open" } ?? "closed"),
            "stalls_hour": JSON(stalls.reduce(0) { $0 + $1.calls }),
            "clocks": .array(
                clocks(id, latencies.filter { $0.provider == provider }).map { clock in
                    [
                        "clock": JSON(clock.name), "p50_ms": JSON(clock.median?.wholeMilliseconds),
                        "p95_ms": JSON(clock.p95?.wholeMilliseconds), "limit_ms": JSON(clock.limit.wholeMilliseconds),
                        "interactive_limit_ms": JSON(clock.interactiveLimit.wholeMilliseconds),
                    ]
                }),
        ]
    }

    private func breaker(_ known: [(budget: MonitoredBudget, reply: BudgetReply)], failures: Int) -> JSON {
        let openings = known.flatMap(\.reply.openings)
        guard let last = openings.max(by: { $0.rest < $1.rest }) else {
            return ["state": "closed", "until": .null, "failures_in_a_row": JSON(failures)]
        }
        return [
            "state": last.rest > .zero ? "open" : "half_open",
            "until": last.rest > .zero ? JSON((now + last.rest).iso8601) : .null,
            "failures_in_a_row": JSON(failures),
        ]
    }

    private func budget(_ budget: MonitoredBudget, _ reply: BudgetReply) -> JSON {
        func limit(_ kind: LimitKind) -> JSON { JSON(reply.buckets.filter { $0.kind == kind }.map(\.limit).min()) }
        let fill = reply.buckets.map(\.fill).min()
        let blocked = max(reply.blockedFor ?? .zero, reply.startable == 0 ? reply.startableIn : .zero)
        return [
            "name": JSON(budget.name), "requests_per_minute": limit(.requests),
            // A provider with a limit for prompts and another for answers has none for both; `limits` tells them.
            "tokens_per_minute": limit(.tokens),
            "fill": fill.map { JSON(($0 * 1000).rounded() / 1000) } ?? .null,
            "free_at": blocked > .zero ? JSON((now + blocked).iso8601) : .null, "refusals": JSON(reply.refusals),
            "limits": .array(
                reply.buckets.map { bucket in
                    [
                        "kind": JSON(bucket.kind.rawValue), "rate": JSON(bucket.limit), "size": JSON(bucket.size),
                        "level": JSON(bucket.level), "source": JSON(bucket.source.rawValue),
                    ]
                }),
        ]
    }

    private func milliseconds(_ waits: [Duration], _ share: Double) -> JSON {
        guard !waits.isEmpty else { return .null }
        return JSON(waits[min(Int(Double(waits.count) * share), waits.count - 1)].wholeMilliseconds)
    }
}
