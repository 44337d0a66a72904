internal import Basics
internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON
internal import JobQueue
internal import Prompts

/// `/console/session`: how the console's user is signed in, and signing in and out where users have tokens.
struct ConsoleSession: Sendable {
    let pipeline: RequestPipeline
    /// `nil` where users have no tokens.
    let sessions: SessionRoutes?
    let bundle: CurrentBundle
    /// Whether the models are the simulator's.
    let isSimulated: Bool

    /// The request with the sign-in of the console's cookie.
    func signedIn(_ request: ServerRequest) -> ServerRequest {
        sessions == nil ? request : ConsoleCookie.applied(to: request)
    }

    func respond(to request: ServerRequest, _ servesOperators: Bool) async -> ServerResponse {
        switch request.method {
        case .get, .head:
            return await pipeline.open { request throws(APIError) in
                APIResponse(await description(for: signedIn(request), servesOperators))
            }(request)
        case .post: return await pipeline.signIn { request throws(APIError) in try await signIn(request) }(request)
        case .delete: return await pipeline.open { request throws(APIError) in try await signOut(request) }(request)
        default:
            let allowed = ["GET", "HEAD", "POST", "DELETE"]
            var response = pipeline.refuse(request, .methodNotAllowed(allowed))
            response.headers["Allow"] = allowed.joined(separator: ", ")
            return response
        }
    }

    private func description(for request: ServerRequest, _ servesOperators: Bool) async -> JSON {
        let mode =
            switch pipeline.authentication {
            case .development: "development"
            case .gateway: "gateway"
            case .jwt: "jwt"
            }
        var user: JSON = .null
        var role: String?
        var scopes: [String] = []
        do throws(APIError) {
            let sender = try await pipeline.sender(of: request)
            let subject = try sender.user()
            user = ["id": JSON(try await pipeline.users.user(subject).rawValue), "subject": JSON(subject)]
            role = try pipeline.authentication.caller(of: request).role?.rawValue
            scopes = sender.scopes.map(\.rawValue).sorted()
        } catch {
            // Not signed in; the reads of the console say why.
        }
        return [
            "auth": JSON(mode), "signed_in": JSON(!user.isNull), "user": user, "role": JSON(role),
            "scopes": JSON(scopes), "admin": JSON(servesOperators), "version": JSON(ResponseRenderer.apiVersion),
            "simulated": JSON(isSimulated), "kinds": scopes.contains("admin:read") ? ownKinds : [:],
        ]
    }

    /// The titles and the phrases of the kinds that only the service and operators submit, for lists of everybody's jobs.
    private var ownKinds: JSON {
        let kinds = bundle.value.kinds.values.filter(\.isForOperators).sorted { $0.name < $1.name }
        return .object(
            JSONObject(
                kinds.map { kind in
                    let says = kind.stages.map { ($0.name, JSON($0.says)) }
                    return (kind.name, ["title": JSON(kind.title), "says": .object(JSONObject(says))])
                }))
    }

    // MARK: Signing in and out

    /// Takes an access token of this service, or a provider's token, for which it starts a session.
    private func signIn(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        guard let service = sessions?.service else { throw .notFound("This address") }
        let body = try request.jsonBody(isSanitized: false)
        try body.allowOnly(["token"])
        let token: String
        do {
            token = try body["token"].string().trimmed
        } catch {
            throw .invalid(error)
        }
        let now = service.tokens.now() / 1000
        if let (claims, end) = try service.tokens.access(token) {
            try await service.access.check(claims)
            return signedIn(with: token, for: end - now, request)
        }
        guard service.tokens.provider.isConfigured else { throw .tokenInvalid }
        let grant = try await service.signIn(token, device: "Console")
        return signedIn(with: grant.accessToken, for: grant.expiresIn, request)
    }

    private func signedIn(with token: String, for seconds: Int64, _ request: ServerRequest) -> APIResponse {
        .noContent(headers: [ConsoleCookie.header(token, for: max(1, seconds), host: request.headers["Host"])])
    }

    /// Ends the session of the cookie's token, too; a token that holds no more is forgotten all the same.
    private func signOut(_ request: ServerRequest) async throws(APIError) -> APIResponse {
        guard let service = sessions?.service else { throw .notFound("This address") }
        if let token = ConsoleCookie.token(of: request), let (claims, _) = try? service.tokens.access(token) {
            _ = try await service.logout(claims, everywhere: false)
        }
        return .noContent(headers: [ConsoleCookie.header("", for: 0, host: request.headers["Host"])])
    }
}
