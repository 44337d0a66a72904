internal import HTTPServer
package import JobQueue
package import JSON

/// `/api/v1/admin/workers`.
struct WorkerAdminRoutes: Sendable {
    let store: any WorkerAdministration

    func list(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let place = try context.numberCursor() ?? .max
        let store = store
        let found = try await reading { () async throws(StoreError) in
            try await store.workers(below: place, limit: size + 1, id: nil, at: context.now)
        }
        return .page(of: found, size: size, number: \.place, \.worker.json)
    }

    func drain(_ context: AdminContext) async throws(APIError) -> APIResponse {
        try await set(true, "workers.drain", context)
    }

    func resume(_ context: AdminContext) async throws(APIError) -> APIResponse {
        try await set(false, "workers.resume", context)
    }

    private func set(
        _ isDraining: Bool, _ action: String, _ context: AdminContext
    ) async throws(APIError) -> APIResponse {
        let details = try context.noteDetails()
        let id = WorkerID(rawValue: context.request.parameters["id"] ?? "")
        let found: [(place: Int64, worker: WorkerRecord)]
        do throws(StoreError) {
            guard try await !store.workers(below: .max, limit: 1, id: id, at: context.now).isEmpty else {
                throw .workerUnknown
            }
            try await store.setDraining(
                isDraining, of: id, audit: context.audit(action, target: id.rawValue, details: details))
            found = try await store.workers(below: .max, limit: 1, id: id, at: context.now)
        } catch {
            throw error == .workerUnknown ? .notFound("The worker") : APIError(error)
        }
        guard let worker = found.first?.worker else { throw .notFound("The worker") }
        return APIResponse(worker.json)
    }
}

extension WorkerRecord {
    /// The worker as answers and commands show it.
    package var json: JSON {
        [
            "id": JSON(id.rawValue), "host": JSON(host), "process_id": JSON(Int64(processID)),
            "version": version.isEmpty ? .null : JSON(version), "started_at": JSON(startedAt.iso8601),
            "last_beat_at": JSON(lastBeatAt.iso8601), "alive": JSON(isAlive), "draining": JSON(isDraining),
            "places": JSON(places), "busy": JSON(busy), "kinds": JSON(kinds), "providers": JSON(providers),
            "jobs": JSON(jobs.map(\.description)),
        ]
    }
}
