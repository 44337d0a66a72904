internal import HTTPServer
internal import JobQueue
package import JSON

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

/// `/api/v1/auth/token` and `/api/v1/auth/refresh`, for services that authenticate users by tokens.
struct TokenRoutes: Sendable {
    let authentication: Authentication

    func exchange(_ request: ServerRequest) throws(APIError) -> APIResponse {
        let tokens = try authority()
        return try APIResponse(tokens.exchange(supabaseToken: token("supabase_token", of: request)).json)
    }

    func refresh(_ request: ServerRequest) throws(APIError) -> APIResponse {
        let tokens = try authority()
        return try APIResponse(tokens.refresh(token("refresh_token", of: request)).json)
    }

    private func authority() throws(APIError) -> SessionTokens {
        guard case .jwt(let tokens) = authentication else { throw .notFound("This address") }
        return tokens
    }

    private func token(_ name: String, of request: ServerRequest) throws(APIError) -> String {
        let body = try request.jsonBody()
        try body.allowOnly([name])
        do {
            return try body[name].string()
        } catch {
            throw .invalid(error)
        }
    }
}

extension SessionTokens.Pair {
    /// The response body with the fields of OAuth 2.0 (RFC 6749, 5.1).
    package var json: JSON {
        [
            "access_token": JSON(accessToken), "refresh_token": JSON(refreshToken), "expires_in": JSON(expiresIn),
            "token_type": "Bearer",
        ]
    }
}
