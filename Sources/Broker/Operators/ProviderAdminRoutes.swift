internal import HTTPServer
package import JSON
package import JobQueue
internal import Observability

/// `/api/v1/admin/providers`.
struct ProviderAdminRoutes: Sendable {
    let view: ProviderView

    func list(_: AdminContext) async throws(APIError) -> APIResponse {
        let view = view
        return APIResponse(.array(try await reading { () async throws(StoreError) in try await view.providers() }))
    }
}

/// What operators see of the providers of models: one model for the API and for `dossier admin providers`.
package struct ProviderView: Sendable {
    package typealias ProviderRecords = JobAdministration & WorkerAdministration

    private static let day: Int64 = 86_400_000

    private let store: any JobStore & ModelMonitoring
    private let records: any ProviderRecords
    private let budgets: [MonitoredBudget]

    /// - Parameters:
    ///   - store: The calls and budgets.
    ///   - records: The workers.
    ///   - budgets: The budgets of the catalogue.
    package init(
        _ store: any JobStore & ModelMonitoring, _ records: any ProviderRecords, budgets: [MonitoredBudget]
    ) {
        (self.store, self.records, self.budgets) = (store, records, budgets)
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
            day: try await store.modelCallSums(since: midnight), latencies: try await store.modelLatencies(since: hour))
        return figures.names.map(figures.json)
    }
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
        return [
            "name": JSON(provider),
            "configured": JSON(workers.contains { $0.isAlive && $0.providers.contains(provider) }),
            "models": JSON(Set(known.flatMap(\.budget.models)).sorted()), "breaker": breaker(known),
            "blocked_until": JSON(blocked.map { (now + $0).iso8601 }),
            "budgets": .array(known.map { budget($0.budget, $0.reply) }), "in_flight": JSON(call?.calls ?? 0),
            "silent_seconds": JSON(call.map { max((now - $0.heardAt).components.seconds, 0) }),
            "hour": [
                "ok": JSON(good), "failed": JSON(bad), "p50_ms": milliseconds(waits, 0.5),
                "p99_ms": milliseconds(waits, 0.99),
            ],
            "today_micro_dollars": JSON(day.filter { $0.provider == provider }.reduce(0) { $0 + $1.microDollars }),
        ]
    }

    private func breaker(_ known: [(budget: MonitoredBudget, reply: BudgetReply)]) -> JSON {
        let openings = known.flatMap(\.reply.openings)
        guard let last = openings.max(by: { $0.rest < $1.rest }) else { return ["state": "closed", "until": .null] }
        return [
            "state": last.rest > .zero ? "open" : "half_open",
            "until": last.rest > .zero ? JSON((now + last.rest).iso8601) : .null,
        ]
    }

    private func budget(_ budget: MonitoredBudget, _ reply: BudgetReply) -> JSON {
        func limit(_ kinds: [LimitKind]) -> JSON {
            let limits = reply.buckets.filter { kinds.contains($0.kind) }.map(\.limit)
            return JSON(limits.min())
        }
        let fill = reply.buckets.map(\.fill).min()
        return [
            "name": JSON(budget.name), "requests_per_minute": limit([.requests]),
            "tokens_per_minute": limit(LimitKind.allCases.filter { $0 != .requests }),
            "fill": fill.map { JSON(($0 * 1000).rounded() / 1000) } ?? .null, "refusals": JSON(reply.refusals),
        ]
    }

    private func milliseconds(_ waits: [Duration], _ share: Double) -> JSON {
        guard !waits.isEmpty else { return .null }
        return JSON(waits[min(Int(Double(waits.count) * share), waits.count - 1)].wholeMilliseconds)
    }
}
