/// How much of one text stands in another.
enum TextSimilarity {
    /// From 0 to 1: the share of the characters of `text` whose words `reference` has too.
    static func share(of text: String, in reference: String) -> Double {
        let words = words(text)
        let known = Set(self.words(reference))
        let all = words.reduce(0) { $0 + $1.count }
        guard all > 0, !known.isEmpty else { return 0 }
        let unknown = words.reduce(0) { $0 + (known.contains($1) ? 0 : $1.count) }
        return 1 - Double(unknown) / Double(all)
    }

    /// Words in lower case; each ideograph and kana is a word, since no spaces stand between those.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        func isWordByItself(_ scalar: Unicode.Scalar) -> Bool {
            (0x3040...0x30FF).contains(scalar.value) || (0x3400...0x9FFF).contains(scalar.value)
                || scalar.value >= 0x20000
        }
        for scalar in text.lowercased().unicodeScalars {
            if isWordByItself(scalar) {
                words.append(String(scalar))
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                word.unicodeScalars.append(scalar)
                continue
            }
            if !word.isEmpty { words.append(word) }
            word = ""
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
