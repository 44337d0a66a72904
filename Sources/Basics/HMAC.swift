internal import CCrypto

/// HMAC with SHA-256 (RFC 2104), by which deliveries of webhooks are signed.
package enum HMAC {
    /// The code of the message, 32 bytes.
    package static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var length: UInt32 = 0
        _ = CCrypto.HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &length)
        return code
    }
}

/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        let digits = Base64URL.encode(bytes).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
        return String(digits) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
    }

    /// The bytes of a text in its one canonical form, with padding.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0, !text.contains("-"), !text.contains("_") else { return nil }
        let digits = text.prefix { $0 != "=" }
        guard text.utf8.count - digits.utf8.count <= 2, text.dropFirst(digits.count).allSatisfy({ $0 == "=" }) else {
            return nil
        }
        return Base64URL.decode(String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }))
    }
}
