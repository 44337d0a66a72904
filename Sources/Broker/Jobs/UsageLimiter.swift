internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Synchronization

/// Bounds the unfinished jobs and the stored bytes of each user.
///
/// A broker reads a user's usage at most once in `lifetime`, and before each refusal; in between it adds the jobs that it
/// accepted itself. So a user may exceed a limit by the jobs that other brokers accept within that time, whose number the
/// limit of requests bounds.
final class UsageLimiter: Sendable {
    private struct Entry {
        var usage: UserUsage
        var readAt: ContinuousClock.Instant
    }

    static let lifetime: Duration = .seconds(30)
    private static let capacity = 10_000

    private let plans: CurrentPlans
    private let records: any UsageRepository
    private let entries = Mutex<[UserID: Entry]>([:])

    init(plans: CurrentPlans, records: any UsageRepository) { (self.plans, self.records) = (plans, records) }

    /// Takes room for a job with an input. A job whose idempotency key is known takes none, since the
    /// submit answers with the earlier job.
    ///
    /// - Throws: `limitReached` and `storageFull`.
    func take(roomFor input: JSON, of user: UserID, idempotencyKey: String?) async throws(APIError) {
        let plan = plans.value.standard
        guard user != .system, plan.unfinishedJobs != nil || plan.storedBytes != nil else { return }
        let bytes = plan.storedBytes == nil ? 0 : input.compact.utf8.count
        if add(bytes, to: user, within: plan, newerThan: .now - Self.lifetime) == .added { return }
        let answer: Answer
        do throws(StoreError) {
            let start = ContinuousClock.now
            let usage = try await records.usage(of: user)
            entries.withLock { entries in
                if entries.count >= Self.capacity { entries = [:] }
                entries[user] = Entry(usage: usage, readAt: start)
            }
            answer = add(bytes, to: user, within: plan, newerThan: start)
            if answer == .added { return }
            if let idempotencyKey, try await records.isKnown(idempotencyKey: idempotencyKey, of: user) { return }
        } catch {
            throw APIError(error)
        }
        throw answer == .tooManyBytes
            ? .storageFull(limit: plan.storedBytes ?? 0) : .tooManyJobs(limit: plan.unfinishedJobs ?? 0)
    }

    private enum Answer { case added, unknown, tooManyJobs, tooManyBytes }

    private func add(
        _ bytes: Int, to user: UserID, within plan: Plan, newerThan instant: ContinuousClock.Instant
    ) -> Answer {
        entries.withLock { entries in
            guard var entry = entries[user], entry.readAt >= instant else { return .unknown }
            if let limit = plan.unfinishedJobs, entry.usage.unfinishedJobs >= limit { return .tooManyJobs }
            if let limit = plan.storedBytes, entry.usage.storedBytes + bytes > limit { return .tooManyBytes }
            entry.usage.unfinishedJobs += 1
            entry.usage.storedBytes += bytes
            entries[user] = entry
            return .added
        }
    }
}

extension APIError {
    fileprivate static func tooManyJobs(limit: Int) -> APIError {
        APIError(
            429, .limitReached, "The user has \(limit) unfinished jobs, which is the limit.",
            user: "You have a lot of requests under way. Please wait until some are done.", action: "wait",
            details: ["what": "unfinished_jobs", "limit": JSON(limit)], retryAfter: 15)
    }

    fileprivate static func storageFull(limit: Int) -> APIError {
        APIError(
            403, .storageFull,
            "The user's inputs, results and conversations would exceed \(limit) bytes, which is the limit.",
            user: "Your storage is full. Older results are deleted after some time.",
            details: ["what": "stored_bytes", "limit": JSON(limit)])
    }
}
