/// A coding key that says how the wire writes it, where that is not snake case.
protocol WireKey: CodingKey {
    var wireName: String { get }
}

/// Keys of the answers that the documents print in camel case: forecasts and the personalized feed.
protocol CamelCaseKey: WireKey {}

extension CamelCaseKey {
    var wireName: String { WireNames.lowerCamelCase(WireNames.words(of: stringValue)) }
}

/// A name on the wire, as a coding key of the decoder's or encoder's.
struct WireName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// Names on the wire (`image_url`, `lookbackDays`) and in Swift (`imageURL`, `lookbackDays`).
enum WireNames {
    /// Words that Swift writes in capitals when they are not the first one.
    private static let acronyms: Set<String> = ["id", "url"]

    /// `job_id` and `jobId` become `jobID`.
    static func swiftName(of wireName: String) -> String {
        let words = words(of: wireName)
        guard let first = words.first else { return wireName }
        return first
            + words.dropFirst().map { acronyms.contains($0) ? $0.uppercased() : capitalized($0) }.joined()
    }

    /// `jobID` becomes `job_id`, unless its type says otherwise.
    static func wireName(of key: any CodingKey) -> String {
        if let key = key as? any WireKey { return key.wireName }
        return words(of: key.stringValue).joined(separator: "_")
    }

    static func lowerCamelCase(_ words: [String]) -> String {
        (words.first ?? "") + words.dropFirst().map(capitalized).joined()
    }

    /// The words of a name in snake case or camel case, in lower case: `userIDHash` has three.
    static func words(of name: String) -> [String] {
        let bytes = Array(name.utf8)
        var words: [[UInt8]] = [[]]
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "_") {
                words.append([])
                continue
            }
            if isUppercase(byte), index > 0, !words[words.count - 1].isEmpty {
                let beginsWord =
                    !isUppercase(bytes[index - 1]) || (index + 1 < bytes.count && isLowercase(bytes[index + 1]))
                if beginsWord { words.append([]) }
            }
            words[words.count - 1].append(isUppercase(byte) ? byte + 32 : byte)
        }
        return words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
    private static func isUppercase(_ byte: UInt8) -> Bool { byte >= 65 && byte <= 90 }
    private static func isLowercase(_ byte: UInt8) -> Bool { byte >= 97 && byte <= 122 }
}
