internal import CJWT
internal import Glibc
internal import Foundation
package import JSON

/// JSON Web Tokens signed with HMAC-SHA256 (RFC 7519, `HS256`), by libjwt.
///
/// The algorithm is fixed by whoever verifies: a token that names another one, or none, is refused before its
/// signature is looked at.
package enum WebToken {
    /// More than any token of ours or of an identity provider; what is longer is refused unread.
    package static let longestToken = 8192

    /// The compact form of signed claims.
    ///
    /// - Throws: `unusable` when the claims are no object or libjwt cannot make the token.
    package static func sign(_ claims: JSON, secret: String) throws(WebTokenError) -> String {
        let token = try Handle()
        let key = Array(secret.utf8)
        guard claims.object != nil, jwt_add_grants_json(token.pointer, claims.compact) == 0,
            jwt_set_alg(token.pointer, JWT_ALG_HS256, key, Int32(key.count)) == 0,
            let text = jwt_encode_str(token.pointer)
        else { throw .unusable }
        defer { free(text) }
        return String(cString: text)
    }

    /// The claims of a token whose signature is right and whose time it is.
    ///
    /// - Parameters:
    ///   - token: The compact form.
    ///   - secret: What it must be signed with.
    ///   - now: Seconds since 1970. A token without `exp` is refused; `nbf` is honoured when it is there.
    /// - Returns: An object.
    /// - Throws: `expired` when only its time is over, else `invalid`.
    package static func verify(_ token: String, secret: String, now: Int64) throws(WebTokenError) -> JSON {
        guard token.utf8.count <= longestToken, !token.utf8.contains(0), algorithm(of: token) == "HS256" else {
            throw .invalid
        }
        let claims = try signedClaims(token, Array(secret.utf8))
        guard let expiry = claims["exp"]?.seconds else { throw .invalid }
        if let start = claims["nbf"]?.seconds, start > now { throw .invalid }
        guard now < expiry else { throw .expired }
        return claims
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

    /// What the first part of a token says it is signed with.
    private static func algorithm(of token: String) -> String? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let standard = parts[0].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        let padded = String(standard) + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        guard let bytes = Data(base64Encoded: padded), let header = try? JSON(parsing: Array(bytes)) else { return nil }
        return header["alg"]?.string
    }

    /// Owns what libjwt allocated.
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

/// Why a token is not taken.
package enum WebTokenError: Error, Equatable, Sendable {
    /// It was good once.
    case expired
    /// It is no token, names another algorithm, was signed with another secret, or lacks what it must say.
    case invalid
    /// A token could not be made.
    case unusable
}

extension JSON {
    /// A moment in seconds since 1970, as `exp` and `nbf` hold it; fractions are allowed there.
    fileprivate var seconds: Int64? { integer ?? double.flatMap { Int64(exactly: $0.rounded(.down)) } }
}
