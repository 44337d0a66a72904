/// Says who requests are made for.
public protocol Authentication: Sendable {
    /// Names the account as far as this device knows; separates what is stored.
    func account() async -> String
    /// Adds to a request what the server knows the user by.
    func authorize(_ request: inout TransportRequest) async throws
    /// Called after a 401. `true` sends the request again, once.
    func renew(after error: DossierError, rejected request: TransportRequest) async throws -> Bool
}

/// Nobody in particular: for a server in development (its user `1`) and for addresses that need no user.
public struct AnonymousAuthentication: Authentication {
    /// There is nothing to set.
    public init() {}
    /// The account without a name.
    public func account() async -> String { "" }
    /// Leaves the request as it is.
    public func authorize(_ request: inout TransportRequest) async throws {}
    /// There is nothing to renew.
    public func renew(after error: DossierError, rejected request: TransportRequest) async throws -> Bool { false }
}

/// `X-User-ID`: for a server in development only. The secret of a gateway must never be in an app.
public struct DevelopmentAuthentication: Authentication {
    private let user: String

    /// Asks as a user.
    public init(user: String) { self.user = user }
    /// The user.
    public func account() async -> String { user }
    /// Names the user.
    public func authorize(_ request: inout TransportRequest) async throws { request.headers["X-User-ID"] = user }
    /// There is nothing to renew.
    public func renew(after error: DossierError, rejected request: TransportRequest) async throws -> Bool { false }
}
