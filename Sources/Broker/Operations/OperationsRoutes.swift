internal import DataSources
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue
internal import Observability
internal import Synchronization

/// `/metrics` and `/openapi.json`, which need no user.
final class OperationsRoutes: Sendable {
    /// What the store was asked for, kept for a moment: several who read metrics cost no more than one.
    fileprivate struct Reading {
        var taken: ContinuousClock.Instant
        var tallies: [JobTally]
        var costs: [CostLine]
        var workersAlive: Int
    }

    /// How long a reading of the store is used again.
    private static let freshness: Duration = .seconds(5)
    private static let recent: Duration = .seconds(3600)
    private static let day: Int64 = 86_400_000

    let requests = RequestMetrics()
    private let store: any JobStore & StoreTallies
    private let health: HealthRoutes
    private let cache: DocumentCache<DataSourceError>
    private let now: @Sendable () -> Int64
    private let reading = Mutex<Reading?>(nil)
    private let document = Mutex<String?>(nil)

    init(
        store: any JobStore & StoreTallies, health: HealthRoutes, cache: DocumentCache<DataSourceError>,
        now: @escaping @Sendable () -> Int64
    ) {
        self.store = store
        self.health = health
        self.cache = cache
        self.now = now
    }

    /// The description of the API, made once.
    func document(of routes: () -> [Route]) -> String {
        if let made = document.withLock({ $0 }) { return made }
        let text = OpenAPIDocument(routes: routes()).json.compact
        document.withLock { $0 = text }
        return text
    }

    // MARK: Metrics

    /// Everything that is measured, in Prometheus's text format. When the store cannot be read, what this process counts
    /// by itself is still there.
    func metrics() async -> String {
        var text = PrometheusText()
        write(requests, to: &text)
        write(cache.statistics, to: &text)
        let reading = try? await read()
        text.family("dossier_store_up", .gauge, "Whether the database could be read just now.")
        text.sample("dossier_store_up", reading == nil ? 0 : 1)
        if let reading { write(reading, to: &text) }
        return text.text
    }

    private func read() async throws -> Reading {
        if let kept = reading.withLock({ $0 }), .now - kept.taken < Self.freshness { return kept }
        let timestamp = try await store.now().milliseconds
        let made = Reading(
            taken: .now,
            tallies: try await store.tally(
                submittedSince: Timestamp(milliseconds: timestamp - Self.recent.components.seconds * 1000)),
            costs: try await store.modelCosts(
                by: .model, since: Timestamp(milliseconds: timestamp / Self.day * Self.day)),
            workersAlive: try await health.workersAlive())
        reading.withLock { $0 = made }
        return made
    }

    private func write(_ requests: RequestMetrics, to text: inout PrometheusText) {
        let routes = requests.all.map { route, numbers in
            ([("method", route.method.rawValue), ("route", route.pattern)], numbers)
        }
        let everything = routes + [([("method", "any"), ("route", "none")], requests.others)]
        text.family("dossier_http_requests_total", .counter, "Requests by route and status, since the process began.")
        for (labels, numbers) in everything {
            for (status, count) in numbers.counts {
                let status = status == 0 ? "other" : String(status)
                text.sample("dossier_http_requests_total", count, labels + [("status", status)])
            }
        }
        text.family(
            "dossier_http_request_duration_seconds", .histogram,
            "Time until an answer began; those that wait for a job are as long as the wait.")
        for (labels, numbers) in everything where !numbers.counts.isEmpty {
            text.sample("dossier_http_request_duration_seconds", numbers.durations, labels)
        }
    }

    private func write(_ statistics: [String: CacheStatistics], to text: inout PrometheusText) {
        text.family(
            "dossier_cache_requests_total", .counter, "Questions to the cache of documents by what became of them.")
        for (kind, statistics) in statistics.sorted(by: { $0.key < $1.key }) {
            for outcome in CacheStatistics.Outcome.allCases {
                text.sample(
                    "dossier_cache_requests_total", statistics[outcome],
                    [("kind", kind), ("outcome", outcome.rawValue)])
            }
        }
    }

    private func write(_ reading: Reading, to text: inout PrometheusText) {
        text.family("dossier_workers_alive", .gauge, "Workers that gave a sign of life in the last 15 seconds.")
        text.sample("dossier_workers_alive", reading.workersAlive)
        text.family("dossier_jobs_last_hour", .gauge, "Jobs that were submitted within the last hour, by their status.")
        for tally in reading.sorted where tally.sort == .recent {
            text.sample(
                "dossier_jobs_last_hour", tally.count, [("kind", tally.kind), ("status", tally.status.rawValue)])
        }
        text.family("dossier_jobs_unfinished", .gauge, "Jobs that have not ended, by where they are.")
        for tally in reading.sorted where tally.sort != .recent {
            text.sample(
                "dossier_jobs_unfinished", tally.count, [("kind", tally.kind), ("place", tally.sort.rawValue)])
        }
        let depth = reading.tallies.filter { $0.sort == .ready }.reduce(0) { $0 + $1.count }
        text.family("dossier_queue_depth", .gauge, "Jobs that could be claimed now.")
        text.sample("dossier_queue_depth", depth)
        text.family("dossier_model_calls_total", .counter, "Model calls that were paid for, since midnight UTC.")
        for line in reading.costs { text.sample("dossier_model_calls_total", Int(line.calls), line.labels) }
        text.family("dossier_model_tokens_total", .counter, "Tokens of model calls, since midnight UTC.")
        for line in reading.costs {
            text.sample("dossier_model_tokens_total", Int(line.inputTokens), line.labels + [("direction", "input")])
            text.sample("dossier_model_tokens_total", Int(line.outputTokens), line.labels + [("direction", "output")])
        }
        text.family(
            "dossier_model_cost_dollars_total", .counter, "What model calls cost, in dollars, since midnight UTC.")
        for line in reading.costs {
            text.sample("dossier_model_cost_dollars_total", Double(line.microDollars) / 1_000_000, line.labels)
        }
    }
}

extension OperationsRoutes.Reading {
    fileprivate var sorted: [JobTally] {
        tallies.sorted {
            ($0.kind, $0.status.rawValue, $0.sort.rawValue) < ($1.kind, $1.status.rawValue, $1.sort.rawValue)
        }
    }
}

extension CostLine {
    /// `claude/claude-sonnet-5-5` as provider and model.
    fileprivate var labels: PrometheusText.Labels {
        let parts = group.split(separator: "/", maxSplits: 1).map(String.init)
        return [("provider", parts.first ?? ""), ("model", parts.count > 1 ? parts[1] : "")]
    }
}
