internal import Basics
internal import HTTPServer
internal import JobQueue
internal import JSON

/// `/api/v1/users/me/export`, and the same for operators: a job that makes an archive of a user's data, and the archive.
struct ExportRoutes: Sendable {
    typealias Records = ExportRepository & AccountRepository & AuditRepository & UsageRepository

    /// The time in which a repeated request is answered with the same job.
    private static let repeatWindow: Duration = .seconds(3600)
    /// The time for which a download takes one of its user's places of streams.
    private static let longestDownload: Duration = .seconds(900)

    let jobs: JobService
    let records: any Records
    let held: HeldRequests
    let now: @Sendable () -> Timestamp

    // MARK: Users

    func start(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let idempotency = try context.idempotency(JSONField([:]))
        return try await start(for: context, idempotency)
    }

    func download(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let export = try await newest(of: context.user)
        let place = try held.take(.streams, for: context.user, lasting: Self.longestDownload)
        return .download(ArchiveChunks(export: export, records: records, place: place), name: export.fileName)
    }

    // MARK: Operators

    func startForUser(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let account = try await account(context)
        try await audit("start", of: account, context)
        // The job is the user's own, as if the user had asked for it.
        let owner = RequestContext(
            request: context.request, user: account.id, subject: account.subject, isOperator: false, session: nil,
            requestID: context.requestID)
        return try await start(for: owner, nil)
    }

    func downloadOfUser(_ context: AdminContext) async throws(APIError) -> APIResponse {
        let account = try await account(context)
        let export = try await newest(of: account.id)
        try await audit("download", of: account, context)
        return .download(ArchiveChunks(export: export, records: records, place: nil), name: export.fileName)
    }

    private func audit(_ step: String, of account: Account, _ context: AdminContext) async throws(APIError) {
        do {
            try await records.writeAudit(
                context.audit(
                    "users.export", target: account.subject, user: account.id, details: ["step": JSON(step)]))
        } catch {
            throw APIError(error)
        }
    }

    private func account(_ context: AdminContext) async throws(APIError) -> Account {
        let user = try context.pathUser()
        let account: Account?
        do {
            account = try await records.account(id: user)
        } catch {
            throw APIError(error)
        }
        guard let account, user != .system else { throw .notFound("The user") }
        return account
    }

    // MARK: The job and its archive

    private func start(
        for context: RequestContext, _ idempotency: Idempotency?
    ) async throws(APIError) -> APIResponse {
        if let job = try await latest(of: context.user), job.status != .failed, job.status != .cancelled,
            job.createdAt > now() - Self.repeatWindow, try await !isKnown(idempotency, of: context.user)
        {
            return accepted(job, [])
        }
        var options = Submitter.Options()
        options.isAdmitted = true
        options.uniqueKey = UserArchive.kind
        options.idempotency = idempotency
        let submitted = try await jobs.submit(
            kind: UserArchive.kind, input: [:], options: options, context: context)
        return accepted(submitted.job, submitted.headers)
    }

    private func accepted(_ job: Job, _ headers: [(String, String)]) -> APIResponse {
        var headers = [("Location", "/api/v1/jobs/\(job.id)"), ("ETag", job.etag)] + headers
        if let seconds = job.pollAfter { headers.append(("Retry-After", String(seconds))) }
        return APIResponse(job.json, status: 202, headers: headers)
    }

    private func isKnown(_ idempotency: Idempotency?, of user: UserID) async throws(APIError) -> Bool {
        guard let idempotency else { return false }
        do {
            return try await records.job(ofIdempotencyKey: idempotency.key, user: user) != nil
        } catch {
            throw APIError(error)
        }
    }

    private func latest(of user: UserID) async throws(APIError) -> Job? {
        try await jobs.jobs(JobListQuery(user: user, kind: UserArchive.kind, perPage: 1)).jobs.first
    }

    /// - Throws: `409` while the first archive is made, `404` when there is none.
    private func newest(of user: UserID) async throws(APIError) -> UserExport {
        let export: UserExport?
        do {
            export = try await records.newestExport(of: user)
        } catch {
            throw APIError(error)
        }
        if let export, export.madeAt > now() - UserExport.lifetime { return export }
        guard let job = try await latest(of: user), !job.status.isFinished else { throw .notFound("The archive") }
        var error = APIError.conflict("no_result_yet")
        error.details?["job_id"] = JSON(job.id.description)
        throw error
    }
}

extension UserExport {
    /// `dossier-export-20261127T093000Z.jsonl`
    fileprivate var fileName: String {
        let time = madeAt.iso8601.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" && $0 != "Z" }
        return "dossier-export-\(time)Z.jsonl"
    }
}

/// The parts of an archive, each of which is read when the one before is being sent.
private struct ArchiveChunks: AsyncSequence, Sendable {
    let export: UserExport
    let records: any ExportRepository
    /// Is given back with the last reference to the chunks.
    let place: HeldRequests.Place?

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let chunks: ArchiveChunks
        private var number = 0

        fileprivate init(_ chunks: ArchiveChunks) { self.chunks = chunks }

        mutating func next() async throws -> [UInt8]? {
            guard number < chunks.export.parts else { return nil }
            guard let text = try await chunks.records.exportPart(number, of: chunks.export) else {
                // It has been deleted meanwhile.
                throw APIError.notFound("The archive")
            }
            number += 1
            return Array(text.utf8)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(self) }
}
