internal import JSON
internal import JobQueue
internal import Prompts

/// `/api/v1/research`: reports as the app for value investors asks for them; each is a job of kind `research`.
struct ResearchRoutes: Sendable {
    static let kind = "research"

    let jobs: JobRoutes
    let bundle: CurrentBundle

    func generate(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
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
        options.idempotency = try jobs.idempotency(call, body)
        do {
            let (job, _, kind) = try await jobs.submitter.submit(
                kind: Self.kind, input: ["ticker": JSON(ticker), "persona": JSON(persona)], inputPath: "",
                options: options, call: call)
            return Reply(submitted(job, kind), status: 202, headers: [("Location", path(of: job))])
        } catch {
            throw error.naming("persona", as: "investor_persona")
                .naming("ticker", as: body["stock_id"].optional == nil ? "ticker" : "stock_id")
        }
    }

    func status(_ call: Call) async throws(APIError) -> Reply {
        let job = try await findReport(call).job
        return Reply([
            "status": JSON(job.reportStatus), "progress": JSON(job.progress), "current_step": JSON(job.currentStep),
            "error_message": JSON(job.reportError), "completed_at": JSON(job.completedAt?.iso8601),
        ])
    }

    func report(_ call: Call) async throws(APIError) -> Reply {
        let found = try await findReport(call)
        var body = summary(found.job)
        for (key, value) in found.result?.object ?? [:] { body[key] = value }
        return Reply(body)
    }

    func list(_ call: Call) async throws(APIError) -> Reply {
        let perPage = try call.queryInteger("per_page", in: 1...100, default: 20)
        let page = try call.queryInteger("page", in: 1...1_000_000, default: 1)
        do {
            let list = try await jobs.store.jobs(
                JobListQuery(user: call.user, kind: Self.kind, position: .page(page), perPage: perPage))
            return Reply(.array(list.jobs.map(summary)), pagination: list.pagination(page: page, perPage: perPage))
        } catch {
            throw APIError(error)
        }
    }

    func personas(_ call: Call) -> Reply {
        let all = bundle.value.personas.values.sorted { $0.id < $1.id }
        return Reply(
            .array(
                all.map { persona in
                    [
                        "id": JSON(persona.id), "name": JSON(persona.name), "summary": JSON(persona.summary),
                        "version": JSON(persona.version),
                    ]
                }))
    }

    // MARK: Rendering

    private func findReport(_ call: Call) async throws(APIError) -> (job: Job, result: JSON?) {
        let (job, result) = try await jobs.findWithResult(try call.jobID(), call)
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
    /// The status as an app reads it that knows no `cancelled`.
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
    /// The same error in the words of an endpoint that calls a field otherwise.
    fileprivate func naming(_ field: String, as name: String) -> APIError {
        guard details?["field"]?.string == field else { return self }
        var copy = self
        copy.details = ["field": JSON(name)]
        if message.hasPrefix("'\(field)'") { copy.message = "'\(name)'" + message.dropFirst(field.utf8.count + 2) }
        return copy
    }
}
