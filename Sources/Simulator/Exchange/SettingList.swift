internal import Basics
internal import JSON

/// Settings as a flag writes them: `first_byte 0.8, tail 0.02`.
enum SettingList {
    /// The amounts by their names.
    static func amounts(_ text: String, example: String) throws(SettingSyntaxError) -> JSONObject {
        var fields = JSONObject()
        for item in text.split(separator: ",") {
            let words = item.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 2, let amount = Double(words[1]) else {
                throw SettingSyntaxError("'\(String(item).trimmed)' must be a name and a number, as \(example)")
            }
            fields[words[0]] = JSON(amount)
        }
        return fields
    }
}

/// The reason why a setting is not understood.
package struct SettingSyntaxError: Error, Equatable, CustomStringConvertible, Sendable {
    package let description: String

    init(_ description: String) { self.description = description }
}
