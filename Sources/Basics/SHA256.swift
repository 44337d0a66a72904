internal import CCrypto

/// SHA-256, by which bundles, journalled inputs and recorded requests are named.
package enum SHA256 {
    /// The digest of the bytes, 32 bytes.
    package static func digest(_ input: [UInt8]) -> [UInt8] {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(SHA256_DIGEST_LENGTH)) { output in
            _ = CCrypto.SHA256(input, input.count, output.baseAddress)
            return Array(output)
        }
    }

    /// The digest of the bytes as 64 lower-case hexadecimal digits.
    package static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let digest = digest(Array(bytes))
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The digest of a text's UTF-8 bytes.
    package static func hex(_ text: String) -> String { hex(text.utf8) }
}

/// Comparison of secrets in constant time.
package enum ConstantTime {
    package static func equal(_ left: String, _ right: String) -> Bool {
        let one = Array(left.utf8)
        let other = Array(right.utf8)
        return one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}
