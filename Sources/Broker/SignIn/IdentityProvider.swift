package import Basics
internal import DossierAPI
package import HTTP
internal import JSON
package import Observability

/// A user whom an identity provider has signed in.
struct Identity: Sendable {
    var subject: String
    /// The time at which the token was issued, in seconds since 1970, where it says so.
    var issuedAt: Int64?
    var profile: SessionTokens.Profile
}

/// Verifies the tokens of identity providers: Supabase's with its shared secret, and those of any OpenID Connect issuer
/// with its public keys.
///
/// The user is the `sub`, whichever key signed: a project that moves to public keys keeps its users.
package struct IdentityProvider: Sendable {
    /// The member of a provider's token that holds a value: `app_metadata.tier`.
    package struct ClaimPath: Sendable, Hashable {
        let names: [String]

        /// - Returns: `nil` for an empty name, and for a path below `user_metadata`, which users write themselves.
        package init?(_ text: String) {
            let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard !names.contains(""), !names[0].hasSameBytes(as: "user_metadata") else { return nil }
            self.names = names
        }

        func text(in claims: JSON) -> String? { names.reduce(claims) { $0?[$1] }?.string }
    }

    /// The leeway of clocks each way, in seconds.
    static let leeway: Int64 = 60
    private static let supabaseAudience = "authenticated"

    /// The secrets that are shared with Supabase, the present one first.
    package var secrets: [Secret] = []
    /// The issuer of tokens with public keys, and of Supabase's when it is set.
    package var issuer: String?
    /// The accepted audiences of tokens with public keys.
    package var audiences: [String] = []
    /// Where the public keys are; `nil` without an issuer.
    package var location: ProviderKeys.Location?
    private(set) var keys: ProviderKeys?
    package var tierClaim = ClaimPath("app_metadata.tier")
    package var roleClaim = ClaimPath("app_metadata.dossier_role")

    package init(secrets: [Secret] = []) { self.secrets = secrets }

    /// Whether any token can be accepted.
    var isConfigured: Bool { !secrets.isEmpty || location != nil }

    /// Gives the public keys a transport. Nothing is fetched before a token needs them.
    package mutating func connect(over transport: any HTTPTransport, logger: Logger) {
        keys = location.map { ProviderKeys($0, transport: transport, logger: logger) }
    }

    /// Sets keys with another clock.
    mutating func use(_ keys: ProviderKeys) { (self.keys, location) = (keys, keys.location) }

    /// The user of a token. `now` is in seconds since 1970.
    func identity(of text: String, now: Int64) async throws(APIError) -> Identity {
        guard let token = ProviderToken(text) else { throw .tokenRefused(.form) }
        guard try await hasValidSignature(token) else { throw .tokenRefused(.signature) }
        let claims = token.claims
        let isExpired = try checkTimes(claims, now)
        let audiences = token.algorithm == .hs256 ? [Self.supabaseAudience] : audiences
        guard issuer == nil && token.algorithm == .hs256 || issuer.map({ claims["iss"] == JSON($0) }) == true else {
            throw .tokenRefused(.issuer)
        }
        guard let audience = claims["aud"],
            (audience.array ?? [audience]).contains(where: { audience in
                audiences.contains { JSON($0) == audience }
            })
        else { throw .tokenRefused(.audience) }
        // Supabase signs its keys for services, too; they have another role.
        guard claims["role"] == nil || claims["role"] == "authenticated" else { throw .tokenRefused(.role) }
        guard let subject = claims["sub"]?.string, Authentication.isUsable(subject),
            !subject.hasSameBytes(as: Authentication.ownSubject)
        else { throw .tokenRefused(.subject) }
        if isExpired { throw .tokenExpired }
        // Anybody gets as many of these accounts as they like, each with new credits.
        let isAnonymous = claims["is_anonymous"] ?? .null
        guard isAnonymous.isNull || isAnonymous == false else { throw .accountRefused("anonymous") }
        return Identity(
            subject: subject, issuedAt: claims["iat"]?.double.flatMap { Int64(exactly: $0.rounded(.down)) },
            profile: SessionTokens.Profile(
                email: claims["email"]?.string, tier: tierClaim?.text(in: claims),
                role: roleClaim?.text(in: claims).flatMap(OperatorRole.init)))
    }

    /// The algorithm decides alone which keys are tried: a secret never verifies a token with a public key, nor the
    /// other way round.
    private func hasValidSignature(_ token: ProviderToken) async throws(APIError) -> Bool {
        switch token.algorithm {
        case .hs256:
            return secrets.contains { WebToken.hasSignature(token.text, secret: $0.reveal()) }
        case .es256, .rs256:
            guard let keys else { return false }
            let key: ProviderKeySet.Key?
            do throws(ProviderKeys.Unavailable) {
                key = try await keys.key(for: token)
            } catch {
                guard case .unavailable(let retryAfter) = error else { throw .internal }
                throw .providerUnavailable(retryAfter: max(retryAfter, 1))
            }
            return key?.publicKey.verifies(token.signature, of: token.signed) == true
        }
    }

    /// Whether the token's time is over.
    ///
    /// - Throws: `tokenInvalid` for a token without an end, or whose time has not come.
    private func checkTimes(_ claims: JSON, _ now: Int64) throws(APIError) -> Bool {
        let now = Double(now)
        guard let end = claims["exp"]?.double else { throw .tokenRefused(.time) }
        for name in ["nbf", "iat"] {
            guard let claim = claims[name] else { continue }
            guard let time = claim.double, time <= now + Double(Self.leeway) else { throw .tokenRefused(.time) }
        }
        return end + Double(Self.leeway) <= now
    }
}

/// Why a token is refused, for the log: a mistyped audience looks like an attack to those who send tokens.
private enum TokenFault: String {
    case form = "it is no token with an algorithm that is accepted"
    case signature = "no key of the provider has signed it"
    case issuer = "its issuer is another"
    case audience = "its audience is another"
    case role = "its role is not 'authenticated'"
    case subject = "it has no usable subject"
    case time = "it has no end, or its time has not come"
}

/// What an operator may do.
package enum OperatorRole: String, Sendable, CaseIterable {
    case viewer, `operator`, admin
}

extension APIError {
    static let tokenExpired = APIError(
        401, .tokenExpired, "The token has expired.", user: "Please sign in again.", action: "reauthenticate"
    ).withChallenge

    /// The token is valid, but its account may not sign in.
    static func accountRefused(_ reason: String) -> APIError {
        APIError(
            403, .accountRefused, "This account may not sign in: it is \(reason).",
            user: "Please sign in with an account of your own.", action: "reauthenticate",
            details: ["reason": JSON(reason)])
    }

    static let tokenInvalid = APIError(
        401, .tokenInvalid, "The token is not valid.", user: "Please sign in again.", action: "reauthenticate"
    ).withChallenge

    fileprivate static func tokenRefused(_ fault: TokenFault) -> APIError {
        var error = tokenInvalid
        error.cause = fault.rawValue
        return error
    }

    /// No key of the identity provider can be had.
    static func providerUnavailable(retryAfter: Int) -> APIError {
        APIError(
            503, .providerUnavailable, "The keys of the identity provider cannot be read.",
            user: "We cannot sign you in at the moment. Please try again soon.", action: "retry",
            retryAfter: retryAfter)
    }

    /// Adds the authentication scheme, which HTTP requires in every `401`.
    var withChallenge: APIError {
        var error = self
        error.headers.append(("WWW-Authenticate", "Bearer"))
        return error
    }
}
