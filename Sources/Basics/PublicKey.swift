internal import CCrypto

/// A public key that verifies signatures over SHA-256: ECDSA on P-256, or RSA with PKCS #1 v1.5.
///
/// `@unchecked Sendable`: the key is made once and only read afterwards, which OpenSSL permits from several threads.
package final class PublicKey: @unchecked Sendable {
    /// The sizes of RSA keys that are taken, in bits.
    package static let rsaBits = 2048...8192

    private let handle: OpaquePointer
    private let isRSA: Bool

    private init(_ handle: OpaquePointer, isRSA: Bool) { (self.handle, self.isRSA) = (handle, isRSA) }

    deinit { EVP_PKEY_free(handle) }

    /// A key on P-256 from its coordinates; `nil` when they are not 32 bytes each or not a point of the curve.
    package static func p256(x: [UInt8], y: [UInt8]) -> PublicKey? {
        guard x.count == 32, y.count == 32 else { return nil }
        return dossier_p256_key([4] + x + y).map { PublicKey($0, isRSA: false) }
    }

    /// An RSA key from its modulus and exponent, both big-endian; `nil` for a modulus of another size, and for an
    /// exponent that is even, one, or longer than 64 bits.
    package static func rsa(modulus: [UInt8], exponent: [UInt8]) -> PublicKey? {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let first = modulus.first, let end = modulus.last, end & 1 == 1,
            rsaBits.contains(modulus.count * 8 - first.leadingZeroBitCount),
            let last = exponent.last, last & 1 == 1, exponent != [1], exponent.count <= 8
        else { return nil }
        return dossier_rsa_key(modulus, Int32(modulus.count), exponent, Int32(exponent.count))
            .map { PublicKey($0, isRSA: true) }
    }

    /// Whether a signature over a text is this key's. That of a P-256 key is `r` and `s`, 64 bytes, never DER.
    package func verifies(_ signature: [UInt8], of text: [UInt8]) -> Bool {
        if isRSA { return dossier_verify(handle, signature, signature.count, text, text.count) == 1 }
        return signature.count == 64 && dossier_verify_p256(handle, signature, text, text.count) == 1
    }
}

/// Random bytes for secrets, from OpenSSL's generator.
package enum RandomBytes {
    package static func make(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the generator of random bytes failed")
        return bytes
    }
}
