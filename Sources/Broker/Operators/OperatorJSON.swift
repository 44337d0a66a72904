package import JSON
package import JobQueue
internal import Observability

extension JobRecord {
    /// A row of operators' lists.
    func json(_ why: JobWhy?, at now: Timestamp) -> JSON {
        var body = job.json.object ?? [:]
        body["user"] = ["id": JSON(job.user.rawValue), "subject": JSON(subject)]
        body["lane"] = JSON(job.queue.rawValue)
        body["why"] = why?.json ?? .null
        body["age_seconds"] = JSON(max(((job.completedAt ?? now) - job.createdAt).components.seconds, 0))
        body["deadline"] = job.deadline < .never ? JSON(job.deadline.iso8601) : .null
        body["worker"] = JSON(worker?.rawValue)
        body["cost_micro_dollars"] = JSON(costMicroDollars)
        body["bundle"] = JSON(job.bundle)
        return .object(body)
    }
}

extension JobAttempt {
    var json: JSON {
        var body: JSONObject = [
            "number": JSON(number), "epoch": JSON(epoch), "worker": JSON(worker?.rawValue),
            "started_at": JSON(startedAt.iso8601), "ended_at": JSON(endedAt?.iso8601),
            "outcome": JSON(outcome.rawValue),
            "error": error.map { ["code": JSON($0.code), "message": JSON($0.message)] } ?? .null,
            "steps_reused": JSON(stepsReused),
        ]
        if let lastSeenAt { body["last_seen_at"] = JSON(lastSeenAt.iso8601) }
        return .object(body)
    }
}

extension Step {
    /// A step of a journal, for operators.
    func json(of attempts: [JobAttempt], withOutput: Bool) -> JSON {
        let attempt = made.flatMap { made in attempts.last { $0.epoch == made.epoch } }
        var body: JSONObject = [
            "sequence": JSON(sequence), "name": JSON(name), "occurrence": JSON(occurrence),
            "input_hash": JSON(inputHash), "attempt": JSON(attempt?.number),
            "started_at": JSON(made?.startedAt.iso8601), "at": JSON(made?.endedAt.iso8601),
            "bytes": JSON(output.compact.utf8.count),
        ]
        if withOutput { body["output"] = output }
        return .object(body)
    }
}

extension JobCallRecord {
    func json(of attempts: [JobAttempt], at now: Timestamp) -> JSON {
        let attempt = attempts.last { $0.epoch == epoch }
        let silent = state == .running ? max((now - heardAt).components.seconds, 0) : nil
        return [
            "id": JSON(id), "step": JSON(step), "attempt": JSON(attempt?.number), "epoch": JSON(epoch),
            "provider": JSON(provider), "model": JSON(model),
            "state": JSON(state.rawValue), "started_at": JSON(startedAt.iso8601),
            "first_token_at": JSON(firstContentAt?.iso8601), "ended_at": JSON(endedAt?.iso8601),
            "silent_seconds": JSON(silent), "input_tokens": JSON(inputTokens), "output_tokens": JSON(outputTokens),
            "cache_read_tokens": JSON(cacheReadTokens), "cache_write_tokens": JSON(cacheWriteTokens),
            "cost_micro_dollars": JSON(costMicroDollars), "estimated": JSON(isEstimated), "hedge": JSON(isHedge),
            "simulated": JSON(isSimulated),
            "error": error.map { ["code": JSON($0.code), "message": JSON($0.message)] } ?? .null,
            "provider_request_id": JSON(providerRequestID),
        ]
    }
}

extension FleetCounts.QueueCounts {
    func json(at now: Timestamp) -> JSON {
        [
            "ready": JSON(ready), "scheduled": JSON(scheduled), "waiting": JSON(waiting), "blocked": JSON(blocked),
            "running": JSON(running),
            "oldest_ready_seconds": JSON(oldestReadyAt.map { max((now - $0).components.seconds, 0) }),
        ]
    }
}

extension EndedJobs.Sums {
    var json: JSON {
        let codes = byCode.sorted { $0.key < $1.key }.map { ($0.key, JSON($0.value)) }
        return [
            "completed": JSON(completed), "failed": JSON(failed), "cancelled": JSON(cancelled),
            "by_code": .object(JSONObject(codes)),
        ]
    }
}

extension AuditEntry {
    package var json: JSON {
        [
            "id": JSON(id), "at": JSON(at.iso8601),
            "actor": ["type": JSON(actor.kind.rawValue), "id": JSON(actor.id), "name": JSON(actor.name)],
            "action": JSON(action), "target": JSON(target), "details": details, "request_id": JSON(requestID),
        ]
    }
}
