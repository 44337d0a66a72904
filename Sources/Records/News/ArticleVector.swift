/// What a model of embeddings made of an article's title and description. An article has one vector at most, the first.
public struct ArticleVector: Hashable, Sendable, Codable {
    /// The article's id.
    public var article: String
    /// The model; vectors of different models cannot be compared.
    public var model: String
    /// The vector's parts as 32-bit numbers, eight hexadecimal digits each.
    public var components: String

    public init(article: String, model: String, components: String) {
        self.article = article
        self.model = model
        self.components = components
    }

    public init(article: String, model: String, values: [Float]) {
        var digits: [UInt8] = []
        digits.reserveCapacity(values.count * 8)
        for value in values {
            for shift in stride(from: 28, through: 0, by: -4) {
                let digit = UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift) & 15)
                digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        self.init(article: article, model: model, components: String(decoding: digits, as: UTF8.self))
    }

    /// The vector's parts.
    public var values: [Float] {
        var values: [Float] = []
        var (bits, digits): (UInt32, Int) = (0, 0)
        values.reserveCapacity(components.utf8.count / 8)
        for letter in components.utf8 {
            bits = bits << 4 | UInt32(letter <= UInt8(ascii: "9") ? letter & 15 : letter & 15 + 9)
            digits += 1
            guard digits == 8 else { continue }
            values.append(Float(bitPattern: bits))
            (bits, digits) = (0, 0)
        }
        return values
    }
}

extension ArticleVector: StoredRecord {
    package static var noun: String { "article_vector" }
    package var naturalKey: String { article }
    package var texts: [(name: String, text: String?)] {
        [
            ("article_vector.article", article), ("article_vector.model", model),
            ("article_vector.components", components),
        ]
    }
}
