internal import DataSources
internal import DossierAPI
internal import JSON
internal import JobQueue
internal import Prompts

/// `/api/v1/research`: reports for the app for value investors; each is a job of kind `research`.
struct ResearchRoutes: Sendable {
    static let kind = "research"

    let jobs: JobService
    let bundle: CurrentBundle
    let reader: StockReader
    let times: UsualTimes
    let readFilings = ReportFilings.Cache()

    func generate(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["stock_id", "ticker", "investor_persona", "language"])
        let ticker: String
        let persona: String
        do throws(JSONFieldError) {
            // An app's id of a stock is its ticker.
            ticker = try (body["stock_id"].optional ?? body["ticker"]).string().uppercased()
            if let other = try body["ticker"].optional?.string(), other.uppercased() != ticker {
                throw body["ticker"].failure("must be the stock_id \(ticker), or be left out")
            }
            persona = try body["investor_persona"].string()
        } catch {
            throw .invalid(error)
        }
        let field = body["stock_id"].optional == nil ? "ticker" : "stock_id"
        guard (try? Ticker(ticker)) != nil else {
            let problem = "must be a ticker such as AAPL or BRK-B; the id of a stock is its ticker"
            throw .invalid(field, problem, code: .invalidTicker)
        }
        try await Self.requireCompany(ticker, field: field, reader)
        var options = Submitter.Options()
        options.uniqueKey = "research/\(ticker)/\(persona)"
        options.idempotency = try context.idempotency(body)
        do {
            var input: JSON = ["ticker": JSON(ticker), "persona": JSON(persona)]
            if let language = body["language"].optional?.value { input["language"] = language }
            let submitted = try await jobs.submit(
                kind: Self.kind, input: input, options: options, context: context)
            let usual = await times.time(of: Self.kind)
            return APIResponse(
                summary(of: submitted, taking: usual ?? submitted.kind.estimate), status: 202,
                headers: [("Location", path(of: submitted.job))] + submitted.headers)
        } catch {
            throw error.naming("persona", as: "investor_persona").naming("ticker", as: field)
        }
    }

    /// Refuses a report on what files none, and on a ticker that no company has, before a credit is held.
    static func requireCompany(_ text: String, field: String, _ reader: StockReader) async throws(APIError) {
        guard let ticker = try? Ticker(text) else { return }
        if let name = StockReader.assetWithoutFilings(ticker) { throw .noFilings(ticker.text, name, field: field) }
        do {
            try await reader.requireListed(ticker)
        } catch {
            var error = error
            error.details = error.details ?? ["field": JSON(field)]
            throw error
        }
    }

    func status(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let job = try await findReport(context).job
        return APIResponse([
            "status": JSON(job.reportStatus), "progress": JSON(job.progress), "current_step": JSON(job.currentStep),
            "error_message": JSON(job.reportError), "completed_at": JSON(job.completedAt?.iso8601),
            "steps": steps(of: job),
        ])
    }

    /// The steps of a report with the progress at the end of each, and how far they are: a client that asks every few
    /// seconds sees each of them, however short it was.
    private func steps(of job: Job) -> JSON {
        var end = 0
        var isReached = true
        return .array(
            (bundle.value.kinds[Self.kind]?.stages ?? []).map { stage in
                end += stage.weight
                let isDone = isReached && (job.status == .completed || job.progress >= end && end < 100)
                let state =
                    switch (isReached, isDone, job.reportStatus) {
                    case (_, true, _): "done"
                    case (true, _, "failed"): "failed"
                    case (true, _, "processing"): "running"
                    default: "pending"
                    }
                isReached = isDone
                return ["progress": JSON(end), "title": JSON(stage.says), "state": JSON(state)]
            })
    }

    func report(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let found = try await findReport(context)
        var body = summary(found.job)
        for (key, value) in found.result?.object ?? [:] { body[key] = value }
        if let result = found.result {
            let newer = await newerFiling(than: result, of: found.job, context)
            body.add(newer)
            // Of the answer, the filing that makes the report outdated is all that may change.
            let filing = newer.map { "." + ($0.accession ?? "none") } ?? ""
            return .revalidated(body, tag: "\"\(found.job.tag)\(filing)\"", context)
        }
        return APIResponse(body)
    }

    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let page = try Page(context)
        let list = try await jobs.jobs(
            JobListQuery(user: context.user, kind: Self.kind, position: .page(page.number), perPage: page.size))
        let newer = await newerFilings(than: list.jobs, context)
        let reports = list.jobs.map { job in
            var body = summary(job)
            if job.status == .completed { body.add(newer[job.id]) }
            return body
        }
        return APIResponse(.array(reports), pagination: page.json(of: list))
    }

    func personas(_ context: RequestContext) -> APIResponse {
        let personas: [JSON] = bundle.value.personas.values.sorted { $0.id < $1.id }.map { persona in
            [
                "id": JSON(persona.id), "name": JSON(persona.name), "summary": JSON(persona.summary),
                "version": JSON(persona.version), "voice": JSON(persona.says),
                "thresholds": ["fits": JSON(persona.verdicts.fits), "mixed": JSON(persona.verdicts.mixed)],
            ]
        }
        return APIResponse(.array(personas), pagination: Page.whole(of: personas))
    }

    /// The figures that differ between a report and an earlier or later one on the same company.
    func changes(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard let other = context.query("since") else {
            throw .invalid("since", "is missing; it is the id of a report")
        }
        guard let id = JobID(other) else { throw .invalid("since", "is not the id of a report") }
        let (job, result) = try await findReport(context)
        let (base, before) = try await jobs.jobWithResult(id, of: context.user)
        guard base.kind == Self.kind else { throw .notFound("The report") }
        guard let result else { throw .resultNotReady(job) }
        guard let before else { throw .resultNotReady(base) }
        guard job.input["ticker"] == base.input["ticker"] else {
            throw .invalid("since", "must be the id of a report on the same company")
        }
        return APIResponse(
            ReportChanges(from: (base, before), to: (job, result)).json)
    }

    // MARK: Rendering

    private func findReport(_ context: RequestContext) async throws(APIError) -> (job: Job, result: JSON?) {
        let (job, result) = try await jobs.jobWithResult(try context.jobID(), of: context.user)
        guard job.kind == Self.kind else { throw .notFound("The report") }
        return (job, result)
    }

    private func summary(of submitted: Submitter.Submitted, taking time: Duration) -> JSON {
        [
            "report_id": JSON(submitted.job.id.description), "status": JSON(submitted.job.reportStatus),
            "estimated_seconds": JSON(max(1, Int((time / .seconds(1)).rounded(.up)))),
            "poll_url": JSON(path(of: submitted.job) + "/status"),
        ]
    }

    private func summary(_ job: Job) -> JSON {
        [
            "report_id": JSON(job.id.description), "ticker": job.input["ticker"] ?? .null,
            "investor_persona": job.input["persona"] ?? .null, "status": JSON(job.reportStatus),
            "progress": JSON(job.progress), "current_step": JSON(job.currentStep),
            "error_message": JSON(job.reportError), "created_at": JSON(job.createdAt.iso8601),
            "completed_at": JSON(job.completedAt?.iso8601),
        ]
    }

    private func path(of job: Job) -> String { "/api/v1/research/reports/\(job.id)" }
}

extension Job {
    /// The status for an app that has no `cancelled`. A report that was begun and waits, for the readings of a filing, say,
    /// is being worked on.
    fileprivate var reportStatus: String {
        switch status {
        case .cancelled: JobStatus.failed.rawValue
        case .pending where startedAt != nil: JobStatus.processing.rawValue
        default: status.rawValue
        }
    }

    fileprivate var reportError: String? {
        switch status {
        case .failed: error?.userMessage
        case .cancelled: "The report was cancelled. Nothing was charged."
        default: nil
        }
    }
}

extension APIError {
    /// The same error with the name that an endpoint gives a field, or the list that has it.
    func naming(_ field: String, as name: String) -> APIError {
        guard let named = details?["field"]?.string, named == field || named.hasPrefix("\(field)[") else { return self }
        var copy = self
        copy.details = ["field": JSON(name + named.dropFirst(field.count))]
        if message.hasPrefix("'\(field)") { copy.message = "'\(name)" + message.dropFirst(field.count + 1) }
        return copy
    }
}
