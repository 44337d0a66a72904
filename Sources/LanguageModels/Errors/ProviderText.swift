internal import Basics

/// Texts of providers on their way into errors.
enum ProviderText {
    /// A name from a provider (a category, a reason) with only harmless characters, cut to 80.
    static func token(_ text: String) -> String {
        String(
            text.unicodeScalars.prefix(80).map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-./[]".unicodeScalars.contains(scalar))
                    ? Character(scalar) : "_"
            })
    }

    /// A message for developers: one line, cut to 500 characters, without the key.
    static func detail(_ text: String?, without secret: Secret?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let line = String(text.map { $0.isNewline ? " " : $0 }.prefix(2000))
        return String((secret?.redact(line) ?? line).prefix(500))
    }
}
