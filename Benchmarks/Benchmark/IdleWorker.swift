internal import JobQueue

/// An idle worker, which waits for the next submit of its process where the store allows that, and claims at a signal.
struct IdleWorker: Sendable {
    private let id: WorkerID
    private let store: any JobStore
    private let signals: AsyncStream<Void>
    private let pending: Task<Claim?, any Error>

    private static let capacity: [QueueName: Int] = [.background: 1]

    init(_ id: WorkerID, on store: any JobStore) {
        self.id = id
        self.store = store
        signals = store.changes(.ready)
        pending = Task {
            guard let store = store as? any PiggybackedClaims else { return nil }
            return try await store.claimWithNextSubmit(for: id, upTo: Self.capacity)
        }
    }

    /// Waits for the next jobs.
    func jobs() async throws -> [ClaimedJob] {
        try await withThrowingTaskGroup(of: [ClaimedJob].self) { group in
            group.addTask { try await pending.value?.jobs ?? [] }
            group.addTask {
                for await _ in signals {
                    let jobs = try await store.claim(for: id, upTo: Self.capacity).jobs
                    if !jobs.isEmpty { return jobs }
                }
                return []
            }
            while let jobs = try await group.next() {
                guard !jobs.isEmpty else { continue }
                pending.cancel()
                group.cancelAll()
                return jobs
            }
            return []
        }
    }
}
