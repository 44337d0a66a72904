internal import HTTPServer
package import JSON

/// `/api/v1/auth/token` and `/api/v1/auth/refresh`, where tokens say who the user is.
struct TokenRoutes: Sendable {
    let authentication: Authentication

    func exchange(_ request: ServerRequest) throws(APIError) -> Reply {
        let tokens = try authority()
        return try Reply(tokens.exchange(supabaseToken: token("supabase_token", of: request)).json)
    }

    func refresh(_ request: ServerRequest) throws(APIError) -> Reply {
        let tokens = try authority()
        return try Reply(tokens.refresh(token("refresh_token", of: request)).json)
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
    /// The answer that apps expect.
    package var json: JSON {
        [
            "access_token": JSON(accessToken), "refresh_token": JSON(refreshToken), "expires_in": JSON(expiresIn),
            "token_type": "Bearer",
        ]
    }
}
