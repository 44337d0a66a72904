internal import Basics
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/api/v1/jobs`.
struct JobRoutes: Sendable {
    /// The longest time that a poll may wait, in seconds.
    private static let longestWait = 60
    /// The longest time that a job may be scheduled ahead.
    private static let longestDelay: Duration = .seconds(366 * 86_400)
    private static let priorities = -100...100

    let jobs: JobService
    let held: HeldRequests
    let reader: StockReader
    let now: @Sendable () -> Timestamp
    /// The expected time until the answer to a model call that goes by batch now.
    let batchEstimate: @Sendable () async throws(StoreError) -> Duration

    // MARK: Submitting

    /// `POST /jobs`
    func submit(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let (sent, body) = try context.request.jsonBodies()
        try body.allowOnly(["kind", "input", "priority", "run_at", "within"])
        let kind: String
        let input: JSONObject
        var options = Submitter.Options()
        do {
            kind = try body["kind"].string()
            input = try body["input"].object()
            if let priority = body["priority"].optional { options.priority = try Self.priority(priority) }
            if let within = body["within"].optional { options.within = try Self.within(within) }
            if let timestamp = body["run_at"].optional { options.runAt = try runAt(timestamp) }
        } catch {
            throw .invalid(error)
        }
        options.inputAsSent = sent["input"].value
        if kind == ResearchRoutes.kind, let ticker = input["ticker"]?.string {
            try await ResearchRoutes.requireCompany(ticker, field: "input.ticker", reader)
        }
        if kind == ComparisonInput.kind {
            for (place, ticker) in (input["tickers"]?.array ?? []).prefix(ComparisonRoutes.mostTickers).enumerated() {
                guard let ticker = ticker.string else { continue }
                try await ResearchRoutes.requireCompany(ticker, field: "input.tickers[\(place)]", reader)
            }
        }
        options.idempotency = try context.idempotency(body)
        let submitted = try await jobs.submit(
            kind: kind, input: .object(input), inputPath: "input", options: options, context: context)
        let job = submitted.job
        var answer = job.json
        if job.within != nil {
            do {
                answer["estimated_at"] = JSON((now() + (try await batchEstimate())).iso8601)
            } catch {
                // The job is stored: its submit does not fail.
                answer["estimated_at"] = .null
            }
        }
        return APIResponse(
            answer, status: 202,
            headers: [("Location", "/api/v1/jobs/\(job.id)")] + job.pollHeaders + submitted.headers)
    }

    private static func priority(_ field: JSONField) throws(JSONFieldError) -> Int {
        let value = try field.integer()
        guard let priority = Int(exactly: value), priorities.contains(priority) else {
            throw field.failure("must be from \(priorities.lowerBound) to \(priorities.upperBound)")
        }
        return priority
    }

    private static func within(_ field: JSONField) throws(JSONFieldError) -> Duration {
        let range = BatchTimes.within.lowerBound.components.seconds...BatchTimes.within.upperBound.components.seconds
        let seconds = try field.integer()
        guard range.contains(seconds) else {
            throw field.failure("must be from \(range.lowerBound) to \(range.upperBound) seconds")
        }
        return .seconds(seconds)
    }

    private func runAt(_ field: JSONField) throws(JSONFieldError) -> Timestamp {
        let text = try field.string()
        guard let timestamp = Timestamp(iso8601: text) else {
            throw field.failure("must be a date and time such as 2026-11-21T09:00:00Z")
        }
        guard timestamp.milliseconds >= 0, timestamp <= now() + Self.longestDelay else {
            throw field.failure("must be within the next year")
        }
        return timestamp
    }

    // MARK: Reading

    /// `GET /jobs/{id}`: the job at once, or with `wait` when it has ended (with `If-None-Match`: when it has changed). A
    /// job that is not due is never waited for.
    func read(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let id = try context.jobID()
        let seconds = try context.queryInteger("wait", in: 0...Self.longestWait, default: 0)
        let known = context.header("If-None-Match")
        @Sendable func isAnswer(_ job: Job) -> Bool { known != nil && !context.knows(job.etag) }
        var job = try await jobs.job(id, of: context.user)
        let pause = job.pauseUntilDue(at: now())
        if seconds > 0, !isAnswer(job), !job.status.isFinished, pause == nil {
            let place = try held.take(.waitingPolls, for: context.user, lasting: .seconds(seconds))
            defer { place.release() }
            let deadline = ContinuousClock.now + .seconds(seconds)
            job = try await jobs.wait(for: id, of: context.user, until: deadline, isAnswer).job
        }
        let headers = job.pollHeaders(pause)
        if context.knows(job.etag) { return .notModified(headers: headers) }
        return APIResponse(job.json, headers: headers)
    }

    /// `GET /jobs/{id}/input`
    func input(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let job = try await jobs.job(try context.jobID(), of: context.user)
        return .revalidated(job.input, tag: job.etag, context)
    }

    /// `GET /jobs/{id}/result`
    func result(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let (job, result) = try await jobs.jobWithResult(try context.jobID(), of: context.user)
        guard let result else {
            if job.status == .failed, let error = job.error { throw .failedJob(job, error) }
            throw .resultNotReady(job)
        }
        return .revalidated(job.json(of: result), tag: job.etag, context)
    }

    /// `GET /jobs?status=&kind=&page=&per_page=&cursor=`
    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        var page = try Page(context)
        var query = JobListQuery(user: context.user, position: .page(page.number), perPage: page.size)
        do {
            query.statuses = try Set(context.query("status"))
        } catch {
            throw .invalid(error.field, error.problem)
        }
        query.kind = context.query("kind")
        if let cursor = context.query("cursor") {
            guard let after = JobID(cursor) else { throw .invalid("cursor", "is not a cursor of this list") }
            query.position = .after(after)
            // A cursor never leads to the first page; only the client knows the page's number.
            page.number = max(page.number, 2)
        }
        let list = try await jobs.jobs(query)
        return APIResponse(.array(list.jobs.map(\.json)), pagination: page.json(of: list))
    }

    // MARK: Changing

    /// `POST /jobs/{id}/cancel`
    func cancel(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let job = try await jobs.cancel(try context.jobID(), of: context.user)
        return APIResponse(job.json, headers: job.pollHeaders)
    }

    /// `POST /jobs/{id}/retry`
    func retry(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let job = try await jobs.retry(try context.jobID(), of: context.user)
        return APIResponse(job.json, status: 202, headers: job.pollHeaders)
    }
}

extension Job {
    var pollHeaders: [(String, String)] { pollHeaders(nil) }

    /// The state as a tag, and how soon to poll again: not long before a job is due, and at least once a minute.
    fileprivate func pollHeaders(_ pauseUntilDue: Duration?) -> [(String, String)] {
        let pause = pauseUntilDue.map { Int(min($0.components.seconds, 60)) } ?? 0
        return [("ETag", etag)] + (pollAfter.map { [("Retry-After", String(max($0, pause)))] } ?? [])
    }
}
