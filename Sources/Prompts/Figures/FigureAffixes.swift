/// The tokens before a number that belong to it: a sign, a currency, a bracket, a verb.
struct FigurePrefix {
    private typealias Words = FigureVocabulary

    private(set) var currency: Set<String>?
    private(set) var direction: TextFigure.Direction?
    private(set) var isBracketed = false
    /// Whether a word such as "about" says that the number is rounded further than its digits show.
    private(set) var isHedged = false
    /// The first token of the figure.
    private(set) var start: Int

    private let tokens: [FigureToken]
    private let floor: Int

    /// The prefix of a number.
    ///
    /// - Parameters:
    ///   - tokens: The tokens of the whole text.
    ///   - place: The index of the number.
    ///   - floor: The end of the figure before.
    init(tokens: [FigureToken], at place: Int, after floor: Int) {
        self.tokens = tokens
        self.floor = floor
        start = place
        takeSign()
        takeCurrency()
        takeSign()
        if let before, before.text == "(", tokens[start].isGlued { isBracketed = true }
        readWords()
    }

    private var before: FigureToken? { start > floor ? tokens[start - 1] : nil }

    private mutating func takeSign() {
        guard direction == nil, let sign = before, ["-", "–", "+"].contains(sign.text), tokens[start].isGlued else {
            return
        }
        // A dash directly after another token joins or parts words and ranges; it is no minus.
        if sign.isGlued, start > 1, !isOpening(tokens[start - 2]) { return }
        direction = sign.text == "+" ? .up : .down
        start -= 1
    }

    private func isOpening(_ token: FigureToken) -> Bool {
        ["(", "[", "\"", "'", "~", "="].contains(token.text) || Currencies.symbols[token.text] != nil
    }

    private mutating func takeCurrency() {
        guard let mark = before else { return }
        if let codes = Currencies.symbols[mark.text] {
            currency = codes
            start -= 1
            if mark.text == "$", mark.isGlued, let prefix = before,
                let narrower = Currencies.dollarPrefixes[prefix.lower]
            {
                currency = narrower
                start -= 1
            }
        } else if Currencies.codes.contains(mark.text) {
            currency = Currencies.codes(of: mark.text)
            start -= 1
        }
    }

    private mutating func readWords() {
        guard let word = before?.lower else { return }
        isHedged = Words.hedges.contains(word)
        if word == "to", start - 2 >= floor {
            isHedged = ["close", "up", "near", "closer"].contains(tokens[start - 2].lower)
        }
        guard direction == nil else { return }
        var place = start - 1
        // fell by about 3%
        while place >= floor,
            ["by", "a", "further"].contains(tokens[place].lower) || Words.hedges.contains(tokens[place].lower)
        {
            place -= 1
        }
        guard place >= floor else { return }
        if Words.falls.contains(tokens[place].lower) { direction = .down }
        if Words.rises.contains(tokens[place].lower) { direction = .up }
    }
}

/// The tokens after a number that belong to it: a scale word, a unit, the upper end of the scale of a score.
struct FigureSuffix {
    private typealias Words = FigureVocabulary

    private(set) var scale = 1.0
    /// The unit as a part of the unit that facts have: a cent of a dollar, a basis point of a percent.
    private(set) var part = 1.0
    private(set) var kind: TextFigure.Reading.Kind?
    /// The index after the last token of the figure.
    private(set) var end: Int

    private let tokens: [FigureToken]
    private let start: Int

    init(tokens: [FigureToken], at place: Int, hasCurrency: Bool, isBracketed: Bool) {
        self.tokens = tokens
        start = place
        end = place
        if isBracketed { takeBracket() }
        takeScales(hasCurrency: hasCurrency)
        if !takePercent(), !takeBasisPoints(), !takeTimes(), !takeCurrency(), !takeShares() {
            takeYears()
            noteThings()
        }
        takeInMillions()
        if kind == nil || kind == .times { takeDenominator() }
    }

    /// Whether the number has no unit that makes it more than a count.
    var isBare: Bool {
        scale == 1 && (end == start || kind == .years)
    }

    private func token(_ offset: Int = 0) -> FigureToken? {
        tokens.indices.contains(end + offset) ? tokens[end + offset] : nil
    }

    private func glued(_ offset: Int = 0) -> FigureToken? { token(offset).flatMap { $0.isGlued ? $0 : nil } }

    /// A word at this place, or after a hyphen.
    private func word() -> (lower: String, length: Int)? {
        guard let next = token() else { return nil }
        if next.text == "-", next.isGlued, let word = glued(1), word.isWord { return (word.lower, 2) }
        return next.isWord ? (next.lower, 1) : nil
    }

    private mutating func takeScales(hasCurrency: Bool) {
        if let next = token(), let factor = NumberWords.shortScales[next.lower] {
            let isLetter = next.text.count == 1
            // `5 m` is five metres, `$5 M` five millions; `10-K` was taken for a form before.
            if next.isGlued || !isLetter || hasCurrency && next.isName {
                scale *= factor
                end += 1
                return
            }
        }
        while let (lower, length) = word(), let factor = NumberWords.scales[lower] {
            scale *= factor
            end += length
        }
    }

    /// The bookkeeper's `(2.8)%`, whose unit follows the bracket.
    private mutating func takeBracket() {
        guard glued()?.text == ")", let unit = token(1) else { return }
        if unit.text == "%" || NumberWords.scales[unit.lower] != nil || unit.lower == "percent" { end += 1 }
    }

    private mutating func takePercent() -> Bool {
        if token()?.text == "%" {
            end += 1
            takePoints()
        } else if let (lower, length) = word(), ["percent", "pct", "pp", "pps", "ppt", "ppts"].contains(lower) {
            end += length
            takePoints()
        } else if token()?.lower == "per", token(1)?.lower == "cent" {
            end += 2
        } else if let (lower, length) = word(), lower == "percentage" {
            end += length
            takePoints()
        } else {
            return false
        }
        kind = .percent
        return true
    }

    private mutating func takePoints() {
        if let (lower, length) = word(), lower == "point" || lower == "points" { end += length }
    }

    private mutating func takeBasisPoints() -> Bool {
        guard let (lower, length) = word() else { return false }
        if lower == "bps" || lower == "bp" {
            end += length
        } else if lower == "basis" {
            end += length
            takePoints()
        } else {
            return false
        }
        kind = .percent
        part = 0.01
        return true
    }

    private mutating func takeTimes() -> Bool {
        if let next = token(), next.lower == "x" || next.text == "×" {
            guard token(1)?.numeral == nil || !(glued(1) != nil) else { return false }
            end += 1
        } else if let (lower, length) = word(), lower == "times" || lower == "fold" {
            if lower == "times", let next = token(length)?.lower, ["in", "since", "a", "per", "during"].contains(next) {
                return false
            }
            end += length
            kind = lower == "fold" ? .multiple : .times
            return true
        } else {
            return false
        }
        kind = .times
        return true
    }

    private mutating func takeCurrency() -> Bool {
        var offset = 0
        // three billion US dollars
        if token()?.lower == "us" { offset = 1 }
        if token()?.lower == "u", token(1)?.text == ".", token(2)?.lower == "s" {
            offset = token(3)?.text == "." ? 4 : 3
        }
        if offset == 0, token()?.text == "-", glued(1).map({ Currencies.words[$0.lower] != nil }) == true { offset = 1 }
        guard let next = token(offset) else { return false }
        if let word = Currencies.words[next.lower] {
            kind = .money(word.codes)
            part = word.part
        } else if Currencies.codes.contains(next.text) {
            kind = .money(Currencies.codes(of: next.text))
        } else if let codes = Currencies.symbols[next.text],
            tokens.indices.contains(end + offset + 1) == false
                || tokens[end + offset + 1].numeral == nil
        {
            kind = .money(codes)
        } else {
            return false
        }
        end += offset + 1
        return true
    }

    private mutating func takeShares() -> Bool {
        var offset = 0
        while offset < 3, let next = token(offset), Words.shareAdjectives.contains(next.lower) { offset += 1 }
        guard let noun = token(offset)?.lower,
            noun == "shares" || noun == "share" && offset == 0 && token()?.text != "share"
        else { return false }
        kind = .shares
        end += offset + 1
        return true
    }

    private mutating func takeYears() {
        guard scale == 1, let (lower, length) = word(), lower == "years" || lower == "year" else { return }
        kind = .years
        end += length
    }

    /// `2.2 billion active devices`: the noun names the things that are counted; it is not part of the figure.
    private mutating func noteThings() {
        guard kind == nil, let next = token(), next.isWord else { return }
        if Words.things.contains(next.lower) || token(1).map({ Words.things.contains($0.lower) }) == true {
            kind = .count
        }
    }

    /// `416,161 (in millions)`
    private mutating func takeInMillions() {
        guard scale == 1 else { return }
        var offset = token()?.text == "(" ? 1 : 0
        guard token(offset)?.lower == "in", let word = token(offset + 1)?.lower else { return }
        let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
        guard word.hasSuffix("s"), let factor = NumberWords.scales[singular] else { return }
        scale = factor
        offset += 2
        if token(offset)?.text == ")" { offset += 1 }
        end += offset
    }

    /// `72/100`, `72 points out of a possible 100`, `72 (of 100)`, `0.89:1`, `4-for-1`: the second number is only
    /// the scale of the first.
    private mutating func takeDenominator() {
        guard scale == 1 else { return }
        if glued()?.text == ":", glued(1)?.text == "1" {
            end += 2
        } else if glued()?.text == "-", ["for", "to"].contains(glued(1)?.lower), glued(2)?.text == "-",
            glued(3)?.text == "1" || glued(3)?.lower == "one"
        {
            end += 4
        } else if token()?.text == "/", isWholeScore(token(1)) {
            end += 2
        } else {
            takeWholeScore()
        }
    }

    private mutating func takeWholeScore() {
        var offset = 0
        func skip(_ words: Set<String>) { if let next = token(offset), words.contains(next.lower) { offset += 1 } }
        skip(["points", "point"])
        skip(["("])
        skip(["out"])
        guard token(offset)?.lower == "of" else { return }
        offset += 1
        skip(["a", "the"])
        skip(["possible", "maximum"])
        guard isWholeScore(token(offset)), !isPercent(token(offset + 1)) else { return }
        end += offset + 1
    }

    private func isWholeScore(_ token: FigureToken?) -> Bool {
        if let numeral = token?.numeral { return [5, 10, 100].contains(numeral.value) }
        return token?.lower == "ten" || token?.lower == "hundred"
    }

    private func isPercent(_ token: FigureToken?) -> Bool { token?.text == "%" || token?.lower == "percent" }
}
