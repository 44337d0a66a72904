internal import JSON
internal import JobQueue

/// `/api/v1/users/me` and `/api/v1/credits`.
struct AccountRoutes: Sendable {
    let store: any JobStore
    let accounts: any AccountRepository
    let startingCredits: Int

    func credits(_ call: Call) async throws(APIError) -> Reply { Reply(try await balance(of: call).json) }

    func me(_ call: Call) async throws(APIError) -> Reply {
        let balance = try await balance(of: call)
        let account: Account?
        do {
            account = try await accounts.account(id: call.user.rawValue)
        } catch {
            throw APIError(error)
        }
        guard let account else { throw .notFound("The user") }
        return Reply([
            "id": JSON(account.id), "subject": JSON(account.subject),
            "created_at": JSON(Timestamp(milliseconds: account.createdAt).iso8601), "credits": balance.json,
        ])
    }

    private func balance(of call: Call) async throws(APIError) -> CreditBalance {
        do {
            return try await store.balance(of: call.user, startingCredits: startingCredits)
        } catch {
            throw APIError(error)
        }
    }
}
