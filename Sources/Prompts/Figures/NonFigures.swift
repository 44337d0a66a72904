/// Finds numbers that state no quantity: years, dates, names of forms and indices, list numbers, spans of time.
struct NonFigures {
    private typealias Words = FigureVocabulary

    let tokens: [FigureToken]

    /// The number of tokens from a place on that are no figure; 0 when a figure could start there.
    func length(at place: Int) -> Int {
        let token = tokens[place]
        if let length = name(at: place) ?? citation(at: place) { return length }
        guard let numeral = token.numeral else { return wordSpan(at: place) ?? 0 }
        if let length = date(numeral, at: place) ?? year(numeral, at: place) ?? form(numeral, at: place) {
            return length
        }
        if let length = listNumber(numeral, at: place) ?? scaleEnds(numeral, at: place) { return length }
        if let length = span(numeral, at: place) ?? partCount(numeral, at: place) { return length }
        return isNamed(numeral, at: place) ? 1 : 0
    }

    // MARK: Names

    private func name(at place: Int) -> Int? {
        for name in Words.names where name[0] == tokens[place].lower {
            guard place + name.count <= tokens.count else { continue }
            if zip(tokens[place...], name).allSatisfy({ $0.lower == $1 }), !hasUnit(after: place + name.count - 1) {
                return name.count
            }
        }
        return nil
    }

    /// `[12]`, `[revenue_2025]`, `[3, 7]`: points to a source.
    private func citation(at place: Int) -> Int? {
        guard tokens[place].text == "[" else { return nil }
        for end in place + 1..<min(place + 14, tokens.count) {
            let token = tokens[end]
            if token.text == "]" { return hasUnit(after: end) ? nil : end - place + 1 }
            if let numeral = token.numeral, !numeral.isWhole || numeral.digits > 3 { return nil }
            if case .symbol = token.kind, ![",", "-", "–", ".", ":", "/"].contains(token.text) { return nil }
        }
        return nil
    }

    /// A whole number that names something: `Note 7`, `#3`, `COVID-19`, `5G`, `the 20th`.
    private func isNamed(_ numeral: FigureToken.Numeral, at place: Int) -> Bool {
        guard numeral.isWhole, !numeral.isGrouped else { return false }
        if let next = glued(place + 1), next.isWord {
            if next.lower == "g" || next.lower == "d" { return numeral.value < 10 }
            if Words.nameSuffixes.contains(next.lower) { return true }
            let isPeriod = "qh".contains(next.lower.prefix(1)) && next.lower.dropFirst().allSatisfy(\.isNumber)
            if isPeriod { return numeral.value <= 4 }
        }
        guard !hasUnit(after: place), place > 0 else { return false }
        let before = tokens[place - 1]
        if before.text == "#" { return true }
        if before.text == "'", numeral.digits <= 2 { return true }
        if numeral.digits > 4 { return false }
        if Words.headings.contains(before.lower) { return true }
        if Words.numberedNames.contains(before.lower),
            before.isName || before.lower == "iphone" || before.lower == "ipad"
        {
            return true
        }
        if before.text == ".", place > 1, ["no", "nos", "sec", "art", "fig"].contains(tokens[place - 2].lower) {
            return true
        }
        return before.text == "-" && tokens[place].isGlued && before.isGlued && place > 1 && tokens[place - 2].isName
            && !Currencies.codes.contains(tokens[place - 2].text)
    }

    // MARK: Dates

    private func date(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        guard numeral.isWhole, !numeral.isGrouped else { return nil }
        // 2025-09-27, 9/27/2025
        if let mark = glued(place + 1), mark.text == "-" || mark.text == "/", let second = glued(place + 2)?.numeral,
            glued(place + 3)?.text == mark.text, let third = glued(place + 4)?.numeral,
            numeral.isYear || third.isYear || third.digits <= 2, second.value <= 31
        {
            return 5
        }
        // 10:30
        if numeral.value < 24, glued(place + 1)?.text == ":", let minutes = glued(place + 2), minutes.text.count == 2,
            let value = minutes.numeral?.value, value < 60
        {
            return 3
        }
        guard (1...31).contains(numeral.value), !hasUnit(after: place) else { return nil }
        // 27 September, 27th of September
        var next = place + 1
        if let suffix = glued(next), ["st", "nd", "rd", "th"].contains(suffix.lower) { next += 1 }
        if token(next)?.lower == "of" { next += 1 }
        if let month = token(next), Words.months.contains(month.text) { return next - place + 1 }
        // September 27, Sept. 27
        var before = place - 1
        if before > 0, tokens[before].text == "." { before -= 1 }
        return before >= 0 && Words.months.contains(tokens[before].text) ? 1 : nil
    }

    private func year(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        if numeral.isWhole, numeral.digits <= 2, place > 0, !hasUnit(after: place) {
            // fiscal 25, FY '25
            var before = place - 1
            if before > 0, tokens[before].text == "'" { before -= 1 }
            if before > 0, tokens[before].lower == "year" { before -= 1 }
            return ["fy", "fiscal", "cy"].contains(tokens[before].lower) ? 1 : nil
        }
        guard numeral.isYear, isPlainYear(at: place) else { return nil }
        // the 1990s
        if glued(place + 1)?.lower == "s" { return 2 }
        // 2021-25, 2024/2025
        if let mark = token(place + 1), ["-", "–", "/"].contains(mark.text), let end = token(place + 2)?.numeral,
            end.isWhole, end.isYear || end.digits == 2 && mark.isGlued && tokens[place + 2].isGlued,
            !hasUnit(after: place + 2)
        {
            return 3
        }
        return 1
    }

    private func isPlainYear(at place: Int) -> Bool {
        if place > 0 {
            let before = tokens[place - 1]
            if Currencies.symbols[before.text] != nil || Currencies.codes.contains(before.text) { return false }
            if before.text == "-", tokens[place].isGlued, place < 2 || !before.isGlued { return false }
        }
        if hasUnit(after: place) { return false }
        return token(place + 1).map { !Words.counted.contains($0.lower) && !Words.things.contains($0.lower) } ?? true
    }

    /// 10-K, 10-Q, 8-K, 20-F, 40-F, 6-K, 13F, 14A.
    private func form(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        guard numeral.isWhole, (1...40).contains(numeral.value), let next = glued(place + 1) else { return nil }
        if next.text == "-", let letter = glued(place + 2),
            ["k", "q", "f", "kt", "qt", "ks", "qs", "fs"].contains(letter.lower)
        {
            return 3
        }
        let isSchedule = [13.0, 14].contains(numeral.value) && ["A", "C", "D", "E", "F", "G"].contains(next.text)
        return isSchedule || numeral.value == 10 && ["K", "Q"].contains(next.text) ? 2 : nil
    }

    // MARK: Order and counting

    /// `1.` and `2)` at the head of a line, `(1)` anywhere.
    private func listNumber(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        guard numeral.isWhole, numeral.digits <= 2, let mark = glued(place + 1) else { return nil }
        if tokens[place].startsLine, mark.text == "." || mark.text == ")", glued(place + 2) == nil,
            place + 2 < tokens.count
        {
            return 2
        }
        let isBracketed = place > 0 && tokens[place - 1].text == "(" && tokens[place].isGlued && mark.text == ")"
        return isBracketed && numeral.value < 10 && tokens[place].text.count == 1 ? 2 : nil
    }

    /// `a scale of 0 to 10`, `the 0–100 scale`, `a 10-point scale`.
    private func scaleEnds(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        if [5, 10, 100].contains(numeral.value), glued(place + 1)?.text == "-", glued(place + 2)?.lower == "point",
            token(place + 3)?.lower == "scale"
        {
            return 4
        }
        guard numeral.value == 0 || numeral.value == 1, let link = token(place + 1),
            ["to", "-", "–"].contains(link.text),
            let end = token(place + 2)?.numeral, [5, 10, 100].contains(end.value)
        else { return nil }
        let isBefore = place > 1 && tokens[max(0, place - 3)..<place].contains { $0.lower == "scale" }
        return isBefore || token(place + 3)?.lower == "scale" ? 3 : nil
    }

    /// `3 risks`, `10 annual periods`.
    private func partCount(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        guard numeral.isWhole, numeral.value <= 20, place == 0 || Currencies.symbols[tokens[place - 1].text] == nil
        else {
            return nil
        }
        guard let next = token(place + 1), !next.isGlued else { return nil }
        if Words.parts.contains(next.lower) { return next.lower.hasPrefix("point") ? nil : 1 }
        return Words.partAdjectives.contains(next.lower)
            && token(place + 2).map { Words.parts.contains($0.lower) } == true
            ? 1 : nil
    }

    // MARK: Spans of time

    /// `10-year`, `the last 10 years`.
    private func span(_ numeral: FigureToken.Numeral, at place: Int) -> Int? {
        guard numeral.isWhole, numeral.value <= 366 else { return nil }
        return span(from: place, to: place + 1)
    }

    /// `ten-year`, `the last twenty years`.
    private func wordSpan(at place: Int) -> Int? {
        guard NumberWords.small[tokens[place].lower] != nil || NumberWords.tens[tokens[place].lower] != nil else {
            return nil
        }
        var next = place + 1
        if glued(next)?.text == "-", let unit = glued(next + 1), NumberWords.small[unit.lower] != nil { next += 2 }
        return span(from: place, to: next)
    }

    private func span(from place: Int, to next: Int) -> Int? {
        if glued(next)?.text == "-", let unit = glued(next + 1), Words.spans.contains(unit.lower) {
            return next + 2 - place
        }
        guard place > 0, Words.spanIntroductions.contains(tokens[place - 1].lower), let unit = token(next) else {
            return nil
        }
        if Words.spans.contains(unit.lower) { return next + 1 - place }
        return Words.spanAdjectives.contains(unit.lower)
            && token(next + 1).map { Words.spans.contains($0.lower) } == true
            ? next + 2 - place : nil
    }

    // MARK: Helpers

    private func token(_ place: Int) -> FigureToken? { tokens.indices.contains(place) ? tokens[place] : nil }

    private func glued(_ place: Int) -> FigureToken? { token(place).flatMap { $0.isGlued ? $0 : nil } }

    /// Whether a percent sign, a scale word or another unit follows, which makes any number a figure.
    private func hasUnit(after place: Int) -> Bool {
        guard let next = token(place + 1) else { return false }
        if ["%", "×"].contains(next.text) || NumberWords.scales[next.lower] != nil { return true }
        if next.isGlued, NumberWords.shortScales[next.lower] != nil || next.lower == "x" || next.lower == "bps" {
            return true
        }
        if Currencies.words[next.lower] != nil || Currencies.symbols[next.text] != nil && next.isGlued { return true }
        if next.text == "-", let unit = glued(place + 2), ["percent", "fold"].contains(unit.lower) { return true }
        return ["percent", "per", "pct", "percentage", "basis", "bps", "bp", "pp", "times", "x", "bn", "mn", "fold"]
            .contains(next.lower) && !(next.lower == "per" && token(place + 2)?.lower != "cent")
    }
}
