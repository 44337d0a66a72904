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

    private func deleteOld(at now: Timestamp) async {
        await FleetWatch(store: store, logger: logger).closeCalls()
        let retention = configuration.retention
        let pause: Duration = .milliseconds(50)
        await repeatUntilDone("cannot archive finished jobs", pause: pause) { () async throws(StoreError) in
            try await store.archiveFinished(before: now - Retention.archivePause, limit: 500)
        }
        await repeatUntilDone("cannot delete old journals", pause: pause) { () async throws(StoreError) in
            try await store.deleteJournals(before: now - retention.journals, limit: 1000)
        }
        await repeatUntilDone("cannot delete old jobs", pause: pause) { () async throws(StoreError) in
            let deleted = try await store.deleteFinished(before: now - retention.jobs, limit: 200)
            if deleted > 0 { logger.info("deleted old jobs", ["count": .integer(Int64(deleted))]) }
            return deleted
        }
        await repeatUntilDone("cannot delete old explanations", pause: pause) { () async throws(StoreError) in
            let deleted = try await store.deleteExplanations(createdBefore: now - retention.jobs, limit: 200)
            if deleted > 0 { logger.info("deleted old explanations", ["count": .integer(Int64(deleted))]) }
            return deleted
        }
        await repeatUntilDone("cannot delete old deliveries of webhooks", pause: pause) { () async throws(StoreError) in
            try await store.deleteWebhookDeliveries(before: now - retention.deliveries, limit: 500)
        }
        await repeatUntilDone("cannot delete old conversations", pause: pause) { () async throws(StoreError) in
            try await store.deleteConversations(before: now - retention.conversations, limit: 200)
        }
        await repeatUntilDone("cannot delete old archives of users", pause: pause) { () async throws(StoreError) in
            try await store.deleteExports(madeBefore: now - UserExport.lifetime, limit: 20)
        }
        await repeatUntilDone("cannot delete old entries of the audit", pause: pause) { () async throws(StoreError) in
            try await store.deleteAudit(before: now - retention.audit, limit: 500)
        }
        await repeatUntilDone("cannot delete old operations", pause: pause) { () async throws(StoreError) in
            try await store.deleteOperations(before: now - retention.jobs, limit: 5)
        }
        await repeatUntilDone("cannot delete old batches", pause: pause) { () async throws(StoreError) in
            try await store.forgetBatches(before: now - retention.journals, limit: 500)
        }
        await repeatUntilDone("cannot delete old model calls", pause: pause) { () async throws(StoreError) in
            let deleted = try await store.deleteModelCalls(before: now - retention.modelCalls, limit: 500)
            if deleted > 0 { logger.info("deleted old model calls", ["count": .integer(Int64(deleted))]) }
            return deleted
        }
    }
}
