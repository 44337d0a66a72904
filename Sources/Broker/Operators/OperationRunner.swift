internal import Basics
internal import DossierAPI
internal import JSON
internal import JobQueue
internal import Observability

/// Works through the operations of all brokers, one operation at a time.
///
/// A job is changed together with an entry of the audit whose id is made from the operation and the job. So whoever goes
/// on after the death of another knows which jobs that one had changed, and changes none twice.
struct OperationRunner: Sendable {
    let store: any JobStore
    let records: any OperationRepository
    let logger: Logger
    /// The name of this runner among those that work on operations.
    private let name: String

    init(store: any JobStore, records: any OperationRepository, logger: Logger) {
        (self.store, self.records, self.logger) = (store, records, logger)
        var generator = SystemRandomNumberGenerator()
        name = String(generator.next(), radix: 16)
    }

    /// The time between two looks for operations.
    private static let interval: Duration = .seconds(1)
    /// The time after which another process goes on.
    private static let lease: Duration = .seconds(10)
    private static let jobsAtOnce = 50

    /// Works until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil {
            do throws(StoreError) {
                while !Task.isCancelled, try await workOnce() {}
            } catch {
                logger.warning("cannot go on with an operation on jobs", ["error": .string("\(error)")])
            }
        }
    }

    /// Changes some jobs, and returns whether there were any.
    func workOnce() async throws(StoreError) -> Bool {
        guard
            let (operation, jobs) = try await records.takeOperation(
                for: name, lease: Self.lease, limit: Self.jobsAtOnce), !jobs.isEmpty
        else { return false }
        let entries = jobs.map { operation.auditEntry(of: $0.job) }
        let ids = entries.map(\.id)
        let known = try await records.auditIDs(among: ids)
        var results: [OperationResult] = []
        var failure: StoreError?
        // Together, so that they share their transactions.
        await withTaskGroup(of: Result<OperationResult, StoreError>.self) { group in
            for (job, entry) in zip(jobs, entries) where !known.contains(entry.id) {
                group.addTask { await change(job, of: operation, entry) }
            }
            for await result in group {
                switch result {
                case .success(let result): results.append(result)
                case .failure(let error): failure = error
                }
            }
        }
        // The entry says what was changed, by this process or by another one before.
        let changed = try await records.auditIDs(among: ids)
        for (job, entry) in zip(jobs, entries) where changed.contains(entry.id) {
            results.removeAll { $0.place == job.place }
            results.append(OperationResult(place: job.place, job: job.job, outcome: .changed))
        }
        try await records.record(results, of: operation.id, by: name)
        if let failure { throw failure }
        return true
    }

    private func change(
        _ job: OperationResult, of operation: BulkOperation, _ entry: AuditEntry
    ) async -> Result<OperationResult, StoreError> {
        var result = job
        do throws(StoreError) {
            result.outcome = .skipped
            switch operation.action {
            case .cancel:
                let found = try await store.cancel(job.job, of: nil, by: .operator, audit: entry)
                result.code = found == nil ? ErrorCode.notFound.rawValue : ErrorCode.conflict.rawValue
            case .retry:
                switch try await store.retry(job.job, of: nil, audit: entry) {
                case .insufficientCredits: result.code = ErrorCode.insufficientCredits.rawValue
                case nil: result.code = ErrorCode.notFound.rawValue
                case .accepted, .existing, .conflict: result.code = ErrorCode.conflict.rawValue
                }
            }
            return .success(result)
        } catch {
            switch error {
            case .invalidText, .overLimit, .invalidValue:
                result.outcome = .failed
                result.code = ErrorCode.internal.rawValue
                return .success(result)
            case .leaseLost, .workerUnknown, .unavailable, .full, .damaged, .unexpected: return .failure(error)
            }
        }
    }
}

extension BulkOperation {
    /// The entry about the change of a job, the same each time.
    func auditEntry(of job: JobID) -> AuditEntry {
        let digest = SHA256.digest(Array("\(id)/\(job)".utf8))
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return AuditEntry(
            id: JobID(high: number(digest[0..<8]), low: number(digest[8..<16])), at: startedAt, actor: actor,
            action: action == .cancel ? "jobs.cancel" : "jobs.retry", target: job.description, user: nil,
            details: ["operation": JSON(id), "note": JSON(note)], requestID: requestID)
    }
}
