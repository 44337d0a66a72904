internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Observability

extension Timestamp {
    package var iso8601: String { ISO8601.text(milliseconds: milliseconds) }
}

extension Job {
    /// The job as `DossierAPI.JobResource` decodes it. Built by hand: polls are frequent, and clients rely on the nulls
    /// that an encoder omits.
    var json: JSON {
        var body: JSONObject = [
            "id": JSON(id.description), "kind": JSON(kind), "subject": JSON(subject), "status": JSON(status.rawValue),
            "progress": JSON(progress), "current_step": JSON(currentStep), "attempt": JSON(attempt),
            "error": error?.json ?? .null,
        ]
        if status == .pending { body["blocked_by"] = blockedBy?.json(after: error) ?? .null }
        body["created_at"] = JSON(createdAt.iso8601)
        body["started_at"] = JSON(startedAt?.iso8601)
        body["completed_at"] = JSON(completedAt?.iso8601)
        return .object(body)
    }

    /// The job's result, with a member by which the description tells the results of the kinds apart.
    func json(of result: JSON) -> JSON {
        var data: JSONObject = ["kind": JSON(kind)]
        for (name, value) in result.object ?? [:] where name != "kind" { data[name] = value }
        return .object(data)
    }

    /// The state as a short text: the revision, and a letter for a reason to wait that comes and goes without one.
    var tag: String {
        switch blockedBy {
        case .notBefore, .postponed, .batch: "\(revision)t"
        case .worker: "\(revision)w"
        case .paused(let until): "\(revision)p\(until?.milliseconds ?? 0)"
        case .earlierJob, .limit, .shared, nil: "\(revision)"
        }
    }

    var etag: String { "\"\(tag)\"" }

    /// Seconds until the next poll; `nil` when the job has ended.
    var pollAfter: Int? {
        if status.isFinished { return nil }
        return status == .processing ? 1 : 2
    }
}

extension JobError {
    var json: JSON {
        ["code": JSON(code.rawValue), "message": JSON(message), "user_message": JSON(userMessage)]
    }
}

extension JobBlock {
    /// The reason as clients see it.
    ///
    /// - Parameter error: The error of the last attempt, after which the job waits for the next one.
    /// - Returns: The members `reason`, `until` and `job_id`.
    func json(after error: JobError?) -> JSON {
        switch self {
        case .notBefore(let timestamp):
            ["reason": error == nil ? "run_at" : "retry", "until": JSON(timestamp.iso8601), "job_id": nil]
        case .postponed(let wait, let timestamp):
            ["reason": JSON(wait.reason.coarse), "until": JSON(timestamp.iso8601), "job_id": nil]
        case .batch(let until): ["reason": "batch", "until": JSON(until.iso8601), "job_id": nil]
        case .earlierJob(let job): ["reason": "job", "until": nil, "job_id": JSON(job.description)]
        case .paused(let until): ["reason": "paused", "until": JSON(until?.iso8601), "job_id": nil]
        case .limit: ["reason": "limit", "until": nil, "job_id": nil]
        case .shared: ["reason": "shared", "until": nil, "job_id": nil]
        case .worker: ["reason": "no_worker", "until": nil, "job_id": nil]
        }
    }
}

extension WaitReason {
    /// The reason as users see it.
    fileprivate var coarse: String {
        switch self {
        case .providerBudget, .providerBlocked, .breakerOpen: "provider"
        case .paused: "paused"
        case .noCapableWorker, .noWorker: "no_worker"
        case .sharedWork: "shared"
        }
    }
}
