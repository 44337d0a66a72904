internal import Basics
internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import JSON

/// `/api/v1/auth`, for services that authenticate users by tokens.
struct SessionRoutes: Sendable {
    private static let longestDevice = 100

    let service: SessionService
    let authentication: Authentication

    func signIn(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        let body = try request.jsonBody(isSanitized: false)
        try body.allowOnly(["supabase_token", "token", "device"])
        let token = try text("token", of: body)
        let supabaseToken = try text("supabase_token", of: body)
        guard token == nil || supabaseToken == nil else {
            throw .invalid("token", "must not come beside supabase_token")
        }
        // Both are the same thing; the first is the name for any issuer.
        guard let token = token ?? supabaseToken else { throw .invalid("token", "is missing") }
        let device = try text("device", of: body)
        if let device, !(1...Self.longestDevice).contains(device.unicodeScalars.count) {
            throw .invalid("device", "must have 1 to \(Self.longestDevice) characters")
        }
        return APIResponse(try await service.signIn(token, device: device?.sanitized).json)
    }

    func refresh(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        let body = try request.jsonBody(isSanitized: false)
        try body.allowOnly(["refresh_token"])
        guard let token = try text("refresh_token", of: body) else { throw .invalid("refresh_token", "is missing") }
        return APIResponse(try await service.refresh(token).json)
    }

    func logout(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        let body = request.body.isEmpty ? JSONField([:]) : try request.jsonBody(isSanitized: false)
        try body.allowOnly(["refresh_token", "everywhere"])
        let everywhere: Bool
        do {
            everywhere = try body["everywhere"].optional?.bool() ?? false
        } catch {
            throw .invalid(error)
        }
        let ended: Int
        if request.headers["Authorization"] != nil {
            guard let claims = try authentication.caller(of: request).claims else {
                throw .forbidden("An API key has no session.")
            }
            try await service.access.check(claims)
            ended = try await service.logout(claims, everywhere: everywhere)
        } else if let token = try text("refresh_token", of: body) {
            ended = try await service.logout(refreshToken: token, everywhere: everywhere)
        } else {
            throw .unauthorized("Send an access token, or a refresh_token in the body.").withChallenge
        }
        return APIResponse(["sessions_ended": JSON(ended)])
    }

    func list(_ context: RequestContext) async throws(APIError) -> APIResponse {
        let limit = try context.queryInteger("per_page", in: 1...200, default: 50)
        let found = try await service.list(of: context.user, after: try cursor(context), limit: limit + 1)
        let page = found.prefix(limit)
        var pagination: JSONObject = ["per_page": JSON(limit), "has_next": JSON(found.count > limit)]
        if found.count > limit, let last = page.last {
            pagination["next_cursor"] = JSON("\(last.createdAt.milliseconds).\(last.id)")
        }
        var response = APIResponse(.array(page.map { $0.json(isCurrent: $0.id == context.session) }))
        response.pagination = .object(pagination)
        return response
    }

    func end(_ context: RequestContext) async throws(APIError) -> APIResponse {
        guard let id = context.request.parameters["id"], id.utf8.count == 36,
            try await service.end(id, of: context.user)
        else { throw .notFound("The session") }
        return APIResponse(["sessions_ended": 1])
    }

    private func cursor(_ context: RequestContext) throws(APIError) -> SessionCursor? {
        guard let text = context.query("cursor") else { return nil }
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let time = Int64(parts[0]) else { throw .invalid("cursor", "is not a cursor") }
        return SessionCursor(createdAt: Timestamp(milliseconds: time), id: String(parts[1]))
    }

    private func text(_ name: String, of body: JSONField) throws(APIError) -> String? {
        do {
            return try body[name].optional?.string()
        } catch {
            throw .invalid(error)
        }
    }
}

extension Session {
    /// The session as its user sees it.
    func json(isCurrent: Bool) -> JSON {
        [
            "id": JSON(id), "device": device.map { JSON($0) } ?? .null, "created_at": JSON(createdAt.iso8601),
            "last_used_at": JSON(lastUsedAt.iso8601), "ends_at": JSON(endsAt.iso8601), "current": JSON(isCurrent),
        ]
    }
}
