internal import Filings
internal import JSON
internal import Prompts

/// A passage of a filing as a prompt gives it, under a short name that an answer can repeat.
struct GivenPassage: Sendable, Hashable {
    /// `p1`, `p2`, …
    let name: String
    /// The id of the first paragraph.
    let id: String
    let item: String
    let text: String
    /// The year of the report.
    let year: String
    /// Whether it is from the newest annual report, which is what a sentence without a year is about.
    let isCurrent: Bool
    /// Where the text is at the SEC.
    let url: String

    var promptJSON: JSON {
        ["id": JSON(name), "item": JSON(item), "year": JSON(year), "text": JSON(text)]
    }
}

/// Holds what an answer claims against the passages that it names: by code, so that a reader can rely on a quote.
struct ClaimRules: Sendable {
    /// The member of the answer.
    static let path = "claims"
    /// Words of a quote.
    private static let fewestWords = 5
    private static let mostWords = 40

    private let passages: [String: GivenPassage]

    init(_ passages: [GivenPassage]) {
        self.passages = Dictionary(passages.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The faults of each claim, with their places.
    func failures(in answer: JSON) -> [CheckFailure] {
        guard !passages.isEmpty else { return [] }
        return (answer[Self.path]?.array ?? []).enumerated().flatMap { index, claim in
            failures(in: claim).map { check, field, message in
                CheckFailure(check: check, path: "\(Self.path)[\(index)].\(field)", message: message)
            }
        }
    }

    private typealias Fault = (check: String, field: String, message: String)

    private func failures(in claim: JSON) -> [Fault] {
        let names = (claim["passages"]?.array ?? []).compactMap(\.string)
        let (text, quote) = (claim["text"]?.string ?? "", claim["quote"]?.string ?? "")
        guard !names.isEmpty else {
            return [("claims-cited", "passages", "names no passage; leave the claim out or name the passages")]
        }
        let unknown = names.filter { passages[$0] == nil }
        guard unknown.isEmpty else {
            return [("passages-in-input", "passages", "names passages that were not given; use ids such as p1")]
        }
        let cited = names.compactMap { passages[$0] }
        if cited.contains(where: { Self.speaksToMachines($0.text) }) {
            return [
                (
                    "passage-for-readers", "passages",
                    "rests on a passage that gives orders to programs; leave the claim out"
                )
            ]
        }
        guard text.contains(where: \.isLetter) else {
            return [("claim-said", "text", "says nothing; leave the claim out")]
        }
        let home = PassageText.home(of: quote, among: cited)
        return quoteFaults(quote, home?.passage) + textFaults(text, quote, home?.place, cited)
    }

    /// Whether a text is a quote of a passage: words of it in one piece, as many as a quote has, and no heading.
    static func isQuote(_ quote: String, of passage: String) -> Bool {
        (fewestWords...mostWords).contains(length(of: quote))
            && PassageText.place(of: quote, in: passage) != nil && !PassageText.isHeading(passage)
    }

    /// The words and numbers of a quote.
    private static func length(of quote: String) -> Int { quote.split { !$0.isLetter && !$0.isNumber }.count }

    private func quoteFaults(_ quote: String, _ home: GivenPassage?) -> [Fault] {
        let words = Self.length(of: quote)
        guard (Self.fewestWords...Self.mostWords).contains(words) else {
            return [
                (
                    "quote-in-passage", "quote",
                    "has \(words) words; copy \(Self.fewestWords) to \(Self.mostWords) words of a passage"
                )
            ]
        }
        guard let home else {
            return [
                (
                    "quote-in-passage", "quote",
                    "does not stand in a passage that the claim names; copy it letter by letter, without leaving words out"
                )
            ]
        }
        if PassageText.isHeading(home.text) {
            return [("quote-in-passage", "quote", "is of a heading, which proves nothing; quote a sentence")]
        }
        return []
    }

    private func textFaults(
        _ text: String, _ quote: String, _ place: PassageText.Place?, _ cited: [GivenPassage]
    ) -> [Fault] {
        var faults: [Fault] = []
        let years = Set(cited.map(\.year))
        let known = cited.reduce(into: Set<PassageFigure>()) { $0.formUnion(PassageFigure.all(in: $1.text)) }
        let words = cited.reduce(into: Set<String>()) { $0.formUnion(PassageText.words($1.text)) }
        let strange = PassageFigure.all(in: text).filter { figure in
            !known.contains { figure.isStated(by: $0, among: words) }
                && !(years.contains(figure.digits) && !figure.isPercent)
        }
        if !strange.isEmpty {
            faults.append(
                ("figures-in-passage", "text", "has figures that the passages it names do not have; take them out"))
        }
        for passage in cited where !passage.isCurrent {
            if !text.contains(passage.year) {
                faults.append(("year-named", "text", "rests on a report on \(passage.year) and does not say so"))
            }
        }
        let quoted = PassageText.words(quote).union(place?.wordsBefore ?? [])
        if !quoted.isDisjoint(with: Self.reservations), PassageText.words(text).isDisjoint(with: Self.allReservations) {
            faults.append(
                ("negation-kept", "text", "drops a not, may or could of its quote; say it with the same reservation"))
        }
        return faults
    }

    /// What a quote has and a claim must not lose.
    private static let reservations: Set<String> = [
        "not", "no", "never", "may", "could", "might", "cannot", "neither", "without", "unless",
    ]
    /// Words that keep it.
    private static let allReservations = reservations.union([
        "can", "would", "if", "risk", "risks", "possible", "possibly", "warns", "warn", "fears", "fear", "threat",
        "threats", "lacks", "lack", "none", "isn't", "doesn't", "won't", "uncertain", "depends", "exposed", "potential",
    ])

    /// Whether a text addresses a program that reads it.
    static func speaksToMachines(_ text: String) -> Bool {
        let text = text.lowercased()
        if ["language model", "system prompt", "ai assistant", "as an ai"].contains(where: text.contains) {
            return true
        }
        return ["ignore", "disregard"].contains(where: text.contains) && text.contains("instruction")
    }
}

/// A passage as it is compared.
enum PassageText {
    /// One kind of quotation marks and dashes, single spaces, small letters, nothing invisible.
    static func folded(_ text: String) -> String {
        var folded = ""
        var isSpace = true
        for scalar in text.unicodeScalars {
            switch scalar {
            case "“", "”", "„", "\"": folded.append("\"")
            case "‘", "’", "'", "`": folded.append("'")
            case "–", "—", "‐", "‑", "-": folded.append("-")
            case _ where scalar.properties.isDefaultIgnorableCodePoint: continue
            case _ where scalar.properties.isWhitespace:
                if !isSpace { folded.append(" ") }
                isSpace = true
                continue
            default: folded.unicodeScalars.append(scalar)
            }
            isSpace = false
        }
        if folded.hasSuffix(" ") { folded.removeLast() }
        return folded.lowercased()
    }

    /// A place of a folded passage.
    struct Place {
        var text: String
        var range: Range<String.Index>

        /// The three words of its sentence before it, which can turn it round: "has not ...".
        var wordsBefore: Set<String> {
            let sentence =
                text[..<range.lowerBound].split(omittingEmptySubsequences: false) { ".!?;".contains($0) }.last ?? ""
            return Set(sentence.split { !$0.isLetter && $0 != "'" }.suffix(3).map(String.init))
        }
    }

    /// The first of some passages that has a quote, and where.
    static func home(of quote: String, among passages: [GivenPassage]) -> (passage: GivenPassage, place: Place)? {
        passages.lazy.compactMap { passage in place(of: quote, in: passage.text).map { (passage, $0) } }.first
    }

    /// Where a quote stands in a passage, both folded, with whole words at its ends.
    static func place(of quote: String, in passage: String) -> Place? {
        let (quote, text) = (folded(quote), folded(passage))
        guard let first = quote.first, let last = quote.last else { return nil }
        func isWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        return text.ranges(of: quote).first { range in
            let begins =
                range.lowerBound == text.startIndex || !isWord(first)
                || !isWord(text[text.index(before: range.lowerBound)])
            return begins && (range.upperBound == text.endIndex || !isWord(last) || !isWord(text[range.upperBound]))
        }.map { Place(text: text, range: $0) }
    }

    static func words(_ text: String) -> Set<String> {
        Set(folded(text).split { !$0.isLetter && $0 != "'" }.map(String.init))
    }

    /// A short line without an end.
    static func isHeading(_ text: String) -> Bool {
        let words = text.split(separator: " ").count
        return words <= 14 && !".!?;:”\"".contains(text.last ?? " ")
    }
}

/// A number as it stands in a text, with what stands beside it: a sign, a currency, a percentage, millions.
struct PassageFigure: Hashable, Sendable {
    var digits: String
    var isPercent: Bool
    var isNegative = false
    var currency: Character?
    /// `million`, `billion`…
    var scale: String?

    /// Whether a figure of a passage bears this one of a claim out. What the passage leaves to the head of a table, such
    /// as "in millions", may stand anywhere in it.
    func isStated(by other: PassageFigure, among words: Set<String>) -> Bool {
        guard digits == other.digits, isPercent == other.isPercent, !isNegative || other.isNegative else {
            return false
        }
        if let currency, let own = other.currency, currency != own { return false }
        if let currency, other.currency == nil, currency != "$" { return false }
        guard let scale else { return other.scale == nil }
        return scale == other.scale || (other.scale == nil && words.contains { $0.hasPrefix(scale) })
    }

    private static let currencies: Set<Character> = ["$", "€", "£", "¥"]
    private static let scales = ["thousand", "million", "billion", "trillion"]

    /// All numbers of a text, without the marks that group digits.
    static func all(in text: String) -> Set<PassageFigure> {
        let characters = Array(text)
        var found: Set<PassageFigure> = []
        var place = 0
        while place < characters.count {
            guard characters[place].isASCII, characters[place].isNumber else {
                place += 1
                continue
            }
            let start = place
            while place < characters.count, characters[place].isNumber || ",.".contains(characters[place]) {
                place += 1
            }
            var digits = String(characters[start..<place]).filter { $0 != "," }
            while digits.last == "." { digits.removeLast() }
            // "Item 1A" and "p3" are names.
            let isName =
                (start > 0 && characters[start - 1].isLetter)
                || (place < characters.count && characters[place].isLetter)
            if digits.contains("."), digits.hasSuffix("0") {
                while digits.hasSuffix("0") { digits.removeLast() }
                if digits.hasSuffix(".") { digits.removeLast() }
            }
            let rest = String(characters[place..<min(place + 9, characters.count)]).lowercased()
            let after = rest.drop { $0 == " " || $0 == "\u{A0}" }
            let isPercent = after.hasPrefix("%") || after.hasPrefix("percent") || after.hasPrefix("per cent")
            guard !isName, !digits.isEmpty else { continue }
            // "-5", "$(5)" and "(5)" are below zero; of "2024-2025" and "5-6" the second is not.
            var before = Array(characters[max(0, start - 3)..<start].reversed())[...]
            var figure = PassageFigure(digits: digits, isPercent: isPercent)
            if let sign = before.first, "-−–(".contains(sign) {
                before = before.dropFirst()
                let isRange = before.first.map { $0.isNumber || $0.isLetter } ?? false
                let isClosed = sign != "(" || (place < characters.count && ")%".contains(characters[place]))
                figure.isNegative = isClosed && !isRange
            }
            if let mark = before.first, currencies.contains(mark) {
                figure.currency = mark
                if let sign = before.dropFirst().first, "-−–".contains(sign) { figure.isNegative = true }
            }
            figure.scale = scales.first { after.hasPrefix($0) }
            found.insert(figure)
        }
        return found
    }
}
