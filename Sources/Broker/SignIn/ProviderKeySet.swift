internal import Basics
internal import JSON

/// The public keys of an identity provider that verify tokens: the usable ones of a JWK set (RFC 7517).
struct ProviderKeySet: Sendable {
    /// The number of keys above which a set is refused.
    static let limit = 100

    struct Key: Sendable {
        let id: String?
        let algorithm: ProviderToken.Algorithm
        let publicKey: PublicKey
    }

    let keys: [Key]

    /// Reads a set. Keys that cannot be used are passed over: other types and curves, short RSA, keys for other uses,
    /// and all keys whose id comes twice.
    ///
    /// - Returns: `nil` for a text that is no set, and for one above the limit.
    init?(_ text: [UInt8]) {
        guard let set = try? JSON(parsing: text, isStrict: true), let all = set["keys"]?.array,
            all.count <= Self.limit
        else { return nil }
        let ids = all.compactMap { $0["kid"]?.string }
        keys = all.compactMap { key in
            if let id = key["kid"], ids.count(where: { JSON($0) == id }) != 1 { return nil }
            return Key(key)
        }
    }

    /// The key of a token: the one that it names, else the only one with its algorithm. The algorithm belongs to the
    /// key, not to the token.
    func key(for token: ProviderToken) -> Key? {
        let candidates = keys.filter { $0.algorithm == token.algorithm }
        guard let id = token.keyID else { return candidates.count == 1 ? candidates[0] : nil }
        return candidates.first { $0.id?.hasSameBytes(as: id) == true }
    }

    /// Whether a key has the id, whatever its algorithm.
    func has(_ id: String) -> Bool { keys.contains { $0.id?.hasSameBytes(as: id) == true } }
}

extension ProviderKeySet.Key {
    /// Makes a key from a JWK; `nil` when it cannot verify tokens.
    init?(_ key: JSON) {
        func bytes(_ name: String) -> [UInt8]? { key[name]?.string.flatMap(Base64URL.decode) }
        guard key["use"] == nil || key["use"] == "sig",
            key["key_ops"] == nil || key["key_ops"]?.array?.contains("verify") == true
        else { return nil }
        let made: (ProviderToken.Algorithm, PublicKey?)
        switch key["kty"]?.string {
        case "EC":
            guard key["crv"] == "P-256", let x = bytes("x"), let y = bytes("y") else { return nil }
            made = (.es256, .p256(x: x, y: y))
        case "RSA":
            guard let modulus = bytes("n"), let exponent = bytes("e") else { return nil }
            made = (.rs256, .rsa(modulus: modulus, exponent: exponent))
        default: return nil
        }
        guard let publicKey = made.1, key["alg"] == nil || key["alg"] == JSON(made.0.rawValue) else { return nil }
        (id, algorithm, self.publicKey) = (key["kid"]?.string, made.0, publicKey)
    }
}
