internal import HTTPServer
internal import JobQueue
internal import JSON

/// `/api/v1/users/me` and `/api/v1/credits`.
struct AccountRoutes: Sendable {
    let store: any JobStore
    let accounts: any AccountRepository
    let plans: CurrentPlans

    func credits(_ context: RequestContext) async throws(APIError) -> APIResponse {
        APIResponse(try await balance(of: context).json)
    }

    func me(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let balance = try await balance(of: context)
        let account: Account?
        do {
            account = try await accounts.account(id: context.user)
        } catch {
            throw APIError(error)
        }
        guard let account else { throw .notFound("The user") }
        return APIResponse([
            "id": JSON(account.id.rawValue), "subject": JSON(account.subject),
            "created_at": JSON(account.createdAt.iso8601), "credits": balance.json,
        ])
    }

    private func balance(of context: RequestContext) async throws(APIError) -> CreditBalance {
        do {
            return try await store.balance(
                of: context.user, startingCredits: plans.value.standard.startingCredits)
        } catch {
            throw APIError(error)
        }
    }
}
