package import JobQueue
internal import Synchronization

/// Documents in memory.
package final class MemoryDocuments: DocumentRepository {
    private let documents = Mutex<[String: CachedDocument]>([:])

    package init() {}

    package func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument] {
        documents.withLock { documents in keys.compactMap { documents[$0] } }
    }

    package func store(_ document: CachedDocument) async throws(StoreError) {
        documents.withLock { documents in
            if let known = documents[document.key], known.storedAt > document.storedAt { return }
            documents[document.key] = document
        }
    }

    package func deleteDocuments(keptUntilBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int { 0 }
}

/// Budgets in memory, at a clock of the test's.
package final class MemoryBudgets: BudgetStore {
    private let budgets = Mutex<[String: SharedBudget]>([:])
    private let now: @Sendable () -> Timestamp

    package init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    package func exchange(_ requests: [BudgetRequest]) async throws(StoreError) -> [BudgetReply] {
        budgets.withLock { budgets in
            requests.map { request in
                var budget = budgets[request.budget] ?? SharedBudget()
                let reply = budget.apply(request, at: now())
                budgets[request.budget] = budget
                return reply
            }
        }
    }
}
