internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON
package import JobQueue

/// The sender of a request, with the scopes of the role or of the API key.
struct Sender: Sendable {
    /// The external id of the user; `nil` for an API key that acts for nobody.
    var subject: String?
    /// The claims of the access token; `nil` for a request without one.
    var claims: AccessClaims?
    /// The key that the request shows.
    var key: APIKey?
    var scopes: Set<Scope>
    /// The tier that the token or the gateway names.
    var tier: String?

    /// - Throws: `AUTH_1004` without the scope.
    func require(_ scope: Scope) throws(APIError) {
        guard scopes.contains(scope) else { throw .scopeMissing(scope) }
    }

    /// The user for whom the request is made.
    ///
    /// - Throws: `AUTH_1004` for a key that may not act for users, `AUTH_1003` for one that names nobody.
    func user() throws(APIError) -> String {
        if key != nil { try require(.usersAct) }
        guard let subject else { throw .noUser("An API key needs X-User-ID, the user for whom it acts.") }
        return subject
    }
}

extension APIError {
    /// The sender is signed in, but lacks a scope.
    static func scopeMissing(_ scope: Scope) -> APIError {
        APIError(
            403, .scopeMissing, "This needs the scope \(scope.rawValue).", user: "This request was not allowed.",
            details: ["required": JSON(scope.rawValue)])
    }
}

extension OperatorRole {
    /// What a role permits.
    package var scopes: Set<Scope> {
        switch self {
        case .viewer: [.adminRead, .metrics]
        case .operator: [.adminRead, .metrics, .adminWrite]
        case .admin: [.adminRead, .metrics, .adminWrite, .creditsGrant, .webhooks, .usersErase, .keys]
        }
    }
}

extension RequestPipeline {
    /// Finds the sender of a request, whose access has not ended.
    func sender(of request: ServerRequest) async throws(APIError) -> Sender {
        let caller = try authentication.caller(of: request)
        if let text = caller.key {
            let key = try await apiKeys.key(text, of: request)
            if let subject = caller.subject { try await access.check(subject: subject) }
            return Sender(subject: caller.subject, key: key, scopes: key.scopes)
        }
        if let claims = caller.claims {
            try await access.check(claims)
        } else if let subject = caller.subject {
            try await access.check(subject: subject)
        }
        return Sender(caller)
    }

    /// Whether the sender may see what is for operators. A request without sign-in may not.
    func mayReadAsOperator(_ request: ServerRequest) async -> Bool {
        if case .development = authentication { return true }
        guard request.bearsToken || request.headers["X-Gateway-Secret"] != nil else { return false }
        return (try? await sender(of: request))?.scopes.contains(.adminRead) ?? false
    }

    /// The same in memory, as far as this broker knows at the moment; `nil` for a key that may be new.
    func knownSender(of request: ServerRequest) throws(APIError) -> Sender? {
        let caller = try authentication.caller(of: request)
        if let text = caller.key {
            guard let key = try apiKeys.known(text) else { return nil }
            if let subject = caller.subject { try access.checkKnown(subject: subject) }
            return Sender(subject: caller.subject, key: key, scopes: key.scopes)
        }
        if let claims = caller.claims {
            try access.checkKnown(claims)
        } else if let subject = caller.subject {
            try access.checkKnown(subject: subject)
        }
        return Sender(caller)
    }
}

extension Sender {
    fileprivate init(_ caller: Authentication.Caller) {
        self.init(
            subject: caller.subject, claims: caller.claims, scopes: caller.role?.scopes ?? [], tier: caller.tier)
    }
}
