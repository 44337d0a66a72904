internal import Basics
internal import CJWT
internal import Glibc
internal import Foundation
package import JSON

/// JSON Web Tokens signed with HMAC-SHA256 (RFC 7519, `HS256`), by libjwt.
///
/// The verifier fixes the algorithm: a token that names another one, or none, is refused before its signature is
/// checked.
package enum WebToken {
    /// The length above which a token is refused unread; no token of this service or of an identity provider is longer.
    package static let longestToken = 8192

    /// The compact form of signed claims.
    ///
    /// - Throws: `unusable` when the claims are not an object or libjwt cannot make the token.
    package static func sign(_ claims: JSON, secret: String) throws(WebTokenError) -> String {
        let token = try Handle()
        let key = Array(secret.utf8)
        guard claims.object != nil, jwt_add_header(token.pointer, "kid", keyID(of: secret)) == 0,
            jwt_add_grants_json(token.pointer, claims.compact) == 0,
            jwt_set_alg(token.pointer, JWT_ALG_HS256, key, Int32(key.count)) == 0,
            let text = jwt_encode_str(token.pointer)
        else { throw .unusable }
        defer { free(text) }
        return String(cString: text)
    }

    /// The name of a secret in the tokens that it signed.
    static func keyID(of secret: String) -> String { String(SHA256.hex("dossier key id\n\(secret)").prefix(16)) }

    /// The claims of a token with a valid signature and lifetime.
    ///
    /// - Parameters:
    ///   - token: The compact form.
    ///   - secret: The secret that must have signed it.
    ///   - now: Seconds since 1970. A token without `exp` is refused; `nbf` is honoured when it is there.
    /// - Returns: An object.
    /// - Throws: `expired` when it is otherwise valid, else `invalid`.
    package static func verify(_ token: String, secret: String, now: Int64) throws(WebTokenError) -> JSON {
        guard token.utf8.count <= longestToken, !token.utf8.contains(0), let header = header(of: token),
            // An extension that a token names as critical has to be understood, and this service knows none.
            header["alg"]?.string == "HS256", header["crit"] == nil
        else { throw .invalid }
        let claims = try signedClaims(token, Array(secret.utf8))
        guard let expiry = claims["exp"]?.seconds else { throw .invalid }
        if let start = claims["nbf"]?.seconds, start > now { throw .invalid }
        guard now < expiry else { throw .expired }
        return claims
    }

    /// Whether a token is signed with the secret, by HMAC-SHA256; its claims are not looked at.
    static func hasSignature(_ token: String, secret: String) -> Bool {
        (try? signedClaims(token, Array(secret.utf8))) != nil
    }

    private static func signedClaims(_ token: String, _ key: [UInt8]) throws(WebTokenError) -> JSON {
        var decoded: OpaquePointer?
        guard jwt_decode(&decoded, token, key, Int32(key.count)) == 0, let decoded else { throw .invalid }
        let handle = Handle(owning: decoded)
        guard jwt_get_alg(handle.pointer) == JWT_ALG_HS256, let text = jwt_get_grants_json(handle.pointer, nil) else {
            throw .invalid
        }
        defer { free(text) }
        guard let claims = try? JSON(parsing: String(cString: text)), claims.object != nil else { throw .invalid }
        return claims
    }

    /// A token's header, which is not verified yet.
    private static func header(of token: String) -> JSON? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let standard = parts[0].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padded = String(standard) + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        guard let bytes = Data(base64Encoded: padded) else { return nil }
        return try? JSON(parsing: Array(bytes))
    }

    /// Owns a token that libjwt allocated.
    private struct Handle: ~Copyable {
        let pointer: OpaquePointer

        init() throws(WebTokenError) {
            var made: OpaquePointer?
            guard jwt_new(&made) == 0, let made else { throw .unusable }
            pointer = made
        }

        init(owning pointer: OpaquePointer) { self.pointer = pointer }

        deinit { jwt_free(pointer) }
    }
}

/// The reason why a token is refused.
package enum WebTokenError: Error, Equatable, Sendable {
    /// Its lifetime is over.
    case expired
    /// It is malformed, names another algorithm, has a wrong signature, or lacks a required claim.
    case invalid
    /// A token could not be made.
    case unusable
}

extension JSON {
    /// A time in seconds since 1970, as `exp` and `nbf` hold it; they may have fractions.
    fileprivate var seconds: Int64? { integer ?? double.flatMap { Int64(exactly: $0.rounded(.down)) } }
}
