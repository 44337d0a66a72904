internal import Basics
internal import JSON

/// A token of an identity provider as it was sent: parsed strictly, not verified.
struct ProviderToken: Sendable {
    enum Algorithm: String, Sendable {
        /// With the secret that is shared with Supabase.
        case hs256 = "HS256"
        /// With a public key of the provider.
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// The compact form.
    let text: String
    let algorithm: Algorithm
    let keyID: String?
    let claims: JSON
    let signature: [UInt8]
    /// The bytes that the signature covers.
    let signed: [UInt8]

    /// Reads the compact form. Keys and addresses of keys that a header names (`jwk`, `jku`, `x5c`, `x5u`) have no
    /// effect.
    ///
    /// - Returns: `nil` for a text that is too long or has another form, for objects with repeated members, for another
    ///   algorithm, and for extensions that a token names as critical: this service knows none.
    init?(_ text: String) {
        guard text.utf8.count <= WebToken.longestToken else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.decode(parts[2]), header["crit"] == nil,
            let algorithm = header["alg"]?.string.flatMap(Algorithm.init)
        else { return nil }
        // A key id of another type names no key, which is not the same as none.
        guard header["kid"] == nil || header["kid"]?.string != nil else { return nil }
        (self.text, self.algorithm, self.claims, self.signature) = (text, algorithm, claims, signature)
        keyID = header["kid"]?.string
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    private static func object(_ part: Substring) -> JSON? {
        guard let bytes = Base64URL.decode(part), let value = try? JSON(parsing: bytes, isStrict: true),
            value.object != nil
        else { return nil }
        return value
    }
}
