package import JSON
package import JobQueue
internal import Observability
internal import Synchronization

/// What operators see of jobs and of the fleet: one model for `/api/v1/admin` and for `dossier admin`.
package final class OperatorView: Sendable {
    package typealias OperatorStore = JobStore & StoreAdministration
    package typealias OperatorRecords = JobAdministration & WorkerAdministration & CreditRepository & WebhookRepository
        & PauseRepository

    package typealias ClosedProviders = @Sendable () async throws(StoreError) -> [ClosedProvider]

    /// The jobs before a ready one are counted up to this number.
    private static let mostAhead = 10_000
    /// The model calls and steps of a job that are shown.
    private static let mostParts = 1000
    /// The longest time that pending jobs are counted for, and that an answer waits for it.
    private static let countLimit: Duration = .seconds(60)
    private static let countWait: Duration = .seconds(8)
    /// Counting takes a twentieth of the time at most.
    private static let countRest = 20

    private let store: any OperatorStore
    private let records: any OperatorRecords
    private let limits: @Sendable () -> [String: ConcurrencyLimits]
    private let closedProviders: ClosedProviders
    private let refused: @Sendable () -> RefusedReload?
    private let ended = Mutex(EndedJobsOfDay())
    private let pending: CachedReading<[QueueName: FleetCounts.QueueCounts]>

    /// - Parameters:
    ///   - store: The jobs.
    ///   - records: The other records of the database.
    ///   - limits: The limits of kinds in the current bundle.
    ///   - closedProviders: The providers that take no calls.
    ///   - refused: The latest reload of content files, when it was refused.
    package init(
        _ store: any OperatorStore, _ records: any OperatorRecords,
        limits: @escaping @Sendable () -> [String: ConcurrencyLimits] = { [:] },
        closedProviders: @escaping ClosedProviders = { [] }, refused: @escaping @Sendable () -> RefusedReload? = { nil }
    ) {
        (self.store, self.records, self.limits) = (store, records, limits)
        self.closedProviders = closedProviders
        self.refused = refused
        pending = CachedReading(lifetime: .zero, limit: Self.countLimit, rest: Self.countRest) {
            try await records.pendingJobs(at: try await store.now())
        }
    }

    // MARK: Jobs

    /// A page of jobs below a place, newest first, and the place of the next page.
    ///
    /// A page looks at a limited number of jobs: it may be short, and have a next one.
    package func jobs(
        _ filter: JobFilter, below place: Int64, limit: Int
    ) async throws(StoreError) -> (rows: [JSON], next: Int64?, searchedTo: Timestamp?) {
        let fleet = try await fleet()
        let page = try await found(filter, below: place, limit: limit, in: fleet)
        return (page.jobs.map { $0.job.json($0.why, at: fleet.now) }, page.next, page.searchedTo)
    }

    /// As `jobs(_:below:limit:)`, the ids alone.
    func ids(
        _ filter: JobFilter, below place: Int64, limit: Int
    ) async throws(StoreError) -> (ids: [JobID], next: Int64?) {
        let page = try await found(filter, below: place, limit: limit, in: try await fleet())
        return (page.jobs.map(\.job.job.id), page.next)
    }

    /// Those of some ids that are jobs.
    func ids(among ids: [JobID]) async throws(StoreError) -> [JobID] {
        var found: [JobID] = []
        for id in ids where try await store.job(id, of: nil) != nil { found.append(id) }
        return found
    }

    private func found(
        _ filter: JobFilter, below place: Int64, limit: Int, in fleet: FleetSight
    ) async throws(StoreError) -> (jobs: [(job: JobRecord, why: JobWhy?)], next: Int64?, searchedTo: Timestamp?) {
        guard let why = filter.why else {
            let page = try await records.jobRecords(filter, below: place, limit: limit, at: fleet.now)
            return (page.jobs.map { ($0, JobWhy(of: $0, in: fleet)) }, page.next, page.searchedTo)
        }
        var (jobs, place): ([(job: JobRecord, why: JobWhy?)], Int64) = ([], place)
        var searchedTo: Timestamp?
        for _ in 0..<5 {
            let page = try await records.jobRecords(filter, below: place, limit: 200, at: fleet.now)
            for record in page.jobs {
                guard let found = JobWhy(of: record, in: fleet), found.code == why else { continue }
                jobs.append((record, found))
                if jobs.count == limit { return (jobs, record.place, nil) }
            }
            guard let next = page.next else { return (jobs, nil, nil) }
            (place, searchedTo) = (next, page.searchedTo ?? page.jobs.last?.job.createdAt)
            // The store has looked at as many rows as a page may.
            if page.searchedTo != nil { break }
        }
        return (jobs, place, searchedTo)
    }

    /// One job as a row of the list; `nil` when there is none.
    package func row(_ id: JobID) async throws(StoreError) -> JSON? {
        let fleet = try await fleet()
        guard let record = try await records.jobRecord(id, at: fleet.now) else { return nil }
        return record.json(try await why(record, fleet), at: fleet.now)
    }

    /// One job whole.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - withContent: Adds the input, the result and the outputs of the steps.
    /// - Returns: `nil` when there is no such job.
    /// - Throws: The error of the database.
    package func job(_ id: JobID, withContent: Bool) async throws(StoreError) -> JSON? {
        let fleet = try await fleet()
        guard let record = try await records.jobRecord(id, at: fleet.now) else { return nil }
        let why = try await why(record, fleet)
        guard var json = record.json(why, at: fleet.now).object else { return nil }
        let history = try await records.history(of: record)
        json["attempts"] = .array(history.attempts.map(\.json))
        json["waits"] = .array(history.waits.map { $0.json(why) })
        json["request_id"] = JSON(record.requestID)
        json["epoch"] = JSON(record.epoch)
        json["max_attempts"] = JSON(record.job.maxAttempts)
        let steps = try await store.journal(of: id)
        json["steps"] = .array(
            steps.prefix(Self.mostParts).map { $0.json(of: history.attempts, withOutput: withContent) })
        let calls = try await records.modelCalls(of: id, limit: Self.mostParts)
        json["model_calls"] = .array(calls.map { $0.json(of: history.attempts, at: fleet.now) })
        let entries = try await records.ledger(
            of: record.job.user, LedgerFilter(job: id), before: nil, limit: Self.mostParts)
        json["ledger"] = .array(entries.reversed().map(\.json))
        json["worker_detail"] = fleet.workers.first { $0.id == record.worker }?.json ?? .null
        let deliveries = try await records.webhookDeliveries(
            of: nil, WebhookDeliveryFilter(job: id), below: .max, limit: 100)
        json["deliveries"] = .array(deliveries.map(\.json))
        json["trace_id"] = JSON(id.description)
        if withContent {
            let whole = try await store.jobWithResult(id, of: nil)
            json["input"] = whole?.job.input ?? .null
            json["result"] = whole?.result ?? .null
        }
        return .object(json)
    }

    private func why(_ record: JobRecord, _ fleet: FleetSight) async throws(StoreError) -> JobWhy? {
        let why = JobWhy(of: record, in: fleet)
        var facts = JobWhy.Facts()
        switch why?.code {
        case .queue: facts.ahead = try await records.jobsAhead(of: record.place, limit: Self.mostAhead)
        case .retry: facts.failedProvider = try await records.providerOfLastFailure(of: record.job.id)
        case .shared: facts.sharedJob = try await records.sharedJob(of: record.job.id)
        case .slot:
            facts.permitsOfUser = try await records.permits(of: record.job.kind, for: record.job.user)
        case .breakerOpen where why?.details["failures"]?.integer ?? 0 == 0:
            let signs = try await records.providerSigns(since: fleet.now - .seconds(86_400))
            let provider = why?.details["provider"]?.string
            facts.failures = signs.first { $0.provider == provider }?.failuresInARow
        default: return why
        }
        return JobWhy(of: record, in: fleet, facts)
    }

    private func fleet() async throws(StoreError) -> FleetSight {
        let now = try await store.now()
        let workers = try await records.workers(below: .max, limit: 1000, id: nil, at: now)
        return FleetSight(
            now: now, workers: workers.map(\.worker), limits: limits(), pauses: try await records.pauses())
    }

    // MARK: The fleet

    /// Numbers of the queues, the workers, the ended jobs and the money.
    ///
    /// - Parameter cap: The most that the service may spend in a day, in millionths of a dollar.
    /// - Returns: The members of `GET /api/v1/admin/overview`.
    /// - Throws: The error of the database.
    package func overview(cap: Int64?) async throws(StoreError) -> JSON {
        let fleet = try await fleet()
        var counts = try await records.fleetState(at: fleet.now)
        guard let pending = await pending.latest(within: StoreTimeout.current == nil ? Self.countLimit : Self.countWait)
        else {
            throw .unavailable(reason: "it takes too long to count the jobs that wait")
        }
        counts.add(pending)
        let (hour, day) = (fleet.now - .seconds(3600), fleet.now - .seconds(86_400))
        let since = ended.withLock { $0.countedTo(at: fleet.now) }
        let jobs = try await records.endedJobs(since: since, at: fleet.now)
        let sums = ended.withLock { ended in
            ended.add(jobs, since: since, at: fleet.now)
            let minutes = ended.sums(since: fleet.now - .seconds(600))
            return (minutes: minutes, hour: ended.sums(since: hour), day: ended.sums(since: day))
        }
        let pickups = try await records.pickups(since: hour)
        let closed = try await closedProviders()
        let alive = fleet.workers.filter(\.isAlive)
        let refused = refused()
        var queues = JSONObject()
        for queue in QueueName.allCases {
            queues[queue.rawValue] = (counts.queues[queue] ?? FleetCounts.QueueCounts()).json(at: fleet.now)
        }
        return [
            "at": JSON(fleet.now.iso8601), "queues": .object(queues),
            "workers": [
                "alive": JSON(alive.count), "draining": JSON(alive.count(where: \.isDraining)),
                "places": JSON(alive.reduce(0) { $0 + $1.places }), "busy": JSON(alive.reduce(0) { $0 + $1.busy }),
            ],
            "ended": ["hour": sums.hour.json, "day": sums.day.json],
            "pickup_ms": pickups.percentiles,
            "spend": ["today_micro_dollars": JSON(counts.spentToday), "cap_micro_dollars": JSON(cap)],
            "held_credits": JSON(counts.heldCredits), "pauses": .array(fleet.pauses.map(\.json)),
            "refused_reload": refused?.json ?? .null,
            "alerts": .array(FleetAlert.all(fleet, counts, sums.minutes, closed, refused, cap: cap).map(\.json)),
        ]
    }
}

extension [Duration] {
    /// The median and the 99th percentile in milliseconds.
    fileprivate var percentiles: JSON {
        let sorted = sorted()
        func at(_ share: Double) -> JSON {
            sorted.isEmpty
                ? .null : JSON(sorted[Swift.min(Int(Double(sorted.count) * share), sorted.count - 1)].wholeMilliseconds)
        }
        return ["p50": at(0.5), "p99": at(0.99)]
    }
}

/// A state of the fleet that an operator must look at.
struct FleetAlert: Hashable, Sendable {
    var code: String
    var sentence: String
    var since: Timestamp?

    var json: JSON { ["code": JSON(code), "sentence": JSON(sentence), "since": JSON(since?.iso8601)] }

    /// The age of a ready job from which it is one.
    private static let longWait: Duration = .seconds(60)

    static func all(
        _ fleet: FleetSight, _ counts: FleetCounts, _ ended: EndedJobs.Sums, _ closed: [ClosedProvider],
        _ refused: RefusedReload?, cap: Int64?
    ) -> [FleetAlert] {
        var alerts: [FleetAlert] = []
        let unfinished = counts.queues.values.reduce(0) { $0 + $1.ready + $1.scheduled + $1.waiting + $1.running }
        let silent = fleet.workers.filter { !$0.isAlive }
        if !fleet.workers.contains(where: { $0.isAlive && !$0.isDraining }), unfinished > 0 {
            alerts.append(
                FleetAlert(code: "no_worker", sentence: "Jobs wait, and no worker takes any.", since: nil))
        } else if let oldest = counts.queues.values.compactMap(\.oldestReadyAt).min(),
            fleet.now - oldest > longWait
        {
            let seconds = (fleet.now - oldest).components.seconds
            alerts.append(
                FleetAlert(
                    code: "queue_slow", sentence: "The next ready job has waited for \(seconds) s.", since: oldest))
        }
        if let worker = silent.max(by: { $0.lastBeatAt < $1.lastBeatAt }) {
            alerts.append(
                FleetAlert(
                    code: "worker_silent",
                    sentence: silent.count == 1
                        ? "The worker \(worker.id.rawValue) gives no sign."
                        : "\(silent.count) workers give no sign, \(worker.id.rawValue) the latest.",
                    since: worker.lastBeatAt))
        }
        alerts += ofProviders(closed, fleet)
        if let refused {
            alerts.append(
                FleetAlert(
                    code: "reload_refused",
                    sentence: "The changed content files cannot be used, and the old ones hold: "
                        + (refused.problems.first ?? ""), since: refused.at))
        }
        if let cap, cap > 0, counts.spentToday >= cap / 10 * 8 {
            let percent = counts.spentToday * 100 / cap
            alerts.append(
                FleetAlert(
                    code: counts.spentToday >= cap ? "spend_cap" : "spend_high",
                    sentence: "The service has spent \(percent) % of what it may spend today.", since: nil))
        }
        if let failures = ofFailures(ended) { alerts.append(failures) }
        return alerts
    }

    /// The fewest failed jobs that are one.
    private static let fewestFailures: Int64 = 5

    /// Half of the jobs that ended in the last ten minutes, or more, failed.
    static func ofFailures(_ ended: EndedJobs.Sums) -> FleetAlert? {
        let all = ended.failed + ended.completed
        guard ended.failed >= fewestFailures, ended.failed * 2 >= all,
            let most = ended.byCode.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })
        else { return nil }
        return FleetAlert(
            code: "jobs_fail",
            sentence: "\(ended.failed) of \(all) jobs failed in the last ten minutes, \(most.value) with \(most.key).",
            since: nil)
    }

    /// Providers that take no calls, and budgets for which background jobs wait.
    private static func ofProviders(_ closed: [ClosedProvider], _ fleet: FleetSight) -> [FleetAlert] {
        let ofProviders = closed.map { closed in
            FleetAlert(
                code: closed.cause.rawValue,
                sentence: closed.cause == .breakerOpen
                    ? "Too many calls in a row failed at \(closed.provider), which is asked again at "
                        + "\(closed.until.iso8601)."
                    : "No calls are taken by \(closed.provider) until \(closed.until.iso8601).", since: nil)
        }
        let held = fleet.workers.filter(\.isAlive).flatMap(\.held).filter { $0.value.cause.reason == .providerBudget }
        let ofBudgets = Dictionary(grouping: held) { $0.value.cause.budget ?? "" }.sorted { $0.key < $1.key }
        return ofProviders
            + ofBudgets.map { budget, kinds in
                let names = Set(kinds.map(\.key)).sorted().joined(separator: ", ")
                return FleetAlert(
                    code: WhyCode.providerBudget.rawValue,
                    sentence: "The budget of model calls \(budget) has no room, and background jobs wait: \(names).",
                    since: nil)
            }
    }
}
