/// Texts that come without markup.
package enum PlainText {
    /// The text in any encoding, with line feeds alone between lines and no other control characters.
    package static func read(_ body: [UInt8], contentType: String? = nil) -> String {
        let text = String(decoding: CharacterEncoding.utf8(body, contentType: contentType), as: UTF8.self)
        let unix = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return String(
            String.UnicodeScalarView(
                unix.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control })
        ).trimmed
    }
}
