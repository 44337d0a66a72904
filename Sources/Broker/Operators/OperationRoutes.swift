internal import Basics
internal import DossierAPI
internal import HTTPServer
internal import JSON
internal import JobQueue

/// `/api/v1/admin/operations`: cancels or retries all jobs that match a filter, or chosen ones.
struct OperationAdminRoutes: Sendable {
    let records: any OperationRepository & AccountRepository
    let view: OperatorView

    /// The ids that a preview shows.
    private static let samples = 10
    private static let page = 500

    func start(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let request = try await request(context)
        if request.isPreview {
            let jobs = try await jobs(of: request)
            return APIResponse([
                "matched": JSON(jobs.count),
                "sample": .array(jobs.prefix(Self.samples).map { JSON($0.description) }),
            ])
        }
        let records = records
        let operation = request.operation
        let prepared = try await reading { () async throws(StoreError) in try await records.prepare(operation) }
        guard prepared.fingerprint == operation.fingerprint else { throw .conflict("key_reused") }
        if prepared.status != .collecting {
            return Self.started(prepared, headers: [("Idempotent-Replayed", "true")])
        }
        let jobs = try await jobs(of: request)
        let audit = context.audit(
            "operations.start", target: operation.id, user: operation.user,
            details: [
                "action": JSON(operation.action.rawValue), "matched": JSON(jobs.count), "note": JSON(operation.note),
            ])
        let begun = try await reading { () async throws(StoreError) -> BulkOperation? in
            for first in stride(from: 0, to: jobs.count, by: Self.page) {
                let part = Array(jobs[first..<min(first + Self.page, jobs.count)])
                try await records.add(part, to: operation.id, from: first + 1)
            }
            return try await records.start(operation.id, matched: jobs.count, audit: audit)
        }
        guard let begun else { throw .internal }
        return Self.started(begun)
    }

    func one(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let operation = try await operation(context)
        var filter = operation.filter.object ?? [:]
        if let user = operation.user {
            let records = records
            let account = try await reading { () async throws(StoreError) in try await records.account(id: user) }
            filter["user"] = JSON(account?.subject ?? "\(user.rawValue)")
        }
        return APIResponse(operation.json(filter))
    }

    func results(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let size = try context.pageSize()
        let place = try context.numberCursor() ?? 0
        let (records, operation) = (records, try await operation(context))
        let found = try await reading { () async throws(StoreError) in
            try await records.results(of: operation.id, after: place, limit: size + 1)
        }
        return .page(of: found, size: size, number: \.place, \.json)
    }

    private func operation(_ context: AdminContext) async throws(APIError) -> BulkOperation {
        let id = context.request.parameters["id"] ?? ""
        let records = records
        let found = try await reading { () async throws(StoreError) in try await records.operation(id) }
        guard let found, found.status != .collecting else { throw .notFound("The operation") }
        return found
    }

    private static func started(_ operation: BulkOperation, headers: [(String, String)] = []) -> APIResponse {
        let address = "\(ServerRequest.adminPrefix)/operations/\(operation.id)"
        return APIResponse(
            ["id": JSON(operation.id), "matched": JSON(operation.matched)], status: 202,
            headers: [("Location", address)] + headers)
    }

    /// The chosen jobs that there are, or those that match now, newest first; none for a user whom nobody knows.
    private func jobs(of request: Request) async throws(APIError) -> [JobID] {
        let view = view
        if let ids = request.ids {
            return try await reading { () async throws(StoreError) in try await view.ids(among: ids) }
        }
        guard let filter = request.filter else { return [] }
        var (jobs, place): ([JobID], Int64?) = ([], .max)
        while let below = place {
            let page = try await reading { () async throws(StoreError) in
                try await view.ids(filter, below: below, limit: Self.page)
            }
            jobs += page.ids
            guard jobs.count <= BulkOperation.mostJobs else { throw .tooManyMatch(BulkOperation.mostJobs) }
            place = page.next
        }
        return jobs
    }

    // MARK: Requests

    private struct Request {
        var operation: BulkOperation
        /// `nil` when it names a user whom nobody knows.
        var filter: JobFilter?
        /// The chosen jobs, instead of a filter.
        var ids: [JobID]?
        var isPreview: Bool
    }

    /// The largest number of chosen jobs.
    private static let mostIDs = 200

    private static let filterMembers = [
        "status", "kind", "q", "lane", "user", "code", "why", "bundle", "worker", "created_from", "created_to",
    ]

    private func request(_ context: AdminContext) async throws(APIError) -> Request {
        let body = try context.body()
        try body.allowOnly(["action", "filter", "ids", "note", "preview"])
        let idempotency = try context.idempotency(body)
        let (action, note, isPreview, members, ids): (BulkOperation.Action, String?, Bool, JSONObject, [JobID]?)
        do throws(JSONFieldError) {
            guard let word = BulkOperation.Action(rawValue: try body["action"].string()) else {
                throw body["action"].failure("must be cancel or retry")
            }
            action = word
            note = try body.note()
            isPreview = try body["preview"].optional?.bool() ?? false
            ids = try body["ids"].optional.map { list throws(JSONFieldError) in try Self.ids(list) }
            if ids == nil {
                guard let object = body["filter"].value?.object, !object.isEmpty else {
                    throw body["filter"].failure("must be an object with one member at least")
                }
                for name in object.keys where object[name]?.string == nil {
                    throw body["filter"][name].failure("must be a text")
                }
                members = object
            } else if body["filter"].optional != nil {
                throw body["filter"].failure("must be missing beside ids")
            } else {
                members = [:]
            }
        } catch {
            throw .invalid(error)
        }
        if ids == nil { try body["filter"].allowOnly(Self.filterMembers) }
        var filter: JobFilter?
        do throws(JobFilterError) {
            filter = try JobFilter { members[$0]?.string }
        } catch {
            throw .invalid("filter.\(error.field)", error.problem)
        }
        var user: UserID?
        if let subject = members["user"]?.string {
            let records = records
            let account = try await reading { () async throws(StoreError) in
                try await records.knownAccount(of: subject)
            }
            user = account?.id
            filter?.user = user
            if user == nil { filter = nil }
        }
        var stored = members
        stored["user"] = nil
        let operation = BulkOperation(
            id: context.id(of: "operation"), action: action, filter: .object(stored), user: user, note: note,
            actor: context.actor, requestID: context.requestID,
            fingerprint: idempotency?.fingerprint ?? SHA256.hex(body.value?.canonical ?? ""), startedAt: context.now)
        return Request(operation: operation, filter: filter, ids: ids, isPreview: isPreview)
    }

    /// Reads the list of chosen jobs, each once.
    private static func ids(_ field: JSONField) throws(JSONFieldError) -> [JobID] {
        let list = field.value?.array ?? []
        let ids = list.compactMap { $0.string.flatMap { JobID($0) } }
        guard (1...mostIDs).contains(list.count), ids.count == list.count else {
            throw field.failure("must be a list of 1 to \(mostIDs) ids of jobs")
        }
        var seen: Set<JobID> = []
        return ids.filter { seen.insert($0).inserted }
    }
}

extension BulkOperation {
    fileprivate func json(_ filter: JSONObject) -> JSON {
        [
            "id": JSON(id), "action": JSON(action.rawValue), "filter": .object(filter), "note": JSON(note),
            "by": JSON(actor.name), "status": JSON(status.rawValue), "matched": JSON(matched), "done": JSON(done),
            "changed": JSON(changed), "skipped": JSON(skipped), "failed": JSON(failed),
            "started_at": JSON(startedAt.iso8601), "completed_at": JSON(completedAt?.iso8601),
        ]
    }
}

extension OperationResult {
    fileprivate var json: JSON {
        ["job_id": JSON(job.description), "outcome": JSON(outcome?.rawValue), "code": JSON(code)]
    }
}
