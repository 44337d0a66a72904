internal import JobQueue
internal import Observability

/// Keeping finished jobs small, and deleting them in the end.
extension Worker {
    /// Archives and deletes what is old, a few rows at a time.
    func deleteOldForever() async {
        while (try? await Task.sleep(for: configuration.retentionInterval)) != nil {
            let now = await attempt("cannot read the store's clock") { () async throws(StoreError) in
                try await store.now()
            }
            if let now { await deleteOld(at: now) }
        }
    }

    /// Every pass in turn takes a few rows until it finds none, so that no pass waits for the end of a longer one.
    private func deleteOld(at now: Timestamp) async {
        await FleetWatch(store: store, logger: logger).closeCalls()
        var passes = RetentionPass.all(retention: configuration.retention, at: now)
        while !passes.isEmpty {
            var unfinished: [RetentionPass] = []
            for pass in passes {
                let count = await attempt(pass.problem) { () async throws(StoreError) in try await pass.next(store) }
                guard let count, count > 0 else { continue }
                if let report = pass.report { logger.info(report, ["count": .integer(Int64(count))]) }
                guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return }
                unfinished.append(pass)
            }
            passes = unfinished
        }
    }
}

/// What retention does with one kind of old rows.
private struct RetentionPass {
    /// What the log says when the store fails.
    let problem: StaticString
    /// What the log says of rows that are gone.
    var report: StaticString?
    /// Archives or deletes the next few rows, and gives their number.
    let next: @Sendable (any WorkerStore) async throws(StoreError) -> Int

    static func all(retention: Retention, at now: Timestamp) -> [Self] {
        [
            Self(problem: "cannot delete old jobs", report: "deleted old jobs") { store async throws(StoreError) in
                try await store.deleteFinished(before: now - retention.jobs, limit: 200)
            },
            Self(problem: "cannot archive finished jobs") { store async throws(StoreError) in
                try await store.archiveFinished(before: now - Retention.archivePause, limit: 500)
            },
            Self(problem: "cannot delete old journals") { store async throws(StoreError) in
                try await store.deleteJournals(before: now - retention.journals, limit: 1000)
            },
            Self(problem: "cannot delete old explanations", report: "deleted old explanations") {
                store async throws(StoreError) in
                try await store.deleteExplanations(createdBefore: now - retention.jobs, limit: 200)
            },
            Self(problem: "cannot delete old deliveries of webhooks") { store async throws(StoreError) in
                try await store.deleteWebhookDeliveries(before: now - retention.deliveries, limit: 500)
            },
            Self(problem: "cannot delete old conversations") { store async throws(StoreError) in
                try await store.deleteConversations(before: now - retention.conversations, limit: 200)
            },
            Self(problem: "cannot delete old archives of users") { store async throws(StoreError) in
                try await store.deleteExports(madeBefore: now - UserExport.lifetime, limit: 20)
            },
            Self(problem: "cannot delete old entries of the audit") { store async throws(StoreError) in
                try await store.deleteAudit(before: now - retention.audit, limit: 500)
            },
            Self(problem: "cannot delete old operations") { store async throws(StoreError) in
                try await store.deleteOperations(before: now - retention.jobs, limit: 5)
            },
            Self(problem: "cannot delete old batches") { store async throws(StoreError) in
                try await store.forgetBatches(before: now - retention.journals, limit: 500)
            },
            Self(problem: "cannot delete old model calls", report: "deleted old model calls") {
                store async throws(StoreError) in
                try await store.deleteModelCalls(before: now - retention.modelCalls, limit: 500)
            },
        ]
    }
}
