internal import Basics
internal import Foundation
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/api/v1/jobs` and what lies under it.
struct JobRoutes: Sendable {
    /// The longest time that a poll may wait.
    private static let longestWait = 60
    /// How far ahead a job may be planned.
    private static let longestDelay: Duration = .seconds(366 * 86_400)
    private static let priorities = -100...100

    let store: any JobStore
    let submitter: Submitter
    let watcher: JobWatcher
    let now: @Sendable () -> Int64

    // MARK: Submitting

    func submit(_ call: Call) async throws(APIError) -> Reply {
        let body = try call.body()
        try body.allowOnly(["kind", "input", "priority", "run_at"])
        let kind: String
        let input: JSONObject
        var options = Submitter.Options()
        do {
            kind = try body["kind"].string()
            input = try body["input"].object()
            if let priority = body["priority"].optional { options.priority = try Self.priority(priority) }
            if let timestamp = body["run_at"].optional { options.runAt = try runAt(timestamp) }
        } catch {
            throw .invalid(error)
        }
        options.idempotency = try idempotency(call, body)
        let (job, _, _) = try await submitter.submit(
            kind: kind, input: .object(input), inputPath: "input", options: options, call: call)
        return Reply(job.json, status: 202, headers: [("Location", "/api/v1/jobs/\(job.id)")] + headers(of: job))
    }

    private static func priority(_ field: JSONField) throws(JSONFieldError) -> Int {
        let value = try field.integer()
        guard let priority = Int(exactly: value), priorities.contains(priority) else {
            throw field.failure("must be from \(priorities.lowerBound) to \(priorities.upperBound)")
        }
        return priority
    }

    private func runAt(_ field: JSONField) throws(JSONFieldError) -> Timestamp {
        let text = try field.string()
        let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let date = (try? Date(text, strategy: .iso8601)) ?? (try? Date(text, strategy: fractional)) else {
            throw field.failure("must be a moment such as 2026-11-21T09:00:00Z")
        }
        let seconds = date.timeIntervalSince1970
        let latest = Timestamp(milliseconds: now()) + Self.longestDelay
        guard seconds >= 0, seconds * 1000 <= Double(latest.milliseconds) else {
            throw field.failure("must lie within the next year")
        }
        return Timestamp(milliseconds: Int64((seconds * 1000).rounded()))
    }

    func idempotency(_ call: Call, _ body: JSONField) throws(APIError) -> Idempotency? {
        guard let key = call.request.headers["Idempotency-Key"] else { return nil }
        guard !key.isEmpty, key.utf8.count <= 255, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalid("Idempotency-Key", "must be 1 to 255 printable ASCII characters without spaces")
        }
        return Idempotency(key: key, fingerprint: SHA256.hex(call.request.path + "\n" + (body.value?.canonical ?? "")))
    }

    // MARK: Reading

    /// The job, at once, or with `wait` when it has ended (with `If-None-Match`: when it has changed).
    func read(_ call: Call) async throws(APIError) -> Poll {
        let id = try call.jobID()
        let wait = try call.queryInteger("wait", in: 0...Self.longestWait, default: 0)
        let known = call.request.headers["If-None-Match"]
        @Sendable func isAnswer(_ job: Job) -> Bool {
            if let known { return !Self.matches(known, job.etag) }
            return job.status.isFinished
        }
        var job = try await find(id, call)
        if wait > 0, !isAnswer(job), !job.status.isFinished {
            job = try await waitForChange(of: job, call: call, seconds: wait, until: isAnswer)
        }
        if let known, Self.matches(known, job.etag) { return .notModified(headers: headers(of: job)) }
        return .job(Reply(job.json, headers: headers(of: job)))
    }

    enum Poll: Sendable {
        case job(Reply)
        case notModified(headers: [(String, String)])
    }

    func result(_ call: Call) async throws(APIError) -> Reply {
        let (job, result) = try await findWithResult(try call.jobID(), call)
        guard let result else {
            if job.status == .failed, let error = job.error { throw .failedJob(job, error) }
            throw .resultNotReady(job)
        }
        return Reply(result, headers: [("ETag", job.etag)])
    }

    func list(_ call: Call) async throws(APIError) -> Reply {
        let perPage = try call.queryInteger("per_page", in: 1...100, default: 20)
        var page = try call.queryInteger("page", in: 1...1_000_000, default: 1)
        var query = JobListQuery(user: call.user, position: .page(page), perPage: perPage)
        if let status = call.request.query("status") {
            guard let known = JobStatus(rawValue: status) else {
                let all = JobStatus.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("status", "must be one of \(all)")
            }
            query.status = known
        }
        query.kind = call.request.query("kind")
        if let cursor = call.request.query("cursor") {
            guard let after = JobID(cursor) else { throw .invalid("cursor", "is not one that this list has given") }
            query.position = .after(after)
            // A cursor never leads to the first page; which one it is only the client can say.
            page = max(page, 2)
        }
        do {
            let list = try await store.jobs(query)
            return Reply(.array(list.jobs.map(\.json)), pagination: list.pagination(page: page, perPage: perPage))
        } catch {
            throw APIError(error)
        }
    }

    // MARK: Changing

    func cancel(_ call: Call) async throws(APIError) -> Reply {
        let id = try call.jobID()
        do {
            guard let job = try await store.cancel(id, of: call.user) else { throw APIError.notFound(id) }
            return Reply(job.json, headers: headers(of: job))
        } catch let error as StoreError {
            throw APIError(error)
        } catch let error as APIError {
            throw error
        } catch {
            throw .internal
        }
    }

    func retry(_ call: Call) async throws(APIError) -> Reply {
        let id = try call.jobID()
        let submission: Submission?
        do {
            submission = try await store.retry(id, of: call.user)
        } catch {
            throw APIError(error)
        }
        switch submission {
        case .accepted(let job), .existing(let job): return Reply(job.json, status: 202, headers: headers(of: job))
        case .insufficientCredits(let balance, let required):
            throw .insufficientCredits(balance, required: required, job: id)
        case .conflict: throw .idempotencyConflict
        case nil: throw .notFound(id)
        }
    }

    // MARK: Shared

    func find(_ id: JobID, _ call: Call) async throws(APIError) -> Job {
        do {
            if let job = try await store.job(id, of: call.user) { return job }
        } catch {
            throw APIError(error)
        }
        throw .notFound(id)
    }

    func findWithResult(_ id: JobID, _ call: Call) async throws(APIError) -> (Job, JSON?) {
        do {
            if let found = try await store.jobWithResult(id, of: call.user) { return (found.job, found.result) }
        } catch {
            throw APIError(error)
        }
        throw .notFound(id)
    }

    private func waitForChange(
        of job: Job, call: Call, seconds: Int, until isAnswer: @escaping @Sendable (Job) -> Bool
    ) async throws(APIError) -> Job {
        let changes = watcher.changes(of: [job.id])
        // Read again after subscribing: a change in between would not be signalled.
        var latest = try await find(job.id, call)
        if isAnswer(latest) || latest.status.isFinished { return latest }
        let deadline = ContinuousClock.now + .seconds(seconds)
        let ticks = Deadline.merging(changes, until: deadline)
        for await tick in ticks {
            latest = try await find(job.id, call)
            if tick == .timeIsUp || isAnswer(latest) || latest.status.isFinished { break }
        }
        return latest
    }

    private func headers(of job: Job) -> [(String, String)] {
        [("ETag", job.etag)] + (job.pollAfter.map { [("Retry-After", String($0))] } ?? [])
    }

    /// Whether an `If-None-Match` header names the tag.
    private static func matches(_ header: String, _ tag: String) -> Bool {
        header.split(separator: ",").contains { candidate in
            let trimmed = candidate.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
            let bare = String(trimmed)
            return bare == "*" || bare == tag || bare == "W/" + tag
        }
    }
}

extension JobList {
    func pagination(page: Int, perPage: Int) -> JSON {
        [
            "page": JSON(page), "per_page": JSON(perPage), "total_items": JSON(total),
            "total_pages": JSON((total + perPage - 1) / perPage), "has_next": JSON(hasMore),
            "has_prev": JSON(page > 1), "next_cursor": hasMore ? JSON(jobs.last?.id.description) : .null,
        ]
    }
}
