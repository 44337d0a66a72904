import FoundationEssentials

/// Texts that feeds carry in Base64.
enum Base64 {
    /// `nil` for what is no Base64.
    static func text(_ encoded: String) -> String? {
        Data(base64Encoded: encoded.filter { !$0.isWhitespace }).map { String(decoding: $0, as: UTF8.self) }
    }
}
