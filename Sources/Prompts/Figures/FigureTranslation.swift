internal import Basics

/// Gives the words of a German, Spanish or French text the English forms by which figures are recognised. Each token
/// keeps its place in the text, so that messages quote what was written.
struct FigureTranslation {
    private let words: ForeignFigureWords
    private let language: Language
    private let source: [FigureToken]
    private var place = 0
    private var tokens: [FigureToken] = []

    static func translate(_ tokens: [FigureToken], from language: Language) -> [FigureToken] {
        guard let words = ForeignFigureWords.of(language) else { return ArabicFigureWords.translate(tokens) }
        var translation = FigureTranslation(words: words, language: language, source: tokens)
        translation.run()
        translation.markRounded()
        return translation.tokens
    }

    /// "416.200 millones" is as exact as "416.2 billion": its last zeros are none that were counted.
    private mutating func markRounded() {
        for place in tokens.indices.dropLast() where NumberWords.scales[tokens[place + 1].lower] == 1e6 {
            guard var numeral = tokens[place].numeral, numeral.isGrouped, numeral.trailingZeros >= 2 else { continue }
            numeral.isRounded = true
            tokens[place].kind = .number(numeral)
        }
    }

    private init(words: ForeignFigureWords, language: Language, source: [FigureToken]) {
        self.words = words
        self.language = language
        self.source = source
    }

    private func token(_ offset: Int = 0) -> FigureToken? {
        source.indices.contains(place + offset) ? source[place + offset] : nil
    }

    private mutating func run() {
        while place < source.count {
            if takeOrdinal() || takeWholeScore() || takePhrase() || takeScaleLetter() { continue }
            if takeUSDollars() || takeNumberWords() { continue }
            takeWord()
        }
    }

    /// Adds the English form of the next tokens, which then count as one.
    private mutating func take(_ count: Int, as english: String) {
        var token = source[place]
        token.range = token.range.lowerBound..<source[place + count - 1].range.upperBound
        (token.kind, token.text, token.lower) = (.word, english, english.lowercased())
        tokens.append(token)
        place += count
    }

    private mutating func takeWord() {
        guard let token = token(), token.isWord else { return keep() }
        let lower = Self.withoutElision(token.lower)
        if let verb = separated(lower) { return take(1, as: verb) }
        if words.links.contains(lower) {
            // "12 millions d'euros", "más de 3", "un recul de 3 %": the link says nothing, but for a change by an amount.
            let last = tokens.last?.lower ?? ""
            if FigureVocabulary.hedges.contains(last) || NumberWords.scales[last] != nil {
                place += 1
                return
            }
            // "sank von 8,4 auf 8,1": a start, no amount of a change.
            let isStart = source[min(place + 1, source.count)...].prefix(5).contains { $0.lower == "auf" }
            if words.isChange(last), isAmount(at: place + 1) { return take(1, as: isStart ? "from" : "by") }
        }
        guard let english = words.single[lower] else { return keep() }
        take(1, as: english)
        // "Mrd.", "Mio.": the full stop belongs to the abbreviation.
        if words.dotted.contains(lower), let dot = self.token(), dot.text == ".", dot.isGlued { place += 1 }
    }

    private mutating func keep() {
        tokens.append(source[place])
        place += 1
    }

    /// `d'euros` is `euros`.
    private static func withoutElision(_ word: String) -> String {
        for head in ["d'", "l'", "qu'", "s'", "n'"] where word.hasPrefix(head) {
            return String(word.dropFirst(head.count))
        }
        return word
    }

    private func isAmount(at place: Int) -> Bool {
        guard source.indices.contains(place) else { return false }
        let token = source[place]
        if token.numeral != nil || Currencies.symbols[token.text] != nil { return true }
        let lower = Self.withoutElision(token.lower)
        return words.numbers[lower] != nil || FigureVocabulary.hedges.contains(words.single[lower] ?? "")
    }

    // MARK: Phrases

    private mutating func takePhrase() -> Bool {
        guard let first = token(), first.isWord else { return false }
        for phrase in words.phrases[Self.withoutElision(first.lower)] ?? [] {
            let rest = phrase.rest.enumerated().allSatisfy { Self.withoutElision(token($0 + 1)?.lower ?? "") == $1 }
            guard rest else { continue }
            take(phrase.rest.count + 1, as: phrase.english)
            return true
        }
        return false
    }

    /// A verb whose second part ends the clause: `ging um 3 Prozent zurück`, `legte 4 Prozent zu`.
    private func separated(_ lower: String) -> String? {
        guard let parts = words.separable[lower] else { return nil }
        for token in source[min(place + 1, source.count)...].prefix(14) {
            if [".", "!", "?", ";"].contains(token.text) { return nil }
            if let english = parts[token.lower] { return english }
        }
        return nil
    }

    /// `3. Quartal`, `15. März`, `1er mars`, `2e trimestre`: an ordinal is no figure.
    private mutating func takeOrdinal() -> Bool {
        guard let number = token(), let numeral = number.numeral, numeral.isWhole, numeral.digits <= 2,
            let mark = token(1), mark.isGlued
        else { return false }
        if language == .german {
            guard mark.text == ".", let noun = token(2), Abbreviations.afterOrdinals.contains(noun.lower) else {
                return false
            }
            keep()
            // A date is known by its month; everything else by the ending of the number.
            if words.single[noun.lower].map({ FigureVocabulary.months.contains($0) }) == true {
                place += 1
            } else {
                take(1, as: "th")
            }
            return true
        }
        guard ["er", "e", "ème", "eme", "º", "ª", "o", "t", "s"].contains(mark.lower) else { return false }
        keep()
        take(1, as: mark.lower == "er" ? "st" : ["t", "s"].contains(mark.lower) ? "q" : "th")
        return true
    }

    /// `96 von 100`, `96 sobre 100`, `96 points sur 100`: the second number is only the scale of the first.
    private mutating func takeWholeScore() -> Bool {
        guard let link = token(), Self.scoreLinks.contains(link.lower), let last = tokens.last,
            last.numeral != nil || ["points", "point"].contains(last.lower),
            let whole = token(1)?.numeral, whole.isWhole, [5, 10, 100].contains(whole.value)
        else { return false }
        take(1, as: "of")
        return true
    }

    private static let scoreLinks: Set<String> = ["von", "de", "sobre", "sur"]

    // MARK: Money

    /// `3,2 M€`, `5 Md$`
    private mutating func takeScaleLetter() -> Bool {
        guard let letter = token(), let sign = token(1), sign.isGlued, Currencies.symbols[sign.text] != nil,
            source.indices.contains(place - 1), source[place - 1].numeral != nil,
            let english = ["m": "million", "md": "billion", "mds": "billion", "mrd": "billion", "mio": "million"][
                letter.lower]
        else { return false }
        take(1, as: english)
        return true
    }

    /// `US-Dollar`
    private mutating func takeUSDollars() -> Bool {
        guard token()?.lower == "us", token(1)?.text == "-", let noun = token(2),
            words.single[noun.lower] == "dollars"
        else { return false }
        take(3, as: "dollars")
        return true
    }

    // MARK: Numbers in words

    /// French `19 cents`, `un cent`: coins. A hundred is written in digits or stands behind a small number in words.
    private mutating func takeCents() -> Bool {
        guard language == .french, let word = token(), ["cent", "cents"].contains(word.lower),
            source.indices.contains(place - 1)
        else { return false }
        let before = source[place - 1]
        let isBehindDigits = before.numeral != nil
        let isOne = word.lower == "cent" && Self.withoutElision(before.lower) == "un"
        guard isBehindDigits || isOne || (tokens.last?.numeral?.value ?? 0) >= 17 else { return false }
        take(1, as: isOne ? "cent" : "cents")
        return true
    }

    private mutating func takeNumberWords() -> Bool {
        if takeCents() { return true }
        guard let first = token(), first.isWord,
            let (value, count) = NumberWordRun.read(source[place...], words.numbers, language)
        else { return false }
        if let scale = words.scaleNames[value], count == 1, words.single[first.lower] == scale {
            // "dos mil", "trois cents": a scale behind a number, else a thousand of its own.
            if tokens.last?.numeral != nil || tokens.last.map({ NumberWords.small[$0.lower] != nil }) == true {
                take(1, as: scale)
                return true
            }
        }
        if value <= 12, let small = NumberWords.small.first(where: { $0.value == value }) {
            take(count, as: small.key)
            return true
        }
        var token = first
        token.range = token.range.lowerBound..<source[place + count - 1].range.upperBound
        let digits = String(Int64(value))
        token.kind = .number(
            .init(
                value: value, decimals: 0, trailingZeros: 0, digits: digits.count, isGrouped: value >= 1000))
        (token.text, token.lower) = (digits, digits)
        tokens.append(token)
        place += count
        return true
    }
}

/// A run of words that make one number.
enum NumberWordRun {
    /// The value below a thousand, or below a million in German and Spanish, and the number of its tokens.
    static func read(
        _ tokens: ArraySlice<FigureToken>, _ numbers: [String: Double], _ language: Language
    ) -> (value: Double, count: Int)? {
        if language == .german {
            return tokens.first.flatMap { GermanNumber.value(of: $0.lower, numbers) }.map { ($0, 1) }
        }
        var total = 0.0
        var last = Double.infinity
        var count = 0
        var place = tokens.startIndex
        while place < tokens.endIndex {
            // treinta y cinco, vingt et un, dix-sept
            let isJoined = count > 0 && ["y", "et", "-"].contains(tokens[place].lower)
            let next = isJoined ? place + 1 : place
            guard next < tokens.endIndex else { break }
            // "un" alone is an article.
            let unit: Double? = isJoined && tokens[next].lower == "un" ? 1 : nil
            guard let value = numbers[tokens[next].lower] ?? unit else { break }
            if value == 100, count > 0, total < 10, last < 10 {
                total *= 100
            } else if value == 20, total.truncatingRemainder(dividingBy: 100) == 4, last == 4, isJoined {
                total += 76
            } else if count == 0 || value < min(last, 100) && fits(value, after: last) {
                total += value
            } else {
                break
            }
            last = value == 20 && total.truncatingRemainder(dividingBy: 100) == 80 ? 80 : value
            place = next + 1
            count = place - tokens.startIndex
        }
        return count == 0 ? nil : (total, count)
    }

    /// Units follow tens, tens and units hundreds; in French ten to nineteen follow sixty and eighty, too.
    private static func fits(_ value: Double, after last: Double) -> Bool {
        switch last {
        case ..<20: last == 10 && value >= 7 && value < 10
        case 20..<100: value < 10 || last >= 60 && value < 20
        default: true
        }
    }
}

/// Reads German numbers, which are written as one word: `einundzwanzig`, `zweihundertfünfzig`, `dreitausend`.
enum GermanNumber {
    static func value(of word: String, _ numbers: [String: Double]) -> Double? {
        if let value = numbers[word] { return value }
        for (name, factor) in [("tausend", 1000.0), ("hundert", 100.0)] {
            guard let range = word.firstRange(of: name) else { continue }
            let (head, tail) = (String(word[..<range.lowerBound]), String(word[range.upperBound...]))
            guard let count = head.isEmpty ? 1 : value(of: head, numbers), count < factor else { return nil }
            let bare = tail.hasPrefix("und") ? String(tail.dropFirst(3)) : tail
            guard let rest = bare.isEmpty ? 0 : value(of: bare, numbers), rest < factor else { return nil }
            return count * factor + rest
        }
        guard let range = word.firstRange(of: "und"), let unit = numbers[String(word[..<range.lowerBound])],
            let tens = numbers[String(word[range.upperBound...])], unit < 10, tens >= 20
        else { return nil }
        return tens + unit
    }
}
