/// What JavaScript's `\s` and `trim()` count as whitespace, which is what the format is defined by.
enum JavaScriptWhitespace {
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }

    static func isBlank(_ text: some StringProtocol) -> Bool { text.unicodeScalars.allSatisfy(contains) }

    static func trimmingStart(_ text: String) -> String {
        String(text.unicodeScalars.drop(while: contains))
    }

    static func trimmingEnd(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let last = scalars.lastIndex(where: { !contains($0) }) else { return "" }
        return String(scalars[...last])
    }
}
