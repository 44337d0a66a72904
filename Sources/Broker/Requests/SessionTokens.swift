package import Basics
internal import DossierAPI
internal import HTTP
internal import HTTPServer
internal import JSON

/// Issues and verifies the tokens by which apps authenticate their users (`DOSSIER_AUTH=jwt`).
///
/// An app signs its user in with Supabase, exchanges that token here, sends the access token with each request and
/// renews it with the refresh token. Tokens are not stored: a new secret ends all sessions.
package struct SessionTokens: Sendable {
    /// An access token with its refresh token.
    package struct Pair: Sendable {
        package let accessToken: String
        package let refreshToken: String
        /// Seconds until the access token expires.
        package let expiresIn: Int64
    }

    /// Claims besides the subject, copied from the identity provider and not used here.
    package struct Profile: Sendable {
        package var email: String?
        package var tier: String?

        package init(email: String? = nil, tier: String? = nil) {
            self.email = email
            self.tier = tier
        }
    }

    private enum Purpose: String {
        case access, refresh
    }

    private static let issuer = "dossier"
    /// One day in seconds, as the app's design document requires.
    package static let accessLifetime: Int64 = 86_400
    package static let refreshLifetime: Int64 = 30 * 86_400

    private let secret: Secret
    private let supabaseSecret: Secret?
    private let now: @Sendable () -> Int64

    /// Makes an issuer of tokens.
    ///
    /// - Parameters:
    ///   - secret: Signs the tokens of this service.
    ///   - supabaseSecret: Signs Supabase's tokens; without it no token is exchanged.
    ///   - now: Milliseconds since 1970.
    package init(
        secret: Secret, supabaseSecret: Secret?, now: @escaping @Sendable () -> Int64 = WallClock.milliseconds
    ) {
        self.secret = secret
        self.supabaseSecret = supabaseSecret
        self.now = now
    }

    /// Makes an issuer of the tokens with which operators bypass a gateway. The derived key serves no other purpose.
    package init(gatewaySecret: Secret) {
        let key = SHA256.hex("dossier tokens of a gateway\n\(gatewaySecret.reveal())")
        self.init(secret: Secret(key), supabaseSecret: nil)
    }

    /// Issues tokens for a user.
    package func issue(
        to subject: String, profile: Profile = Profile(), accessLifetime: Int64 = Self.accessLifetime
    ) throws(WebTokenError) -> Pair {
        let timestamp = now() / 1000
        func token(_ purpose: Purpose, _ lifetime: Int64) throws(WebTokenError) -> String {
            var claims: JSONObject = ["sub": JSON(subject)]
            if let email = profile.email { claims["email"] = JSON(email) }
            if let tier = profile.tier { claims["tier"] = JSON(tier) }
            claims["iss"] = JSON(Self.issuer)
            claims["use"] = JSON(purpose.rawValue)
            claims["iat"] = JSON(timestamp)
            claims["exp"] = JSON(timestamp + lifetime)
            return try WebToken.sign(.object(claims), secret: secret.reveal())
        }
        return Pair(
            accessToken: try token(.access, accessLifetime), refreshToken: try token(.refresh, Self.refreshLifetime),
            expiresIn: accessLifetime)
    }

    // MARK: For requests

    /// The user of an `Authorization` header.
    func subject(of request: ServerRequest) throws(APIError) -> String {
        guard let header = request.headers["Authorization"] else {
            throw .unauthorized("Send an access token: Authorization: Bearer …").withChallenge
        }
        let words = header.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer" else {
            throw .unauthorized("The Authorization header must be: Bearer and an access token.").withChallenge
        }
        return try claims(of: String(words[1]), for: .access).subject
    }

    /// Issues tokens for the user of a Supabase token.
    func exchange(supabaseToken: String) throws(APIError) -> Pair {
        guard let supabaseSecret else { throw .notFound("This address") }
        let claims = try verified(supabaseToken, secret: supabaseSecret)
        // Supabase signs its keys for services with the same secret; they have another role and no subject.
        guard claims["aud"] == "authenticated", claims["role"] == "authenticated",
            let subject = claims["sub"]?.string, Authentication.isUsable(subject),
            subject != Authentication.ownSubject
        else {
            throw .tokenInvalid
        }
        // Anybody gets as many of these accounts as they like, each with new credits.
        let isAnonymous = claims["is_anonymous"] ?? .null
        guard isAnonymous.isNull || isAnonymous == false else { throw .accountRefused("anonymous") }
        let tier = claims["app_metadata"]?["tier"]?.string
        return try pair(for: subject, Profile(email: claims["email"]?.string, tier: tier))
    }

    /// Issues new tokens for the user of a refresh token.
    func refresh(_ token: String) throws(APIError) -> Pair {
        let (subject, profile) = try claims(of: token, for: .refresh)
        return try pair(for: subject, profile)
    }

    private func pair(for subject: String, _ profile: Profile) throws(APIError) -> Pair {
        do {
            return try issue(to: subject, profile: profile)
        } catch {
            throw .internal
        }
    }

    private func claims(of token: String, for purpose: Purpose) throws(APIError) -> (subject: String, Profile) {
        let claims = try verified(token, secret: secret)
        guard claims["iss"]?.string == Self.issuer, claims["use"]?.string == purpose.rawValue,
            let subject = claims["sub"]?.string
        else { throw .tokenInvalid }
        return (subject, Profile(email: claims["email"]?.string, tier: claims["tier"]?.string))
    }

    private func verified(_ token: String, secret: Secret) throws(APIError) -> JSON {
        do {
            return try WebToken.verify(token, secret: secret.reveal(), now: now() / 1000)
        } catch {
            switch error {
            case .expired: throw .tokenExpired
            case .invalid, .unusable: throw .tokenInvalid
            }
        }
    }
}

extension APIError {
    fileprivate static let tokenExpired = APIError(
        401, .tokenExpired, "The token has expired.", user: "Please sign in again.", action: "reauthenticate"
    ).withChallenge

    /// The token is valid, but its account may not sign in.
    fileprivate static func accountRefused(_ reason: String) -> APIError {
        APIError(
            403, .accountRefused, "This account may not sign in: it is \(reason).",
            user: "Please sign in with an account of your own.", action: "reauthenticate",
            details: ["reason": JSON(reason)])
    }

    fileprivate static let tokenInvalid = APIError(
        401, .tokenInvalid, "The token is not valid.", user: "Please sign in again.", action: "reauthenticate"
    ).withChallenge

    /// Adds the authentication scheme, which HTTP requires in every `401`.
    fileprivate var withChallenge: APIError {
        var error = self
        error.headers.append(("WWW-Authenticate", "Bearer"))
        return error
    }
}
