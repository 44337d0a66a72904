internal import DataSources
internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import JSON
internal import Observability
internal import Prompts
internal import Synchronization

/// `/health`, `/ready`, `/metrics`, `/openapi.json` and `/docs`, which need no user.
///
/// `/health` says that the process answers; `/ready` that it can serve jobs: the database is reachable and a worker is
/// alive. None of them waits for the database for longer than a moment: `/ready` and `/metrics` share one question to it
/// with all callers, and answer with what is known when it takes too long.
final class OperationsRoutes: Sendable {
    /// Figures read from the store. They are kept for a few seconds, so that several scrapers cost no more than one, and
    /// beyond that while the store cannot be read.
    fileprivate struct Snapshot {
        var taken: ContinuousClock.Instant
        var models: ModelFigures
        /// The store's time at which they were read.
        var now: Timestamp
        var fleet: FleetCounts
        var workersAlive: Int
    }

    /// The numbers of jobs, each of which is counted: beside a million that wait it takes seconds.
    fileprivate struct Counts {
        var taken: ContinuousClock.Instant
        var all: [JobCount]
    }

    private static let snapshotLifetime: Duration = .seconds(5)
    /// The longest time that jobs are counted for.
    private static let countLimit: Duration = .seconds(60)
    /// Counting takes a twentieth of the time at most: it begins again after half of this many times its duration.
    private static let countRest = 40
    /// The time for which older figures are answered at once.
    private static let grace: Duration = .seconds(5)
    /// The longest time for which an answer waits for the store.
    private static let storeTimeout: Duration = .milliseconds(700)
    private static let refreshInterval: Duration = .milliseconds(500)
    private static let recent: Duration = .seconds(3600)

    let requests = RequestMetrics()
    private let isStopping = Atomic(false)
    private let store: any JobStore & JobCounting & ModelMonitoring
    private let plans: CurrentPlans
    private let workers: WorkerMonitor
    private let cache: DocumentCache<DataSourceError>
    private let snapshot: CachedReading<Snapshot>
    private let counts: CachedReading<Counts>
    private let publicURL: String?
    private let held: HeldRequests
    private let writeProcess: @Sendable (inout PrometheusText) -> Void
    private let descriptions = Mutex<[Subject.Part: Description]>([:])

    init(
        store: any JobStore & JobCounting & ModelMonitoring, workers: WorkerMonitor,
        cache: DocumentCache<DataSourceError>, plans: CurrentPlans, budgets: [MonitoredBudget],
        publicURL: String?, held: HeldRequests, records: any JobAdministration,
        writeProcess: @escaping @Sendable (inout PrometheusText) -> Void
    ) {
        self.store = store
        self.plans = plans
        self.workers = workers
        self.cache = cache
        self.publicURL = publicURL
        self.held = held
        self.writeProcess = writeProcess
        snapshot = CachedReading(lifetime: Self.snapshotLifetime, grace: Self.grace) {
            try await Self.read(store, records, workers, budgets)
        }
        counts = CachedReading(
            lifetime: Self.snapshotLifetime, grace: Self.grace, limit: Self.countLimit, rest: Self.countRest
        ) {
            let since = try await store.now() - Self.recent
            return Counts(taken: .now, all: try await store.jobCounts(submittedSince: since))
        }
    }

    /// Keeps the answers current while they are asked for, until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: Self.refreshInterval)) != nil {
            workers.keepCurrent()
            snapshot.keepCurrent()
            counts.keepCurrent()
        }
    }

    func health(_: ServerRequest) -> APIResponse { APIResponse(["status": "ok"]) }

    /// From now on the process is not ready, while it answers everything else.
    func announceStop() { isStopping.store(true, ordering: .relaxed) }

    func ready(_: ServerRequest) async throws(APIError) -> APIResponse {
        if isStopping.load(ordering: .relaxed) { throw .stopping }
        if let monitored = store as? any StoreMonitoring, monitored.availability != .available {
            // Asking shows the database's return, too.
            workers.refresh()
            throw .databaseUnavailable
        }
        guard let fleet = await workers.fleet(within: Self.storeTimeout) else { throw .databaseUnavailable }
        guard fleet.alive > 0 else { throw .noWorker }
        var body: JSONObject = ["status": "ready", "database": "ok", "worker": "ok"]
        if !fleet.missing.isEmpty {
            body["kinds_without_worker"] = .object(
                JSONObject(fleet.missing.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) }))
        }
        return APIResponse(.object(body))
    }

    /// The description of the API.
    func document(_ subject: Subject) -> APIResponse {
        let text = description(of: subject).document
        return .text(text, type: "application/json; charset=utf-8")
    }

    /// The description as a page for people.
    func docs(_ subject: Subject) -> APIResponse {
        var response = APIResponse.text(description(of: subject).page, type: "text/html; charset=utf-8")
        response.headers = [("Content-Security-Policy", DocsPage.contentSecurityPolicy)]
        return response
    }

    /// What a description is about.
    struct Subject {
        let routes: [Route]
        /// Its kinds of jobs have schemas of their own.
        let bundle: Bundle
        let authentication: Authentication
        /// Whether the routes are those of the operators' own listener.
        let onAdminListener: Bool
        /// Whether the addresses of operators are shown.
        let forOperators: Bool

        /// What tells descriptions of one bundle apart.
        struct Part: Hashable {
            let onAdminListener: Bool
            let forOperators: Bool
        }

        var part: Part { Part(onAdminListener: onAdminListener, forOperators: forOperators) }
    }

    /// The description is rendered once for each bundle, for users and for operators.
    private func description(of subject: Subject) -> Description {
        if let kept = descriptions.withLock({ $0[subject.part] }), kept.bundle == subject.bundle.hash {
            return kept
        }
        let server = (subject.onAdminListener ? nil : publicURL) ?? "/"
        let document = OpenAPIDocument(
            routes: subject.routes.filter { subject.forOperators || !$0.isForOperators },
            kinds: subject.bundle.kinds.values, personas: subject.bundle.personas.keys,
            security: OpenAPISecurity(subject.authentication), server: server
        ).json
        let made = Description(
            bundle: subject.bundle.hash, document: document.compact, page: DocsPage(document).html)
        descriptions.withLock { $0[subject.part] = made }
        return made
    }

    private struct Description: Sendable {
        /// The bundle whose kinds it has.
        let bundle: String
        let document: String
        let page: String
    }

    // MARK: Metrics

    /// All metrics in Prometheus's text format. Without the store, this process's own counters remain, and the last
    /// figures with their age.
    func metrics(_: ServerRequest) async -> APIResponse {
        .text(await text(), type: PrometheusText.contentType)
    }

    func text() async -> String {
        var text = PrometheusText()
        writeProcess(&text)
        text.family("dossier_held_requests", .gauge, "Event streams, waiting polls and callers that wait for a job.")
        for (sort, count) in held.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text.sample("dossier_held_requests", count, [("sort", sort.rawValue)])
        }
        write(requests, to: &text)
        write(cache.statistics, to: &text)
        async let counted = counts.value(within: Self.storeTimeout).value
        let (reading, isCurrent) = await snapshot.value(within: Self.storeTimeout)
        let counts = await counted
        let isAvailable = (store as? any StoreMonitoring).map { $0.availability == .available } ?? true
        text.family("dossier_store_up", .gauge, "Whether the database can be read.")
        text.sample("dossier_store_up", isCurrent && isAvailable ? 1 : 0)
        if let bytes = (store as? any StoreMonitoring)?.logBytes {
            text.family("dossier_store_log_bytes", .gauge, "The size of SQLite's write-ahead log.")
            text.sample("dossier_store_log_bytes", Double(bytes))
        }
        if let reading {
            text.family("dossier_store_reading_age_seconds", .gauge, "The age of the figures read from the database.")
            let age = ContinuousClock.now - reading.taken
            text.sample("dossier_store_reading_age_seconds", Double(age.wholeMilliseconds) / 1000)
            write(reading, to: &text)
            if let counts { write(counts, workersAlive: reading.workersAlive, to: &text) }
        }
        return text.text
    }

    private static func read(
        _ store: any JobStore & JobCounting & ModelMonitoring, _ records: any JobAdministration,
        _ workers: WorkerMonitor,
        _ budgets: [MonitoredBudget]
    ) async throws -> Snapshot {
        let now = try await store.now()
        return Snapshot(
            taken: .now,
            models: try await ModelFigures(store, budgets: budgets, at: now), now: now,
            fleet: try await records.fleetState(at: now),
            workersAlive: try await workers.alive())
    }

    private func write(_ requests: RequestMetrics, to text: inout PrometheusText) {
        let routes = requests.all.map { route, metrics in
            ([("method", route.method.rawValue), ("route", route.pattern)], metrics)
        }
        let everything = routes + [([("method", "any"), ("route", "none")], requests.others)]
        text.family("dossier_http_requests_total", .counter, "Requests by route and status, since the process started.")
        for (labels, metrics) in everything {
            for (status, count) in metrics.counts {
                let status = status == 0 ? "other" : String(status)
                text.sample("dossier_http_requests_total", count, labels + [("status", status)])
            }
        }
        text.family(
            "dossier_http_request_duration_seconds", .histogram,
            "Time until a response began, including the wait for a job.")
        for (labels, metrics) in everything where !metrics.counts.isEmpty {
            text.sample("dossier_http_request_duration_seconds", metrics.durations, labels)
        }
    }

    private func write(_ statistics: [String: CacheStatistics], to text: inout PrometheusText) {
        text.family(
            "dossier_cache_requests_total", .counter, "Look-ups in the document cache by outcome.")
        for (kind, statistics) in statistics.sorted(by: { $0.key < $1.key }) {
            for outcome in CacheStatistics.Outcome.allCases {
                text.sample(
                    "dossier_cache_requests_total", statistics[outcome],
                    [("kind", kind), ("outcome", outcome.rawValue)])
            }
        }
    }

    private func write(_ snapshot: Snapshot, to text: inout PrometheusText) {
        text.family("dossier_workers_alive", .gauge, "Workers with a heartbeat in the last 15 seconds.")
        text.sample("dossier_workers_alive", snapshot.workersAlive)
        write(snapshot.fleet, at: snapshot.now, to: &text)
        snapshot.models.write(to: &text, limits: SpendLimits(plans.value))
    }

    private func write(_ counts: Counts, workersAlive: Int, to text: inout PrometheusText) {
        text.family("dossier_job_counts_age_seconds", .gauge, "The age of the numbers of jobs below.")
        let age = ContinuousClock.now - counts.taken
        text.sample("dossier_job_counts_age_seconds", Double(age.wholeMilliseconds) / 1000)
        text.family("dossier_jobs_last_hour", .gauge, "Jobs submitted within the last hour, by status.")
        for entry in counts.sorted where entry.category == .recent {
            text.sample(
                "dossier_jobs_last_hour", entry.count, [("kind", entry.kind), ("status", entry.status.rawValue)])
        }
        text.family("dossier_jobs_unfinished", .gauge, "Unfinished jobs, by place in the queue.")
        for entry in counts.places {
            text.sample("dossier_jobs_unfinished", entry.count, [("kind", entry.kind), ("place", entry.label)])
        }
        text.family("dossier_jobs_blocked", .gauge, "Jobs that wait for something else than a place of a worker.")
        for entry in counts.blocked(workersAlive: workersAlive) {
            text.sample("dossier_jobs_blocked", entry.count, [("kind", entry.kind), ("reason", entry.label)])
        }
        text.family("dossier_jobs_unserved", .gauge, "Ready jobs that no registered worker can run.")
        for entry in counts.sorted where entry.category == .unserved {
            text.sample("dossier_jobs_unserved", entry.count, [("kind", entry.kind)])
        }
        text.family("dossier_leases_idle", .gauge, "Jobs that a worker has held for five seconds and does not run.")
        text.sample(
            "dossier_leases_idle", counts.all.filter { $0.category == .idle }.reduce(0) { $0 + $1.count })
        let depth = counts.all.filter { $0.category == .ready }.reduce(0) { $0 + $1.count }
        text.family("dossier_queue_depth", .gauge, "Jobs that can be claimed now.")
        text.sample("dossier_queue_depth", depth)
    }

    private func write(_ fleet: FleetCounts, at now: Timestamp, to text: inout PrometheusText) {
        let queues = fleet.queues.sorted { $0.key.rawValue < $1.key.rawValue }
        text.family("dossier_jobs_running", .gauge, "Jobs that workers run now.")
        for (queue, counts) in queues {
            text.sample("dossier_jobs_running", Double(counts.running), [("queue", queue.rawValue)])
        }
        text.family(
            "dossier_oldest_ready_seconds", .gauge, "The age of the ready job whose turn is next; 0 without one.")
        for (queue, counts) in queues {
            let age = counts.oldestReadyAt.map { max(now - $0, .zero).wholeMilliseconds } ?? 0
            text.sample("dossier_oldest_ready_seconds", Double(age) / 1000, [("queue", queue.rawValue)])
        }
        text.family("dossier_held_credits", .gauge, "Credits that unfinished jobs hold.")
        text.sample("dossier_held_credits", Double(fleet.heldCredits))
        text.family("dossier_spend_today_dollars", .gauge, "What the model calls of this day have cost, in UTC.")
        text.sample("dossier_spend_today_dollars", Double(fleet.spentToday) / 1_000_000)
    }
}

extension OperationsRoutes.Counts {
    fileprivate var sorted: [JobCount] {
        all.sorted {
            ($0.kind, $0.status.rawValue, $0.category.rawValue) < ($1.kind, $1.status.rawValue, $1.category.rawValue)
        }
    }

    /// Unfinished jobs by kind and place.
    fileprivate var places: [(kind: String, label: String, count: Int)] {
        sums { $0.category.isPlace ? $0.category.rawValue : nil }
    }

    /// Jobs that do not move, by kind and the code that operators get as the reason of one. Without a worker all ready
    /// jobs wait for one.
    fileprivate func blocked(workersAlive: Int) -> [(kind: String, label: String, count: Int)] {
        sums { entry in
            let reason: WhyCode? =
                switch entry.category {
                case .scheduled, .blocked: entry.reason
                case .waiting: .slot
                case .ready: workersAlive == 0 ? .noWorker : nil
                case .unserved: workersAlive == 0 ? nil : .noCapableWorker
                case .recent, .running, .idle: nil
                }
            return reason?.rawValue
        }
    }

    private func sums(by label: (JobCount) -> String?) -> [(kind: String, label: String, count: Int)] {
        let groups = Dictionary(grouping: all) { entry in label(entry).map { [entry.kind, $0] } }
        return groups.compactMap { key, entries in
            key.map { (kind: $0[0], label: $0[1], count: entries.reduce(0) { $0 + $1.count }) }
        }.sorted { ($0.kind, $0.label) < ($1.kind, $1.label) }
    }
}
