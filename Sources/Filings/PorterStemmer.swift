/// Porter's stemmer for English (1980), so that "concentrated" and "concentration" are one word: the one of `Basics`
/// keeps them apart.
enum PorterStemmer {
    /// The stem of a word in small letters; other words stay as they are.
    static func stem(_ word: String) -> String {
        guard word.utf8.count > 3, word.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
        var stemmed = Word(letters: Array(word.utf8))
        stemmed.run()
        return String(decoding: stemmed.letters, as: UTF8.self)
    }

    private struct Word {
        var letters: [UInt8]

        mutating func run() {
            plurals()
            if let rest = rest("y"), hasVowel(rest) { replace("y", "i") }
            firstMatch(Self.longEndings, measure: 1)
            firstMatch(Self.adjectives, measure: 1)
            for ending in Self.lastEndings where ends(ending) {
                if let rest = rest(ending), measure(rest) > 1 { replace(ending, "") }
                break
            }
            if let rest = rest("ion"), measure(rest) > 1,
                rest.last == UInt8(ascii: "s") || rest.last == UInt8(ascii: "t")
            {
                replace("ion", "")
            }
            if let rest = rest("e"), measure(rest) > 1 || (measure(rest) == 1 && !endsShort(rest)) { replace("e", "") }
            if ends("ll"), measure(letters[...]) > 1 { letters.removeLast() }
        }

        private mutating func plurals() {
            if ends("sses") {
                replace("sses", "ss")
            } else if ends("ies") {
                replace("ies", "i")
            } else if !ends("ss"), ends("s") {
                letters.removeLast()
            }
            if let rest = rest("eed") {
                if measure(rest) > 0 { letters.removeLast() }
                return
            }
            guard let ending = ["ed", "ing"].first(where: { rest($0).map(hasVowel) ?? false }) else { return }
            replace(ending, "")
            if ends("at") || ends("bl") || ends("iz") {
                letters.append(UInt8(ascii: "e"))
            } else if let last = letters.last, letters.count > 1, letters[letters.count - 2] == last,
                !isVowel(letters.count - 1, letters[...]), !Array("lsz".utf8).contains(last)
            {
                letters.removeLast()
            } else if measure(letters[...]) == 1, endsShort(letters[...]) {
                letters.append(UInt8(ascii: "e"))
            }
        }

        private static let longEndings = [
            ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
            ("abli", "able"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"),
            ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"),
            ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
        ]
        private static let adjectives = [
            ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
        ]
        /// The longest first.
        private static let lastEndings = [
            "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize",
            "al", "er", "or", "ic", "ou",
        ]

        private mutating func firstMatch(_ endings: [(String, String)], measure least: Int) {
            for (ending, replacement) in endings where ends(ending) {
                if let rest = rest(ending), measure(rest) >= least { replace(ending, replacement) }
                return
            }
        }

        private func ends(_ ending: String) -> Bool { letters.count > ending.utf8.count && letters.ends(with: ending) }

        private func rest(_ ending: String) -> ArraySlice<UInt8>? {
            ends(ending) ? letters.dropLast(ending.utf8.count) : nil
        }

        private mutating func replace(_ ending: String, _ replacement: String) {
            letters.removeLast(ending.utf8.count)
            letters += replacement.utf8
        }

        private func isVowel(_ place: Int, _ text: ArraySlice<UInt8>) -> Bool {
            switch text[place] {
            case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"): true
            case UInt8(ascii: "y"): place > 0 && !isVowel(place - 1, text)
            default: false
            }
        }

        private func hasVowel(_ text: ArraySlice<UInt8>) -> Bool { text.indices.contains { isVowel($0, text) } }

        /// The number of groups of vowels that consonants follow.
        private func measure(_ text: ArraySlice<UInt8>) -> Int {
            var groups = 0
            var wasVowel = false
            for place in text.indices {
                let vowel = isVowel(place, text)
                if wasVowel, !vowel { groups += 1 }
                wasVowel = vowel
            }
            return groups
        }

        /// Whether a text ends with a consonant, a vowel and a consonant that is not w, x or y.
        private func endsShort(_ text: ArraySlice<UInt8>) -> Bool {
            guard text.count >= 3, let last = text.last, !Array("wxy".utf8).contains(last) else { return false }
            let end = text.endIndex
            return !isVowel(end - 1, text) && isVowel(end - 2, text) && !isVowel(end - 3, text)
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
