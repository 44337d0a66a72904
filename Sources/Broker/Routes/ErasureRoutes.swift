internal import DossierAPI
internal import HTTPServer
internal import JSON
internal import JobQueue
internal import Observability

/// `DELETE /users/me`, its twin for operators, and `GET /deletions/{id}`.
struct ErasureRoutes: Sendable {
    let records: any ErasureRepository
    let eraser: UserEraser
    let access: AccessList
    let accounts: any AccountRepository
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func own(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard try Self.isConfirmed(context) == true else { throw Self.unconfirmed }
        return try await erase(context.user, subject: context.subject, audit: nil)
    }

    func user(_ context: AdminContext) async throws(APIError) -> APIResponse {
        guard try Self.isConfirmed(context) != false else { throw Self.unconfirmed }
        let user = try context.pathUser()
        let account: Account?
        do {
            account = try await accounts.account(id: user)
        } catch {
            throw APIError(error)
        }
        guard let account, user != .system else { throw .notFound("The user") }
        return try await erase(
            user, subject: account.subject, audit: context.audit("users.erase", target: account.subject, user: user))
    }

    func status(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        guard let id = request.parameters["id"], Erasure.isID(id) else { throw .notFound("The deletion") }
        let erasure: Erasure?
        do {
            erasure = try await records.erasure(id)
        } catch {
            throw APIError(error)
        }
        guard let erasure else { throw .notFound("The deletion") }
        return APIResponse([
            "status": erasure.completedAt == nil ? "running" : "completed",
            "completed_at": erasure.completedAt.map { JSON($0.iso8601) } ?? .null,
        ])
    }

    private func erase(_ user: UserID, subject: String, audit: AuditEntry?) async throws(APIError) -> APIResponse {
        let erasure: Erasure?
        do {
            erasure = try await eraser.start(user, subject: subject, audit: audit)
            if let erasure { try await access.add(erasure, at: now()) }
        } catch {
            throw APIError(error)
        }
        guard let erasure else { throw .notFound("The user") }
        return APIResponse(
            ["deletion_id": JSON(erasure.id), "complete_by": JSON(erasure.completeBy.iso8601)], status: 202)
    }

    private static let unconfirmed = APIError.invalid("confirm", "must be true: nothing brings an erased user back")

    private static func isConfirmed(_ request: some RequestReading) throws(APIError) -> Bool? {
        switch request.query("confirm") {
        case nil: nil
        case "true": true
        case "false": false
        default: throw .invalid("confirm", "must be true or false")
        }
    }

    // MARK: In the background

    /// The time between two looks for erasures.
    private static let interval: Duration = .seconds(1)
    /// The rounds between two looks for subjects that are to be forgotten.
    private static let forgetting = 600

    /// Goes on with the erasures of all brokers until the task is cancelled.
    func run() async {
        var round = 0
        while (try? await Task.sleep(for: Self.interval)) != nil {
            do throws(StoreError) {
                for erasure in try await records.runningErasures(limit: 100) where try await eraser.proceed(erasure) {
                    logger.info("erased a user", ["number": .integer(erasure.number.rawValue)])
                }
                if round.isMultiple(of: Self.forgetting) {
                    try await records.forgetErasedSubjects(before: now() - Erasure.memory)
                }
                round += 1
            } catch {
                logger.warning("cannot go on with the erasure of users", ["error": .string("\(error)")])
            }
        }
    }
}
