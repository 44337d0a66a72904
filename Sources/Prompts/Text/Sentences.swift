/// Splits prose into sentences: abbreviations, initials, decimals, quotations and list items are not mistaken for ends.
enum Sentences {
    /// The sentences of a text, without the space around them.
    static func split(_ text: String) -> [String] {
        let plain = PlainText(text)
        return ranges(in: plain).map(plain.string)
    }

    /// Where the sentences stand; every letter and digit lies in one of them.
    static func ranges(in text: PlainText) -> [Range<Int>] {
        var splitter = SentenceSplitter(scalars: text.scalars)
        return splitter.split()
    }
}

private struct SentenceSplitter {
    private static let closers: Set<Unicode.Scalar> = ["\"", "'", ")", "]", "}", "”", "»", "’"]
    private static let openers: Set<Unicode.Scalar> = ["\"", "'", "(", "[", "{", "“", "«", "‘"]
    private static let bullets: Set<Unicode.Scalar> = ["-", "•", "–", "·", "#"]

    let scalars: [Unicode.Scalar]
    private var start = 0
    private var sentences: [Range<Int>] = []

    init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    mutating func split() -> [Range<Int>] {
        var place = 0
        while place < scalars.count {
            if scalars[place].isLineBreak {
                if endsLine(at: place) { end(at: place) }
                place += 1
            } else if let next = endOfSentence(at: place) {
                end(at: next)
                place = next
            } else {
                place += 1
            }
        }
        end(at: scalars.count)
        return sentences
    }

    private mutating func end(at place: Int) {
        var range = start..<place
        start = place
        while let first = range.first, scalars[first].isSpace { range = first + 1..<range.upperBound }
        while let last = range.last, scalars[last].isSpace { range = range.lowerBound..<last }
        if scalars[range].contains(where: { $0.isLetter || $0.isDigit }) { sentences.append(range) }
    }

    /// A line break ends a sentence before an empty line and before a list item.
    private func endsLine(at place: Int) -> Bool {
        var next = place + 1
        while next < scalars.count, scalars[next].isSpace {
            if scalars[next].isLineBreak { return true }
            next += 1
        }
        guard next + 1 < scalars.count else { return true }
        if Self.bullets.contains(scalars[next]), scalars[next + 1].isSpace || scalars[next] == "#" { return true }
        return isListNumber(at: next)
    }

    private func isListNumber(at place: Int) -> Bool {
        var next = place
        while next < scalars.count, scalars[next].isDigit, next - place < 3 { next += 1 }
        guard next > place, next + 1 < scalars.count else { return false }
        return (scalars[next] == "." || scalars[next] == ")") && scalars[next + 1].isSpace
    }

    /// The place behind the sentence when one ends here.
    private func endOfSentence(at place: Int) -> Int? {
        switch scalars[place] {
        case "。", "！", "？": return place + 1
        case ".", "!", "?", "…": break
        default: return nil
        }
        var next = place + 1
        while next < scalars.count, [".", "!", "?", "…"].contains(scalars[next]) { next += 1 }
        let isSingleStop = scalars[place] == "." && next == place + 1
        while next < scalars.count, Self.closers.contains(scalars[next]) { next += 1 }
        guard next < scalars.count else { return next }
        guard scalars[next].isSpace else { return nil }
        let subscriber = nextWord(after: next)
        if let first = subscriber.unicodeScalars.first, first.properties.isLowercase { return nil }
        if isSingleStop, isAbbreviation(endingAt: place, before: subscriber) { return nil }
        if scalars[place] == "!", word(endingAt: place).lowercased() == "yahoo" { return nil }
        return next
    }

    private func nextWord(after place: Int) -> String {
        var first = place
        while first < scalars.count, scalars[first].isSpace || Self.openers.contains(scalars[first]) { first += 1 }
        var last = first
        while last < scalars.count, scalars[last].isLetter || scalars[last].isDigit { last += 1 }
        return string(first..<last)
    }

    /// The word before a full stop, with the full stops inside it (`U.S`).
    private func word(endingAt place: Int) -> String {
        var first = place
        while first > start, scalars[first - 1].isLetter || scalars[first - 1].isDigit || scalars[first - 1] == "." {
            first -= 1
        }
        return string(first..<place)
    }

    private func isAbbreviation(endingAt place: Int, before subscriber: String) -> Bool {
        let word = word(endingAt: place)
        let lower = word.lowercased()
        if Abbreviations.neverLast.contains(lower) {
            // `No. 7` but `The answer is no. They …`
            return lower != "no" && lower != "art" && lower != "sec" && lower != "est"
                || subscriber.unicodeScalars.first?.isDigit == true
        }
        let startsSentence = Abbreviations.sentenceStarters.contains(subscriber.lowercased())
        if Abbreviations.sometimesLast.contains(lower) { return !startsSentence }
        if word.unicodeScalars.count == 1, word.unicodeScalars.allSatisfy(\.properties.isUppercase) {
            return !startsSentence
        }
        // `1. First` at the head of a list item.
        return !word.isEmpty && word.unicodeScalars.allSatisfy(\.isDigit) && isHead(place - word.unicodeScalars.count)
    }

    /// Whether only space lies between here and the start of the sentence.
    private func isHead(_ place: Int) -> Bool { scalars[start..<place].allSatisfy(\.isSpace) }

    private func string(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return String(text)
    }
}
