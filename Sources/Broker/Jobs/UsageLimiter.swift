internal import DossierAPI
internal import JobQueue
internal import JSON
internal import Synchronization

/// Bounds the unfinished jobs and the stored bytes of each user.
///
/// A broker reads a user's usage at most once in `lifetime`, before each refusal, and before each job of a user who has
/// half of the unfinished jobs; in between it adds the jobs that it accepted itself. A reading waits until no submit of
/// the user is under way in this broker, so that it counts each of them. So a user may exceed the limit of jobs by those
/// that other brokers accept at the same time, and the one of bytes by what they accept within `lifetime`, whose number
/// the limit of requests bounds.
final class UsageLimiter: Sendable {
    /// The room for one job while its submit is under way. It is given back unless the job was accepted.
    final class Room: Sendable {
        private let owner: UsageLimiter?
        private let user: UserID
        private let bytes: Int
        private let isKept = Mutex(false)

        fileprivate init(_ owner: UsageLimiter?, _ user: UserID, _ bytes: Int) {
            (self.owner, self.user, self.bytes) = (owner, user, bytes)
        }

        /// The job was accepted and takes the room.
        func keep() { isKept.withLock { $0 = true } }

        deinit { owner?.end(of: user, bytes, isKept: isKept.withLock(\.self)) }
    }

    private struct Entry {
        /// The last reading with the jobs that this broker accepted since.
        var usage = UserUsage()
        /// `nil` before the first reading.
        var readAt: ContinuousClock.Instant?
        /// Submits that have taken room and have not ended.
        var underWay = 0
        /// Whether a request reads the usage. It waits for the submits under way, and no further one begins.
        var isReading = false
        var lastSubmitEnded: CheckedContinuation<Void, Never>?
        /// Requests that wait for the end of the reading, which gives them its error.
        var readers: [CheckedContinuation<StoreError?, Never>] = []
    }

    static let lifetime: Duration = .seconds(30)
    private static let capacity = 10_000

    private let plans: CurrentPlans
    private let records: any UsageRepository
    private let entries = Mutex<[UserID: Entry]>([:])

    init(plans: CurrentPlans, records: any UsageRepository) { (self.plans, self.records) = (plans, records) }

    /// Takes room for a job with an input until the room is released. A job whose idempotency key is known takes none,
    /// since the submit answers with the earlier job.
    ///
    /// - Throws: `limitReached` and `storageFull`.
    func take(roomFor input: JSON, of user: UserID, idempotencyKey: String?) async throws(APIError) -> Room {
        let plan = plans.plan(of: user)
        guard user != .system, plan.unfinishedJobs != nil || plan.storedBytes != nil else { return Room(nil, user, 0) }
        let bytes = plan.storedBytes == nil ? 0 : input.compact.utf8.count
        let start = ContinuousClock.now
        if add(bytes, to: user, within: plan, newerThan: start - Self.lifetime, or: start) == .added {
            return Room(self, user, bytes)
        }
        let answer: Answer
        do throws(StoreError) {
            answer = try await addAfterReading(bytes, to: user, within: plan, newerThan: start)
            if answer == .added { return Room(self, user, bytes) }
            if let idempotencyKey, try await records.job(ofIdempotencyKey: idempotencyKey, user: user) != nil {
                return Room(nil, user, 0)
            }
        } catch {
            throw APIError(error)
        }
        throw answer == .tooManyBytes
            ? .storageFull(limit: plan.storedBytes ?? 0) : .tooManyJobs(limit: plan.unfinishedJobs ?? 0)
    }

    // MARK: Entries

    private enum Answer { case added, unknown, tooManyJobs, tooManyBytes }

    /// Adds a job to a reading that is newer than `instant` or, near the limit, than `near`.
    private func add(
        _ bytes: Int, to user: UserID, within plan: Plan, newerThan instant: ContinuousClock.Instant,
        or near: ContinuousClock.Instant
    ) -> Answer {
        entries.withLock { entries in
            guard var entry = entries[user], !entry.isReading, let readAt = entry.readAt else { return .unknown }
            let isNear = plan.unfinishedJobs.map { entry.usage.unfinishedJobs >= $0 / 2 } ?? false
            guard readAt >= (isNear ? near : instant) else { return .unknown }
            if let limit = plan.unfinishedJobs, entry.usage.unfinishedJobs >= limit { return .tooManyJobs }
            if let limit = plan.storedBytes, entry.usage.storedBytes + bytes > limit { return .tooManyBytes }
            entry.usage.unfinishedJobs += 1
            entry.usage.storedBytes += bytes
            entry.underWay += 1
            entries[user] = entry
            return .added
        }
    }

    /// Adds a job to a reading that began after an instant. One request at a time reads the usage of a user.
    private func addAfterReading(
        _ bytes: Int, to user: UserID, within plan: Plan, newerThan instant: ContinuousClock.Instant
    ) async throws(StoreError) -> Answer {
        while true {
            let answer = add(bytes, to: user, within: plan, newerThan: instant, or: instant)
            if answer != .unknown { return answer }
            let isReader = entries.withLock { entries in
                defer { entries[user, default: Entry()].isReading = true }
                return entries[user]?.isReading != true
            }
            if isReader { try await readUsage(of: user) } else { try await waitForReading(of: user) }
        }
    }

    private func readUsage(of user: UserID) async throws(StoreError) {
        await withCheckedContinuation { continuation in
            let isIdle = entries.withLock { entries in
                if entries[user, default: Entry()].underWay == 0 { return true }
                entries[user]?.lastSubmitEnded = continuation
                return false
            }
            if isIdle { continuation.resume() }
        }
        let start = ContinuousClock.now
        do throws(StoreError) {
            let usage = try await records.usage(of: user)
            endReading(of: user, usage, at: start, nil)
        } catch {
            endReading(of: user, nil, at: start, error)
            throw error
        }
    }

    private func endReading(
        of user: UserID, _ usage: UserUsage?, at instant: ContinuousClock.Instant, _ error: StoreError?
    ) {
        let readers = entries.withLock { entries in
            var entry = entries[user] ?? Entry()
            defer { entries[user] = entry }
            if let usage {
                (entry.usage, entry.readAt) = (usage, instant)
                if entries.count >= Self.capacity {
                    entries = entries.filter { $0.value.underWay > 0 || $0.value.isReading }
                }
            }
            entry.isReading = false
            defer { entry.readers = [] }
            return entry.readers
        }
        for reader in readers { reader.resume(returning: error) }
    }

    private func waitForReading(of user: UserID) async throws(StoreError) {
        let error = await withCheckedContinuation { continuation in
            let isReading = entries.withLock { entries in
                guard entries[user]?.isReading == true else { return false }
                entries[user]?.readers.append(continuation)
                return true
            }
            if !isReading { continuation.resume(returning: nil) }
        }
        if let error { throw error }
    }

    private func end(of user: UserID, _ bytes: Int, isKept: Bool) {
        let waiter = entries.withLock { entries -> CheckedContinuation<Void, Never>? in
            guard var entry = entries[user] else { return nil }
            entry.underWay -= 1
            if !isKept {
                entry.usage.unfinishedJobs -= 1
                entry.usage.storedBytes -= bytes
            }
            let waiter = entry.underWay == 0 ? entry.lastSubmitEnded : nil
            if waiter != nil { entry.lastSubmitEnded = nil }
            entries[user] = entry
            return waiter
        }
        waiter?.resume()
    }
}

extension APIError {
    fileprivate static func tooManyJobs(limit: Int) -> APIError {
        var error = APIError(
            429, .limitReached, "The user has \(limit) unfinished jobs, which is the limit.",
            user: "You have a lot of requests under way. Please wait until some are done.", action: "wait",
            details: ["what": "unfinished_jobs", "limit": JSON(limit)], retryAfter: 15)
        error.setting = "plans.yaml: unfinished_jobs"
        return error
    }

    static func storageFull(limit: Int) -> APIError {
        var error = APIError(
            403, .storageFull,
            "The user's inputs, results, conversations and recall cards would exceed \(limit) bytes, which is the limit.",
            user: "Your storage is full. Older results are deleted after some time.",
            details: ["what": "stored_bytes", "limit": JSON(limit)])
        error.setting = "plans.yaml: stored_mebibytes"
        return error
    }
}
