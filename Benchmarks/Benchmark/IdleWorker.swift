internal import JobQueue

/// A worker that has nothing to do: it stands by for what its process submits, and claims at a signal.
struct IdleWorker: Sendable {
    private let id: WorkerID
    private let store: any JobStore
    private let signals: AsyncStream<Void>
    private let standing: Task<Claim?, any Error>

    private static let slots: [QueueName: Int] = [.background: 1]

    init(_ id: WorkerID, on store: any JobStore) {
        self.id = id
        self.store = store
        signals = store.changes(.ready)
        standing = Task { try await store.claimWithNextSubmit(for: id, upTo: Self.slots) }
    }

    /// The jobs that it gets next.
    func jobs() async throws -> [ClaimedJob] {
        try await withThrowingTaskGroup(of: [ClaimedJob].self) { group in
            group.addTask { try await standing.value?.jobs ?? [] }
            group.addTask {
                for await _ in signals {
                    let jobs = try await store.claim(for: id, upTo: Self.slots).jobs
                    if !jobs.isEmpty { return jobs }
                }
                return []
            }
            while let jobs = try await group.next() {
                guard !jobs.isEmpty else { continue }
                standing.cancel()
                group.cancelAll()
                return jobs
            }
            return []
        }
    }
}
