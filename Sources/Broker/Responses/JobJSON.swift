internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Observability

extension Timestamp {
    var iso8601: String { ISO8601.text(milliseconds: milliseconds) }
}

extension Job {
    /// The job as `DossierAPI.JobResource` decodes it. Built by hand: polls are frequent, and clients rely on the nulls
    /// that an encoder omits.
    var json: JSON {
        var body: JSONObject = [
            "id": JSON(id.description), "kind": JSON(kind), "status": JSON(status.rawValue), "progress": JSON(progress),
            "current_step": JSON(currentStep), "attempt": JSON(attempt), "error": error?.json ?? .null,
        ]
        if status == .pending { body["blocked_by"] = blockedBy?.json ?? .null }
        body["created_at"] = JSON(createdAt.iso8601)
        body["started_at"] = JSON(startedAt?.iso8601)
        body["completed_at"] = JSON(completedAt?.iso8601)
        return .object(body)
    }

    var etag: String { "\"\(revision)\"" }

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
    var json: JSON {
        switch self {
        case .notBefore(let timestamp): ["reason": "run_at", "until": JSON(timestamp.iso8601), "job_id": nil]
        case .earlierJob(let job): ["reason": "job", "until": nil, "job_id": JSON(job.description)]
        case .limit: ["reason": "limit", "until": nil, "job_id": nil]
        case .shared: ["reason": "shared", "until": nil, "job_id": nil]
        }
    }
}
