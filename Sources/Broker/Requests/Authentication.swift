package import Basics
internal import HTTP
internal import HTTPServer
internal import JobQueue
internal import Synchronization

/// How requests say who sends them.
package enum Authentication: Sendable {
    /// For one machine: `X-User-ID`, else `user_id` in the query, else user `1`. Only from loopback.
    case development
    /// Behind a proxy that has checked the sender: it sets `X-User-ID` and presents the secret as `X-Gateway-Secret`.
    /// Who holds the secret may as well come without the proxy, with a token that is made of it.
    case gateway(secret: Secret)
    /// Every request carries an access token that this service issued.
    case jwt(SessionTokens)

    /// Who makes tokens that requests may prove themselves by; `nil` where none are needed.
    package var tokens: SessionTokens? {
        switch self {
        case .development: nil
        case .gateway(let secret): SessionTokens(gatewaySecret: secret)
        case .jwt(let tokens): tokens
        }
    }

    private static let longestSubject = 200
    /// Who owns the jobs of schedules: an operator's matter, and no user of a gateway.
    static let ownSubject = "system"

    /// Whether a sender may do what is everybody's concern. On a machine of one's own that is whoever asks, elsewhere
    /// who has a token for Dossier's own user, which only the holder of the secret can make.
    func isOperator(_ subject: String) -> Bool {
        if case .development = self { return true }
        return subject == Self.ownSubject
    }

    /// The external subject of a request's sender.
    func subject(of request: ServerRequest) throws(APIError) -> String {
        let subject: String
        switch self {
        case .development:
            subject = request.headers["X-User-ID"] ?? request.query("user_id") ?? "1"
        case .gateway(let secret) where request.headers["X-Gateway-Secret"] == nil && request.bearsToken:
            subject = try SessionTokens(gatewaySecret: secret).subject(of: request)
        case .gateway(let secret):
            guard let shown = request.headers["X-Gateway-Secret"], ConstantTime.equal(shown, secret.reveal()) else {
                throw .unauthorized("The request did not come through the gateway.")
            }
            // Two would be the client's beside the gateway's.
            let headers = request.headers.values(of: "X-User-ID")
            guard headers.count == 1 else {
                throw .noUser("The gateway did not say who the user is.")
            }
            guard headers[0] != Self.ownSubject else {
                throw .unauthorized("The user id '\(Self.ownSubject)' is Dossier's own.")
            }
            subject = headers[0]
        case .jwt(let tokens):
            subject = try tokens.subject(of: request)
        }
        guard !subject.isEmpty, subject.utf8.count <= Self.longestSubject,
            subject.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { throw .noUser("The user's id must be 1 to \(Self.longestSubject) characters without spaces.") }
        return subject
    }
}

/// The numbers of users seen lately, so that a poll does not ask the database who is asking.
final class UserCache: Sendable {
    private static let capacity = 100_000

    private let accounts: any AccountRepository
    private let known = Mutex<[String: UserID]>([:])

    init(_ accounts: any AccountRepository) { self.accounts = accounts }

    func user(_ subject: String) async throws(APIError) -> UserID {
        if let user = known.withLock({ $0[subject] }) { return user }
        let account: Account
        do {
            account = try await accounts.account(for: subject)
        } catch {
            throw APIError(error)
        }
        let user = UserID(rawValue: account.id)
        known.withLock { known in
            if known.count >= Self.capacity { known = [:] }
            known[subject] = user
        }
        return user
    }
}
