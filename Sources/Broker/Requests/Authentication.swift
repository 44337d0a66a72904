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

    /// Lets `/metrics` on a public listener be read in development, and by holders of the gateway's secret.
    func checkMetrics(_ request: ServerRequest) throws(APIError) {
        let advice = "DOSSIER_ADMIN_LISTEN serves /metrics on an address of its own."
        switch self {
        case .development: return
        case .gateway(let secret, let previous):
            guard Self.shows([secret, previous], request) else {
                throw .unauthorized("/metrics needs X-Gateway-Secret here. \(advice)")
            }
        case .jwt: throw .forbidden("/metrics is not public. \(advice)")
        }
    }

    /// The sender of a request.
    struct Caller: Sendable {
        /// The external id of the user.
        var subject: String
        /// The claims of the access token; `nil` for a request without one.
        var claims: AccessClaims?
    }

    func caller(of request: ServerRequest) throws(APIError) -> Caller {
        let subject: String
        var claims: AccessClaims?
        switch self {
        case .development:
            subject = request.headers["X-User-ID"] ?? request.query("user_id") ?? "1"
        case .gateway(let secret, let previous)
        where request.headers["X-Gateway-Secret"] == nil && request.bearsToken:
            let token = try SessionTokens(gatewaySecret: secret, previous: previous).claims(of: request)
            (subject, claims) = (token.subject, token)
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
        case .jwt(let tokens):
            let token = try tokens.claims(of: request)
            (subject, claims) = (token.subject, token)
        }
        // An id is refused rather than sanitized, since two users must not become one.
        guard Self.isUsable(subject) else {
            throw .noUser(
                "The user's id must be 1 to \(Self.longestSubject) bytes without spaces and invisible characters.")
        }
        return Caller(subject: subject, claims: claims)
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
    private let known = Mutex<[[UInt8]: UserID]>([:])

    init(_ accounts: any AccountRepository) { self.accounts = accounts }

    func user(_ subject: String) async throws(APIError) -> UserID {
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

    /// The subject of a user.
    func subject(of user: UserID) async throws(APIError) -> String? {
        do {
            return try await accounts.account(id: user)?.subject
        } catch {
            throw APIError(error)
        }
    }
}
