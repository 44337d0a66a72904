package import Basics
internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON

/// The claims of an access token that has been verified.
package struct AccessClaims: Sendable, Hashable {
    package var subject: String
    /// `nil` for a token that an operator issued.
    package var session: String?
    package var generation: Int64 = 0
    /// Seconds since 1970.
    package var issuedAt: Int64?
    package var role: OperatorRole?
    package var tier: String?
}

/// Issues and verifies the access tokens by which apps authenticate their users (`DOSSIER_AUTH=jwt`).
///
/// An app signs its user in with an identity provider, exchanges that token here, sends the access token with each
/// request and renews it with the refresh token, which `SessionService` makes.
package struct SessionTokens: Sendable {
    package struct AccessToken: Sendable {
        package let accessToken: String
        /// Seconds until it expires.
        package let expiresIn: Int64
    }

    /// Claims besides the subject.
    package struct Profile: Sendable {
        package var email: String?
        package var tier: String?
        package var role: OperatorRole?

        package init(email: String? = nil, tier: String? = nil, role: OperatorRole? = nil) {
            self.email = email
            self.tier = tier
            self.role = role
        }
    }

    private static let issuer = "dossier"
    private static let purpose = "access"
    /// One day in seconds, as the app's design document requires.
    package static let accessLifetime: Int64 = 86_400

    private let secret: Secret
    /// The secret before a rotation: it still verifies, and signs nothing.
    private let previous: Secret?
    /// Verifies the tokens that apps exchange.
    package var provider: IdentityProvider
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64

    /// Makes an issuer of tokens.
    ///
    /// - Parameters:
    ///   - secret: Signs the tokens of this service.
    ///   - previous: The secret before it, whose tokens are still accepted.
    ///   - provider: Verifies the tokens that are exchanged.
    ///   - now: Milliseconds since 1970.
    package init(
        secret: Secret, previous: Secret? = nil, provider: IdentityProvider = IdentityProvider(),
        now: @escaping @Sendable () -> Int64 = WallClock.milliseconds
    ) {
        self.secret = secret
        self.previous = previous
        self.provider = provider
        self.now = now
    }

    /// Makes an issuer of the tokens with which operators bypass a gateway. The derived key serves no other purpose.
    package init(gatewaySecret: Secret, previous: Secret? = nil) {
        func key(_ secret: Secret) -> Secret {
            Secret(SHA256.hex("dossier tokens of a gateway\n\(secret.reveal())"))
        }
        self.init(secret: key(gatewaySecret), previous: previous.map(key))
    }

    /// Issues an access token for a user.
    ///
    /// Without a session it is a token of an operator's, which no logout ends but one everywhere. The same claims at the
    /// same `issuedAt`, in seconds since 1970, are the same token.
    package func issue(
        to subject: String, profile: Profile = Profile(), accessLifetime: Int64 = Self.accessLifetime,
        session: String? = nil, generation: Int64 = 0, issuedAt: Int64? = nil
    ) throws(WebTokenError) -> AccessToken {
        let timestamp = issuedAt ?? now() / 1000
        var claims: JSONObject = [
            "iss": JSON(Self.issuer), "use": JSON(Self.purpose), "sub": JSON(subject), "gen": JSON(generation),
            "iat": JSON(timestamp), "exp": JSON(timestamp + accessLifetime),
        ]
        if let session { claims["sid"] = JSON(session) }
        if let email = profile.email { claims["email"] = JSON(email) }
        if let tier = profile.tier { claims["tier"] = JSON(tier) }
        if let role = profile.role { claims["role"] = JSON(role.rawValue) }
        return AccessToken(
            accessToken: try WebToken.sign(.object(claims), secret: secret.reveal()), expiresIn: accessLifetime)
    }

    /// Secrets for another purpose: of the present secret and of the one before.
    func secrets(for purpose: String) -> [Secret] {
        [secret, previous].compactMap { $0.map { Secret(SHA256.hex("dossier \(purpose)\n\($0.reveal())")) } }
    }

    // MARK: For requests

    /// The claims of an `Authorization` header's token.
    func claims(of request: ServerRequest) throws(APIError) -> AccessClaims {
        guard let header = request.headers["Authorization"] else {
            throw .unauthorized("Send an access token: Authorization: Bearer …").withChallenge
        }
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw .unauthorized("The Authorization header must be: Bearer and an access token.").withChallenge
        }
        guard let claims = Self.accessClaims(try verified(String(words[1]))) else { throw .tokenInvalid }
        return claims
    }

    /// The claims of an access token of this service, and its end in seconds since 1970; `nil` for another token.
    ///
    /// - Throws: `AUTH_1001` for one whose time is over.
    func access(_ token: String) throws(APIError) -> (claims: AccessClaims, end: Int64)? {
        let verified: JSON
        do throws(APIError) {
            verified = try self.verified(token)
        } catch {
            if error.code == .tokenExpired { throw error }
            return nil
        }
        guard let claims = Self.accessClaims(verified), let end = verified["exp"]?.integer else { return nil }
        return (claims, end)
    }

    private static func accessClaims(_ claims: JSON) -> AccessClaims? {
        guard claims["iss"]?.string == issuer, claims["use"]?.string == purpose, let subject = claims["sub"]?.string
        else { return nil }
        return AccessClaims(
            subject: subject, session: claims["sid"]?.string, generation: claims["gen"]?.integer ?? 0,
            issuedAt: claims["iat"]?.integer, role: claims["role"]?.string.flatMap(OperatorRole.init),
            tier: claims["tier"]?.string)
    }

    private func verified(_ token: String) throws(APIError) -> JSON {
        var failure = WebTokenError.invalid
        for secret in [secret, previous].compactMap(\.self) {
            do {
                return try WebToken.verify(token, secret: secret.reveal(), now: now() / 1000)
            } catch {
                if error == .expired { failure = error }
            }
        }
        throw failure == .expired ? .tokenExpired : .tokenInvalid
    }
}
