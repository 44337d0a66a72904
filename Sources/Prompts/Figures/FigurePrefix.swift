/// What stands before a number and belongs to it: a sign, a currency, a bracket, a verb.
struct FigurePrefix {
    private typealias Words = FigureVocabulary

    private(set) var currency: Set<String>?
    private(set) var direction: Figure.Direction?
    private(set) var isBracketed = false
    /// Whether words such as "about" say that the number is rounded further than its digits show.
    private(set) var isHedged = false
    /// The first token of the figure.
    private(set) var start: Int

    private let tokens: [FigureToken]
    private let floor: Int

    /// - Parameters:
    ///   - tokens: Of the whole text.
    ///   - place: Of the number.
    ///   - floor: Where the figure before ends.
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
        // A dash right behind something else joins or parts words and ranges; it is no minus.
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
