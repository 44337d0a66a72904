internal import JSON
package import JobQueue

extension RecordDatabase {
    /// The rows that a page looks at, at most; four times as many when too few match among the first.
    private var windowRows: Int { 5000 }

    package func jobRecords(
        _ filter: JobFilter, below place: Int64, limit: Int, at now: Timestamp
    ) async throws(StoreError) -> JobRecordPage {
        let source = filter.source(unfinishedAreFew: try await unfinishedAreFew(filter))
        let words = filter.subjectWords.isEmpty ? nil : JSON(filter.subjectWords.map(Self.pattern)).compact
        var (found, place): ([JobRecord], Int64) = ([], place)
        var searchedTo: Timestamp?
        for _ in 0..<4 {
            let rows = try await all(
                .operatorJobs, .integer(place), .count(windowRows), .text(source.name, of: "source"),
                .integer(filter.user?.rawValue), .text(filter.statuses.list, of: "status"),
                .text(filter.kind, of: "kind"), .text(filter.queue?.rawValue, of: "lane"),
                .text(filter.code, of: "code"), .text(filter.bundle, of: "bundle"),
                .text(filter.worker?.rawValue, of: "worker"), .integer(filter.createdFrom?.milliseconds),
                .integer(filter.createdTo?.milliseconds), .count(limit + 1 - found.count), .text(words, of: "q")
            ) { try JobRecord(&$0, at: now) }
            found += rows
            if found.count > limit {
                let page = Array(found.prefix(limit))
                return JobRecordPage(jobs: page, next: page.last?.place)
            }
            let looked = try await first(
                .operatorJobsFloor, .integer(place), .count(windowRows), .text(source.name, of: "source"),
                .integer(filter.user?.rawValue)
            ) { row in (floor: row.integer(), count: row.int(), at: row.timestampIfAny()) }
            guard let looked, looked.count == windowRows else { return JobRecordPage(jobs: found, next: nil) }
            (place, searchedTo) = (looked.floor, looked.at)
        }
        return JobRecordPage(jobs: found, next: place, searchedTo: searchedTo)
    }

    /// A pattern for the beginning of a word in any case, the same for `GLOB` and for regular expressions: letters and
    /// digits alone, each as a class, behind anything that is neither.
    private static func pattern(_ word: String) -> String {
        word.unicodeScalars.reduce(into: "[^0-9A-Za-z\u{C0}-\u{1FFF}\u{2C00}-\u{10FFFD}]") { pattern, scalar in
            let cases = [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping]
            let letters = Set(cases.filter { $0.unicodeScalars.count == 1 } + [String(scalar)])
            pattern += letters.count > 1 ? "[\(letters.sorted().joined())]" : String(scalar)
        }
    }

    private func unfinishedAreFew(_ filter: JobFilter) async throws(StoreError) -> Bool {
        guard filter.source(unfinishedAreFew: true) == .unfinished else { return true }
        let most = 4 * windowRows
        return try await first(.unfinishedJobsUpTo, .count(most)) { $0.int() } ?? 0 < most
    }

    package func jobRecord(_ id: JobID, at now: Timestamp) async throws(StoreError) -> JobRecord? {
        try await first(.operatorJob, .job(id)) { try JobRecord(&$0, at: now) }
    }

    package func history(of record: JobRecord) async throws(StoreError) -> JobHistory {
        let stored = try await first(.operatorJobHistory, .job(record.job.id)) { row in
            (lines: row.textIfAny(), worker: row.textIfAny())
        }
        return JobHistory(
            of: record.job, epoch: record.epoch, lines: stored?.lines ?? "",
            worker: stored?.worker.map { WorkerID(rawValue: $0) })
    }

    package func jobsAhead(of place: Int64, limit: Int) async throws(StoreError) -> Int {
        try await first(.jobsAhead, .integer(place), .count(limit)) { $0.int() } ?? 0
    }

    package func modelCalls(of job: JobID, limit: Int) async throws(StoreError) -> [JobCallRecord] {
        try await all(.operatorModelCalls, .job(job), .count(limit)) { try JobCallRecord(&$0) }
    }

    package func providerOfLastFailure(of job: JobID) async throws(StoreError) -> String? {
        try await first(.providerOfLastFailure, .job(job)) { $0.text() }
    }

    package func permits(of kind: String, for user: UserID) async throws(StoreError) -> Int {
        try await first(.permitsOfUser, .text(kind, of: "kind"), .integer(user.rawValue)) { $0.int() } ?? 0
    }

    package func sharedJob(of job: JobID) async throws(StoreError) -> JobID? {
        try await first(.sharedJobOf, .job(job)) { $0.jobID() }
    }

    package func runningCalls() async throws(StoreError) -> [RunningCallCount] {
        try await all(.runningCalls) { row in
            RunningCallCount(provider: row.text(), calls: row.int(), heardAt: row.timestamp())
        }
    }

    package func providerSigns(since time: Timestamp) async throws(StoreError) -> [ProviderSigns] {
        try await all(.providerSigns, .timestamp(time)) { row in
            let (provider, succeededAt) = (row.text(), row.timestampIfAny())
            return ProviderSigns(
                provider: provider, succeededAt: succeededAt, error: CallError(&row), failedAt: row.timestampIfAny(),
                failuresInARow: row.int())
        }
    }

    package func bundles(after cursor: TimeCursor?, limit: Int) async throws(StoreError) -> [BundleRecord] {
        try await all(
            .bundleList, .timestamp(cursor?.at ?? Timestamp(milliseconds: .max)), .text(cursor?.id ?? "", of: "cursor"),
            .count(limit)
        ) { row in
            BundleRecord(hash: row.text(), adoptedAt: row.timestamp(), isCurrent: row.flag(), jobs: row.int())
        }
    }

    package func fleetState(at now: Timestamp) async throws(StoreError) -> FleetCounts {
        let queues = try await all(.fleetQueues) { row in
            (
                queue: try row.queue(),
                counts: FleetCounts.QueueCounts(running: row.integer(), oldestReadyAt: row.timestampIfAny())
            )
        }
        let money = try await first(.fleetMoney, .integer(now.milliseconds / 86_400_000)) { row in
            (held: row.integer(), spent: row.integer())
        }
        return FleetCounts(
            queues: Dictionary(queues.map { ($0.queue, $0.counts) }) { first, _ in first },
            heldCredits: money?.held ?? 0, spentToday: money?.spent ?? 0)
    }

    package func pendingJobs(at now: Timestamp) async throws(StoreError) -> [QueueName: FleetCounts.QueueCounts] {
        let queues = try await all(.pendingByQueue, .timestamp(now)) { row in
            (
                queue: try row.queue(),
                counts: FleetCounts.QueueCounts(
                    ready: row.integer(), scheduled: row.integer(), waiting: row.integer(), blocked: row.integer())
            )
        }
        return Dictionary(queues.map { ($0.queue, $0.counts) }) { first, _ in first }
    }

    package func endedJobs(since time: Timestamp, at now: Timestamp) async throws(StoreError) -> [EndedJobs] {
        let submitted = UInt64(max((time - .seconds(86_400)).milliseconds, 0))
        // Jobs that ended later than this are not archived yet.
        let archived = now - Retention.archivePause + .seconds(60)
        return try await all(
            .endedJobs, .timestamp(time), .job(JobID(high: submitted << 16, low: 0)), .timestamp(archived)
        ) { row in
            EndedJobs(interval: row.integer(), status: try row.status(), code: row.text(), count: row.integer())
        }
    }

    package func pickups(since time: Timestamp) async throws(StoreError) -> [Duration] {
        try await all(.fleetPickups, .timestamp(time)) { .milliseconds($0.integer()) }
    }
}

extension JobFilter.Source {
    /// The name by which the queries know it.
    fileprivate var name: String {
        switch self {
        case .all: "all"
        case .failed: "failed"
        case .running: "running"
        case .unfinished: "unfinished"
        case .user: "user"
        }
    }
}

extension JobRecord {
    /// Reads the columns of the view `operator_job` in their order.
    fileprivate init(_ row: inout some StoredRow, at now: Timestamp) throws {
        let job = try Job(&row, now: now)
        let (place, subject) = (row.integer(), row.text())
        let worker = row.textIfAny().map { WorkerID(rawValue: $0) }
        let (epoch, requestID, cost) = (row.integer(), row.textIfAny(), row.integer())
        let (provider, model) = (row.textIfAny(), row.textIfAny())
        let heardAt = row.timestampIfAny()
        var call: RunningCall?
        if let provider, let model, let heardAt {
            call = RunningCall(provider: provider, model: model, heardAt: heardAt)
        }
        self.init(
            job: job, place: place, subject: subject, worker: worker, epoch: epoch,
            requestID: RequestOrigin(stored: requestID).id,
            costMicroDollars: cost, call: call,
            cancelledBy: row.textIfAny().flatMap(JobCanceller.init(rawValue:)))
    }
}

extension CallError {
    /// Reads the code and the message; `nil` without a code. A call without an answer has no message of its own.
    init?(_ row: inout some StoredRow) {
        let (code, message) = (row.textIfAny(), row.textIfAny())
        guard let code else { return nil }
        let isCut = code == ModelCall.State.cut.rawValue
        self.init(code: code, message: message ?? (isCut ? "The process that made the call ended in its midst." : ""))
    }
}

extension JobCallRecord {
    fileprivate init(_ row: inout some StoredRow) throws {
        let (id, epoch, provider, model, state) = (row.text(), row.integer(), row.text(), row.text(), row.text())
        guard let state = ModelCall.State(rawValue: state) else {
            throw StoreError.unexpected(reason: "a model call is '\(state)'")
        }
        let isEstimated = row.integer() == 0
        let tokens = (row.integer(), row.integer(), row.integer(), row.integer())
        let cost = row.integer()
        let startedAt = row.timestamp()
        let firstContent = row.integerIfAny().map { startedAt + .milliseconds($0) }
        let (endedAt, heardAt) = (row.timestampIfAny(), row.timestampIfAny())
        self.init(
            id: id, epoch: epoch, provider: provider, model: model, state: state, isEstimated: isEstimated,
            inputTokens: tokens.0, outputTokens: tokens.1, cacheReadTokens: tokens.2, cacheWriteTokens: tokens.3,
            costMicroDollars: cost, startedAt: startedAt, firstContentAt: firstContent, endedAt: endedAt,
            heardAt: heardAt ?? startedAt, isHedge: row.flag(), isSimulated: row.flag(),
            error: CallError(&row), providerRequestID: row.textIfAny())
    }
}
