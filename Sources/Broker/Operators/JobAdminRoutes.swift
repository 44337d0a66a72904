internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/api/v1/admin/overview` and `/api/v1/admin/jobs`.
struct JobAdminRoutes: Sendable {
    let store: any JobStore
    let accounts: any AccountRepository
    let audit: any AuditRepository
    let view: OperatorView
    let plans: CurrentPlans

    func overview(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let view = view
        let cap = plans.value.service.spendPerDay
        return APIResponse(
            try await reading { () async throws(StoreError) in
                try await view.overview(cap: cap == .max ? nil : cap)
            })
    }

    func list(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let place = try context.numberCursor() ?? .max
        guard let filter = try await filter(context) else {
            return APIResponse([], pagination: Cursor.pagination(size: size, next: nil))
        }
        let view = view
        let page = try await reading { () async throws(StoreError) in
            try await view.jobs(filter, below: place, limit: size)
        }
        var pagination = Cursor.pagination(size: size, next: page.next.map(String.init)).object ?? [:]
        if let time = page.searchedTo { pagination["searched_to"] = JSON(time.iso8601) }
        return APIResponse(.array(page.rows), pagination: .object(pagination))
    }

    func one(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let id = try context.jobID()
        let withContent: Bool
        switch context.query("content") {
        case nil, "false": withContent = false
        case "true": withContent = true
        default: throw .invalid("content", "must be true or false")
        }
        if withContent {
            let entry = context.audit("jobs.read_content", target: id.description)
            let audit = audit
            try await reading { () async throws(StoreError) in try await audit.writeAudit(entry) }
        }
        let view = view
        let found = try await reading { () async throws(StoreError) in
            try await view.job(id, withContent: withContent)
        }
        guard let found else { throw .notFound(id) }
        return APIResponse(found)
    }

    func cancel(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let store = store
        return try await change(context, "jobs.cancel") { id, audit async throws(StoreError) in
            _ = try await store.cancel(id, of: nil, by: .operator, audit: audit)
        }
    }

    func retry(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let (store, id) = (store, try context.jobID())
        var submission: Submission?
        let answer = try await change(context, "jobs.retry") { id, audit async throws(StoreError) in
            submission = try await store.retry(id, of: nil, audit: audit)
        }
        if case .insufficientCredits(let balance, let required) = submission {
            throw .insufficientCredits(balance, required: required, job: id)
        }
        return answer
    }

    /// Makes the change, which stores its entry of the audit; a job that cannot be changed is answered as it is.
    private func change(
        _ context: AdminContext, _ action: String, _ body: (JobID, AuditEntry) async throws(StoreError) -> Void
    ) async throws(APIError) -> APIResponse {
        let id = try context.jobID()
        let details = try context.noteDetails()
        let view = view
        let entry = context.audit(action, target: id.description, details: details)
        let row = try await reading { () async throws(StoreError) -> JSON? in
            guard try await view.row(id) != nil else { return nil }
            try await body(id, entry)
            return try await view.row(id)
        }
        guard let row else { throw .notFound(id) }
        return APIResponse(row)
    }

    // MARK: Queries

    /// The filter of the query; `nil` when it names a user whom nobody knows.
    private func filter(_ context: AdminContext) async throws(APIError) -> JobFilter? {
        var filter: JobFilter
        do {
            filter = try JobFilter { context.query($0) }
        } catch {
            throw .invalid(error.field, error.problem)
        }
        guard let subject = context.query("user") else { return filter }
        let accounts = accounts
        let account = try await reading { () async throws(StoreError) in
            try await accounts.knownAccount(of: subject)
        }
        guard let account else { return nil }
        filter.user = account.id
        return filter
    }
}

/// Runs a reading of the store, and tells its error as the API does.
func reading<Value: Sendable>(_ read: () async throws(StoreError) -> Value) async throws(APIError) -> Value {
    do {
        return try await read()
    } catch {
        throw APIError(error)
    }
}
