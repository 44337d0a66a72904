internal import JSON
internal import JobQueue
internal import Prompts

/// `/api/v1/research`: reports for the app for value investors; each is a job of kind `research`.
struct ResearchRoutes: Sendable {
    static let kind = "research"

    let jobs: JobService
    let bundle: CurrentBundle

    func generate(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let body = try context.body()
        try body.allowOnly(["stock_id", "ticker", "investor_persona"])
        let ticker: String
        let persona: String
        do {
            // An app's id of a stock is its ticker.
            ticker = try (body["stock_id"].optional ?? body["ticker"]).string().uppercased()
            persona = try body["investor_persona"].string()
        } catch {
            throw .invalid(error)
        }
        var options = Submitter.Options()
        options.uniqueKey = "research/\(ticker)/\(persona)"
        options.idempotency = try context.idempotency(body)
        do {
            let (job, _, kind) = try await jobs.submit(
                kind: Self.kind, input: ["ticker": JSON(ticker), "persona": JSON(persona)], options: options,
                context: context)
            return APIResponse(submitted(job, kind), status: 202, headers: [("Location", path(of: job))])
        } catch {
            throw error.naming("persona", as: "investor_persona")
                .naming("ticker", as: body["stock_id"].optional == nil ? "ticker" : "stock_id")
        }
    }

    func status(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let job = try await findReport(context).job
        return APIResponse([
            "status": JSON(job.reportStatus), "progress": JSON(job.progress), "current_step": JSON(job.currentStep),
            "error_message": JSON(job.reportError), "completed_at": JSON(job.completedAt?.iso8601),
        ])
    }

    func report(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let found = try await findReport(context)
        var body = summary(found.job)
        for (key, value) in found.result?.object ?? [:] { body[key] = value }
        return APIResponse(body)
    }

    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let page = try Page(context)
        let list = try await jobs.jobs(
            JobListQuery(user: context.user, kind: Self.kind, position: .page(page.number), perPage: page.size))
        return APIResponse(.array(list.jobs.map(summary)), pagination: page.json(of: list))
    }

    func personas(_ context: RequestContext) -> APIResponse {
        let all = bundle.value.personas.values.sorted { $0.id < $1.id }
        return APIResponse(
            .array(
                all.map { persona in
                    [
                        "id": JSON(persona.id), "name": JSON(persona.name), "summary": JSON(persona.summary),
                        "version": JSON(persona.version),
                    ]
                }))
    }

    // MARK: Rendering

    private func findReport(_ context: RequestContext) async throws(APIError) -> (job: Job, result: JSON?) {
        let (job, result) = try await jobs.jobWithResult(try context.jobID(), of: context.user)
        guard job.kind == Self.kind else { throw .notFound("The report") }
        return (job, result)
    }

    private func submitted(_ job: Job, _ kind: JobKind) -> JSON {
        [
            "report_id": JSON(job.id.description), "status": JSON(job.reportStatus),
            "estimated_seconds": JSON(Int(kind.estimate.wholeMilliseconds / 1000)),
            "poll_url": JSON(path(of: job) + "/status"),
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
    /// The status for an app that has no `cancelled`.
    fileprivate var reportStatus: String { status == .cancelled ? JobStatus.failed.rawValue : status.rawValue }

    fileprivate var reportError: String? {
        switch status {
        case .failed: error?.userMessage
        case .cancelled: "The report was cancelled. Nothing was charged."
        default: nil
        }
    }
}

extension APIError {
    /// The same error with the name that an endpoint gives a field.
    fileprivate func naming(_ field: String, as name: String) -> APIError {
        guard details?["field"]?.string == field else { return self }
        var copy = self
        copy.details = ["field": JSON(name)]
        if message.hasPrefix("'\(field)'") { copy.message = "'\(name)'" + message.dropFirst(field.utf8.count + 2) }
        return copy
    }
}
