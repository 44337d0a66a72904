package import Basics
package import HTTP
internal import HTTPServer
internal import JobQueue
package import Observability
internal import Synchronization

/// The ways in which requests identify their user.
package enum Authentication: Sendable {
    /// For one machine: `X-User-ID`, else `user_id` in the query, else user `1`. Only over loopback.
    case development
    /// By a proxy that has authenticated the user: it sets `X-User-ID` and presents the secret as
    /// `X-Gateway-Secret`. An operator with the secret may send requests without the proxy, with a token derived from
    /// the secret. The secret before a rotation is accepted, too.
    case gateway(secret: Secret, previous: Secret? = nil)
    /// Every request carries an access token that this service issued.
    case jwt(SessionTokens)

    /// The issuer of tokens for requests; `nil` where requests need none.
    package var tokens: SessionTokens? {
        switch self {
        case .development: nil
        case .gateway(let secret, let previous): SessionTokens(gatewaySecret: secret, previous: previous)
        case .jwt(let tokens): tokens
        }
    }

    /// The same, with the service's clock and able to fetch the keys of an identity provider.
    package func connected(
        over transport: any HTTPTransport, now: @escaping @Sendable () -> Int64, logger: Logger
    ) -> Authentication {
        guard case .jwt(var tokens) = self else { return self }
        tokens.now = now
        tokens.provider.connect(over: transport, logger: logger)
        return .jwt(tokens)
    }

    private static let longestSubject = 200
    /// The owner of scheduled jobs. A gateway cannot send requests as this user.
    static let ownSubject = "system"

    /// Whether a user may call operations that affect all users. In development every user may; elsewhere only
    /// Dossier's own user, for whom a token takes the secret.
    func isOperator(_ subject: String) -> Bool {
        if case .development = self { return true }
        return subject == Self.ownSubject
    }

    /// Whether `/metrics` on a public listener needs no scope: in development, and for holders of the gateway's secret.
    ///
    /// - Throws: `AUTH_1003` for a request without any sign-in.
    func opensMetrics(to request: ServerRequest) throws(APIError) -> Bool {
        let advice = "DOSSIER_ADMIN_LISTEN serves /metrics on an address of its own."
        switch self {
        case .development: return true
        case .gateway(let secret, let previous):
            // A user behind the gateway needs the scope; a scraper names none.
            if Self.shows([secret, previous], request) { return request.headers["X-User-ID"] == nil }
            guard request.headers["X-Gateway-Secret"] == nil, request.bearsToken else {
                throw .unauthorized("/metrics needs X-Gateway-Secret here. \(advice)")
            }
        case .jwt:
            guard request.bearsToken else { throw .forbidden("/metrics is not public. \(advice)") }
        }
        return false
    }

    /// The sender of a request.
    struct Caller: Sendable {
        /// The external id of the user; `nil` for an API key that names none.
        var subject: String?
        /// The claims of the access token; `nil` for a request without one.
        var claims: AccessClaims?
        /// The text of the API key.
        var key: String?
        var role: OperatorRole?
        var tier: String?
    }

    func caller(of request: ServerRequest) throws(APIError) -> Caller {
        if let key = key(of: request) { return try caller(of: request, key: key) }
        let subject: String
        var (claims, role, tier): (AccessClaims?, OperatorRole?, String?) = (nil, nil, nil)
        switch self {
        case .development:
            subject = request.headers["X-User-ID"] ?? request.query("user_id") ?? "1"
            role = .admin
        case .gateway(let secret, let previous)
        where request.headers["X-Gateway-Secret"] == nil && request.bearsToken:
            let token = try SessionTokens(gatewaySecret: secret, previous: previous).claims(of: request)
            (subject, claims, role, tier) = (token.subject, token, token.role, token.tier)
        case .gateway(let secret, let previous):
            guard Self.shows([secret, previous], request) else {
                throw .unauthorized("The request did not come through the gateway.")
            }
            // A second header would come from the client.
            let headers = request.headers.values(of: "X-User-ID")
            guard headers.count == 1 else {
                throw .noUser("The gateway did not send one X-User-ID.")
            }
            guard headers[0] != Self.ownSubject else {
                throw .unauthorized("The user id '\(Self.ownSubject)' is reserved for Dossier.")
            }
            subject = headers[0]
            role = try Self.single("X-User-Role", of: request).flatMap(OperatorRole.init)
            tier = try Self.single("X-User-Tier", of: request)
        case .jwt(let tokens):
            let token = try tokens.claims(of: request)
            (subject, claims, role, tier) = (token.subject, token, token.role, token.tier)
        }
        try Self.check(subject)
        return Caller(subject: subject, claims: claims, role: role, tier: tier)
    }

    /// The text of the API key that a request shows instead of a user's token. Development takes no keys.
    private func key(of request: ServerRequest) -> String? {
        switch self {
        case .development: return nil
        case .gateway: if request.headers["X-Gateway-Secret"] != nil { return nil }
        case .jwt: break
        }
        guard request.bearsToken else { return nil }
        let words = (request.headers["Authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[1].hasPrefix(APIKey.marker) else { return nil }
        return String(words[1])
    }

    private func caller(of request: ServerRequest, key: String) throws(APIError) -> Caller {
        guard request.headers.values(of: "Authorization").count == 1 else { throw .tokenInvalid }
        let subject = try Self.single("X-User-ID", of: request)
        if let subject {
            guard subject != Self.ownSubject else {
                throw .unauthorized("The user id '\(Self.ownSubject)' is reserved for Dossier.")
            }
            try Self.check(subject)
        }
        return Caller(subject: subject, key: key)
    }

    /// The value of a header that a trusted sender may set once.
    private static func single(_ name: String, of request: ServerRequest) throws(APIError) -> String? {
        let values = request.headers.values(of: name)
        guard values.count < 2 else { throw .noUser("\(name) came more than once.") }
        return values.first
    }

    private static func check(_ subject: String) throws(APIError) {
        // An id is refused rather than sanitized, since two users must not become one.
        guard isUsable(subject) else {
            throw .noUser(
                "The user's id must be 1 to \(longestSubject) bytes without spaces and invisible characters.")
        }
    }

    /// Whether a request has one of the gateway's secrets, once: a second header would come from the client.
    private static func shows(_ secrets: [Secret?], _ request: ServerRequest) -> Bool {
        let shown = request.headers.values(of: "X-Gateway-Secret")
        return shown.count == 1
            && secrets.contains { $0.map { ConstantTime.equal(shown[0], $0.reveal()) } ?? false }
    }

    /// Whether a text can be the id of a user. Ids that look the same, or that change the text around them, are
    /// refused.
    static func isUsable(_ subject: String) -> Bool {
        guard let first = subject.unicodeScalars.first, subject.utf8.count <= longestSubject,
            subject.hasSameBytes(as: subject.sanitized)
        else { return false }
        // A mark at the beginning would join the text before the id.
        switch first.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return false
        default: break
        }
        return subject.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
            default: !scalar.properties.isDefaultIgnorableCodePoint
            }
        }
    }
}

/// The account ids of recent users, so that a poll does not read the account from the database.
///
/// Users are told apart by the bytes of their ids, as in the database. Equal strings may differ in bytes: "é" has two
/// spellings, and the Kelvin sign equals "K".
final class UserCache: Sendable {
    private static let capacity = 100_000

    private let accounts: any AccountRepository
    private let slots: UserSlots
    private let known = Mutex<[[UInt8]: UserID]>([:])

    init(_ accounts: any AccountRepository, slots: UserSlots) { (self.accounts, self.slots) = (accounts, slots) }

    /// The user of a subject, whose account is opened when it is new.
    ///
    /// - Parameters:
    ///   - subject: The external id.
    ///   - isOperator: Whether the request is an operator's, who asks the brokers of all databases.
    /// - Returns: The number of the account.
    /// - Throws: `SYS_5004` for a user of another database.
    func user(_ subject: String, isOperator: Bool = false) async throws(APIError) -> UserID {
        guard isOperator || subject == Authentication.ownSubject || slots.contains(subject) else {
            throw .misdirected
        }
        let key = Array(subject.utf8)
        if let user = known.withLock({ $0[key] }) { return user }
        let account: Account
        do {
            account = try await accounts.account(for: subject)
        } catch {
            throw APIError(error)
        }
        let user = account.id
        known.withLock { known in
            if known.count >= Self.capacity { known = [:] }
            known[key] = user
        }
        return user
    }

    /// Forgets all accounts, one of which has gone.
    func forget() { known.withLock { $0 = [:] } }

    /// The subject of a user.
    func subject(of user: UserID) async throws(APIError) -> String? {
        do {
            return try await accounts.account(id: user)?.subject
        } catch {
            throw APIError(error)
        }
    }
}
