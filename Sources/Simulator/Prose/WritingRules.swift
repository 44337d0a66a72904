internal import Basics

/// The rules of an answer that the prompt states in words, beside its schema.
struct WritingRules: Sendable {
    /// Texts that the answer must not hold, in lower case.
    let forbidden: [String]
    /// The same with a space around each of their words.
    private let forbiddenWords: [String]
    /// The lines of the text.
    private let lines: [Substring]
    /// Words that the whole answer may have.
    let wordLimit: Int?
    /// Words that one sentence may have.
    let sentenceLimit: Int
    /// True where only calm sentences of the source may be repeated.
    let isCalm: Bool

    init(_ instructions: String) {
        var forbidden: [String] = []
        var limits: [Int] = []
        var sentenceLimit = 40
        for clause in Self.clauses(of: instructions) {
            let lower = " " + clause.lowercased()
            forbidden += Self.forbidden(in: clause)
            guard let count = LengthHint.range(of: "word", in: lower)?.high else { continue }
            if lower.contains("sentence") {
                if lower.contains(" fewer than ") { sentenceLimit = min(sentenceLimit, max(count - 2, 5)) }
            } else if ["at most", "no more than", "up to"].contains(where: lower.contains) {
                limits.append(count)
            }
        }
        self.forbidden = forbidden
        forbiddenWords = forbidden.map(Self.words)
        lines = instructions.split(whereSeparator: \.isNewline)
        self.sentenceLimit = sentenceLimit
        wordLimit = limits.filter { $0 >= 20 }.min()
        isCalm = instructions.lowercased().contains("calm")
    }

    func allows(_ sentence: String) -> Bool {
        guard !forbidden.isEmpty else { return true }
        let plain = Self.words(sentence)
        return !forbiddenWords.contains { plain.containsBytes(of: $0) }
    }

    /// The words of a text in lower case, with a space around each.
    private static func words(_ text: String) -> String {
        " " + text.lowercased().split { !($0.isLetter || $0.isNumber || "'%".contains($0)) }.joined(separator: " ")
            + " "
    }

    /// The words that a clause rules out: those in quotation marks after a negation, or listed after "the words".
    private static func forbidden(in clause: String) -> [String] {
        let lower = clause.lowercased()
        let negations = ["never ", "not ", "n't ", "avoid ", "without ", "no "].compactMap { lower.firstRange(of: $0) }
        guard let negation = negations.map(\.upperBound).min() else { return [] }
        let rest = String(lower[negation...])
        let quoted = quoted(in: rest)
        if !quoted.isEmpty { return quoted.filter { $0.count > 2 } }
        guard let list = rest.firstRange(of: "the words ") ?? rest.firstRange(of: "the word ") else { return [] }
        return rest[list.upperBound...].replacing(" or ", with: ",").replacing(" and ", with: ",").split(separator: ",")
            .map { String($0.trimmed.prefix { $0.isLetter || $0 == " " || $0 == "-" }) }.filter { $0.count > 2 }
    }

    /// The line of the instructions on a property: `- summary: three to five sentences. …`, up to the next one, with
    /// the indented lines below it.
    func line(on property: String) -> String {
        var found = ""
        var isInside = false
        let beginning = property + ":"
        for line in lines {
            if isInside, line.hasPrefix("  ") {
                found += " " + line.trimmed
                continue
            }
            isInside = false
            guard line.hasPrefix("- "), line.containsBytes(of: beginning),
                let place = Self.place(of: beginning, in: line)
            else { continue }
            found += (found.isEmpty ? "" : " ") + line[place...].trimmed
            isInside = true
        }
        return found
    }

    /// The texts in quotation marks.
    static func quoted(in text: String) -> [String] {
        text.replacing("“", with: "\"").replacing("”", with: "\"").split(
            separator: "\"", omittingEmptySubsequences: false
        ).enumerated().compactMap { $0 % 2 == 1 && !$1.isEmpty ? String($1) : nil }
    }

    /// The start of the text after a word that is not part of a longer one.
    private static func place(of word: String, in line: Substring) -> Substring.Index? {
        line.ranges(of: word).first { range in
            guard range.lowerBound > line.startIndex else { return true }
            let before = line[line.index(before: range.lowerBound)]
            return !before.isLetter && before != "_"
        }?.upperBound
    }

    /// Sentences and clauses between semicolons.
    private static func clauses(of text: String) -> [String] {
        text.replacing(". ", with: ".\n").replacing("; ", with: "\n").split(whereSeparator: \.isNewline).map(
            String.init)
    }
}

/// The prompt's statements about one value of the answer.
struct FieldHint: Sendable {
    /// The schema's description in lower case; keywords that a provider moved into it are left out.
    let description: String
    /// The description with the first sentence of the line in the instructions.
    let head: String
    /// The description with the whole line.
    let whole: String
    /// As the prompt writes it, for texts in quotation marks.
    private let written: String

    init(description: String, line: String) {
        self.description = description.lowercased()
        written = description + ". " + line
        whole = written.lowercased()
        head = self.description + ". " + (line.lowercased().split(separator: ". ").first ?? "")
    }

    func says(_ phrases: String...) -> Bool { phrases.contains { whole.contains($0) } }

    /// The requested number of a noun: by the description, else by the instructions.
    func range(of noun: String) -> LengthHint? {
        LengthHint.range(of: noun, in: description) ?? LengthHint.range(of: noun, in: head)
    }

    /// The value of a sibling that the field depends on: `only for an mcq`.
    var condition: String? {
        guard let range = whole.firstRange(of: "only for ") else { return nil }
        let words = whole[range.upperBound...].prefix { !",.;:".contains($0) }.split(separator: " ")
        return words.first { !["a", "an", "the", "of", "type"].contains($0) }.map(String.init)
    }

    /// The sibling and its value that leave this text empty: `empty when the type is none`.
    var emptyCase: (sibling: String, value: String)? {
        guard let range = description.firstRange(of: "empty when the ") else { return nil }
        let words = description[range.upperBound...].split { !($0.isLetter || $0.isNumber || $0 == "_") }
        guard words.count >= 3, words[1] == "is" else { return nil }
        return (String(words[0]), String(words[2]))
    }

    /// The words that the text begins with, as in `begin with "In short"`.
    var opening: String? {
        let lower = written.lowercased()
        for phrase in ["begin with \"", "begins with \"", "beginning with \"", "start with \"", "starting with \""] {
            guard let range = lower.firstRange(of: phrase) else { continue }
            let skipped = lower.distance(from: lower.startIndex, to: range.upperBound)
            return String(written.dropFirst(skipped).prefix { $0 != "\"" })
        }
        return nil
    }

    /// True where the opening goes on with something from a section: `beginning with "Since you hold" and the ticker`.
    var continuesOpening: Bool { opening.map { whole.contains("\"\($0.lowercased())\" and the ") } == true }

    /// The two ends of a scale: `from 0 to 100`.
    var scale: ClosedRange<Double>? {
        let words = whole.split { !($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }.map(String.init)
        func number(_ word: String) -> Double? { Double(word.hasSuffix(".") ? String(word.dropLast()) : word) }
        for (place, word) in words.enumerated() where word == "from" || word == "between" {
            guard place + 1 < words.count, let low = number(words[place + 1]) else { continue }
            let rest = words.dropFirst(place + 2)
            let separator = word == "from" ? "to" : "and"
            for index in rest.indices.dropLast() where words[index] == separator {
                if let high = number(words[index + 1]), high > low { return low...high }
            }
        }
        return nil
    }
}

/// A statement of length in a description: "three to five sentences", "exactly two", "at most 12 words".
struct LengthHint: Equatable, Sendable {
    var low: Int
    var high: Int

    /// The range before a noun (`sentence`, `word`), at most three adjectives away.
    static func range(of noun: String, in description: String) -> LengthHint? {
        let words = words(description)
        for (place, word) in words.enumerated() where word.hasPrefix(noun) {
            for end in stride(from: place - 1, through: max(0, place - 4), by: -1) where number(words[end]) != nil {
                return range(endingAt: end, in: words)
            }
        }
        return nil
    }

    /// The number of elements of a list that a description asks for: its first number that counts nothing else.
    static func count(in description: String) -> LengthHint? {
        let words = words(description)
        var place = 0
        while place < words.count {
            guard number(words[place]) != nil else {
                place += 1
                continue
            }
            var end = place
            if let second = continuation(after: place, in: words) { end = second }
            let follows = words[(end + 1)...].prefix(3)
            if !follows.contains(where: { word in Self.otherNouns.contains { word.hasPrefix($0) } }) {
                return range(endingAt: end, in: words)
            }
            place = end + 1
        }
        return nil
    }

    private static let otherNouns = [
        "sentence", "paragraph", "word", "character", "percent", "year", "quarter", "line", "digit",
    ]

    private static let numbers = [
        "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
        "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "single": 1,
        "couple": 2,
    ]

    private static func number(_ word: String) -> Int? {
        if let known = numbers[word] { return known }
        guard let value = Int(word), value > 0, value <= 1_000 else { return nil }
        return value
    }

    private static func words(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    /// The place of the second number of `three to five`, `3–5`, `two or three`, `between three and five`.
    private static func continuation(after place: Int, in words: [String]) -> Int? {
        if place + 1 < words.count, number(words[place + 1]) != nil { return place + 1 }
        if place + 2 < words.count, ["to", "or", "and"].contains(words[place + 1]), number(words[place + 2]) != nil {
            return place + 2
        }
        return nil
    }

    private static func range(endingAt end: Int, in words: [String]) -> LengthHint? {
        guard let high = number(words[end]) else { return nil }
        for start in [end - 1, end - 2] where start >= 0 && continuation(after: start, in: words) == end {
            if let low = number(words[start]), low <= high { return LengthHint(low: low, high: high) }
        }
        let before = words[max(0, end - 3)..<end].joined(separator: " ")
        if before.hasSuffix("at least") || before.hasSuffix("or more") { return LengthHint(low: high, high: high + 1) }
        let limits = [
            "at most", "up to", "no more than", "not more than", "maximum of", "under", "below", "max", "fewer than",
        ]
        if limits.contains(where: { before.hasSuffix($0) }) { return LengthHint(low: 1, high: high) }
        return LengthHint(low: high, high: high)
    }
}
