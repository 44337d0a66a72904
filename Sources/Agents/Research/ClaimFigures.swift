internal import Basics
internal import Prompts

/// Finds figures of a claim that the passages it names do not have.
struct ClaimFigures {
    private let texts: [String]
    private let years: Set<String>
    private let language: Language

    init(_ cited: [GivenPassage], language: Language) {
        (texts, years, self.language) = (cited.map(\.text), Set(cited.map(\.year)), language)
    }

    func hasStrange(in text: String) -> Bool {
        let known = texts.reduce(into: Set<PassageFigure>()) { $0.formUnion(PassageFigure.all(in: $1)) }
        let words = texts.reduce(into: Set<String>()) { $0.formUnion(PassageText.words($1)) }
        if language == .english {
            return PassageFigure.all(in: text).contains { figure in
                !known.contains { figure.isStated(by: $0, among: words) }
                    && !(years.contains(figure.digits) && !figure.isPercent)
            }
        }
        return hasStrangeYear(in: text, known) || hasStrangeAmount(in: text, known, words)
    }

    /// The figures of a claim in another language, read by its own marks and words, and those of filings in English.
    private func hasStrangeAmount(in text: String, _ known: Set<PassageFigure>, _ words: Set<String>) -> Bool {
        FigureCheck(facts: [], sources: texts, language: language).unsupported(in: text).contains { unsupported in
            let figure = unsupported.figure.lowercased()
            // A table says "in millions" at its head alone.
            guard let scale = Self.scale(of: figure), words.contains(where: { $0.hasPrefix(scale) }) else {
                return true
            }
            let digits = Self.digits(of: figure)
            return !known.contains { $0.digits == digits && $0.scale == nil && !$0.isPercent }
        }
    }

    /// A year in digits, which is no amount.
    private func hasStrangeYear(in text: String, _ known: Set<PassageFigure>) -> Bool {
        text.split { !$0.isNumber && !$0.isLetter && !".,".contains($0) }.contains { word in
            var digits = word
            while let last = digits.last, ".,".contains(last) { digits = digits.dropLast() }
            guard digits.count == 4, digits.hasPrefix("19") || digits.hasPrefix("20"), digits.allSatisfy(\.isNumber)
            else { return false }
            return !years.contains(String(digits)) && !known.contains { $0.digits == digits }
        }
    }

    /// The English scale of a figure in German, Spanish or French.
    private static func scale(of figure: String) -> String? {
        if ["milliard", "mrd", "mil millones"].contains(where: figure.contains) { return "billion" }
        if ["million", "millon", "mio"].contains(where: figure.contains) { return "million" }
        return ["tausend", "mille", " mil"].contains(where: figure.contains) ? "thousand" : nil
    }

    /// The digits as English writes them: `1.234,5` is 1234.5.
    private static func digits(of figure: String) -> String {
        var digits = ""
        var characters = Array(figure.drop { !$0.isNumber })[...]
        while let character = characters.popFirst() {
            if character.isNumber {
                digits.append(character)
                continue
            }
            let group = characters.prefix { $0.isNumber }.count
            guard group > 0 else { break }
            if group != 3 { digits.append(".") }
        }
        return digits
    }
}
