/// A number in words, up to the first scale word: `twenty-five`, `one hundred and ten`, `two point five`, `half a`.
struct WordNumber {
    private(set) var value = 0.0
    private(set) var step = 1.0
    /// Behind its last token.
    private(set) var end: Int
    /// Up to twelve in one word: a count such as "three risks" unless a unit follows.
    private(set) var isSmall = false

    private let tokens: [FigureToken]

    init?(tokens: [FigureToken], at place: Int) {
        self.tokens = tokens
        end = place
        guard place < tokens.count, tokens[place].isWord else { return nil }
        guard takeArticle() || takeHundreds() else { return nil }
        takeDecimals()
    }

    private func lower(_ offset: Int = 0) -> String? {
        tokens.indices.contains(end + offset) ? tokens[end + offset].lower : nil
    }

    /// `a billion`, `half a billion`
    private mutating func takeArticle() -> Bool {
        if lower() == "half", lower(1) == "a", let scale = lower(2), NumberWords.scales[scale] != nil {
            value = 0.5
            step = 0.1
            end += 2
            return true
        }
        guard lower() == "a" || lower() == "an", let scale = lower(1), NumberWords.scales[scale] != nil else {
            return false
        }
        end += 1
        value = scale == "hundred" ? hundreds(1) : 1
        return true
    }

    private mutating func takeHundreds() -> Bool {
        guard let first = takeTens() else { return false }
        isSmall = first <= 12 && lower() != "hundred"
        value = hundreds(first)
        return true
    }

    /// With what follows "hundred", when it is more than a scale word: `one hundred and ten`.
    private mutating func hundreds(_ first: Double) -> Double {
        guard lower() == "hundred" else { return first }
        let before = end
        end += lower(1) == "and" ? 2 : 1
        guard let rest = takeTens() else {
            end = before
            return first
        }
        return first * 100 + rest
    }

    private mutating func takeTens() -> Double? {
        guard let word = lower() else { return nil }
        if let small = NumberWords.small[word] {
            end += 1
            return small
        }
        guard let tens = NumberWords.tens[word] else { return nil }
        end += 1
        let hyphen = lower() == "-" ? 1 : 0
        if let next = lower(hyphen), let unit = NumberWords.small[next], (1...9).contains(unit) {
            end += hyphen + 1
            return tens + unit
        }
        return tens
    }

    /// `two point five`
    private mutating func takeDecimals() {
        guard lower() == "point", let first = lower(1), NumberWords.small[first].map({ $0 < 10 }) == true else {
            return
        }
        end += 1
        isSmall = false
        while let word = lower(), let digit = NumberWords.small[word], digit < 10 {
            step /= 10
            value += digit * step
            end += 1
        }
    }
}
