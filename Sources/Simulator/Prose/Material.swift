internal import Basics
internal import JSON

/// The content of a request that an answer is made from: facts, sections of text, a question.
struct Material: Sendable {
    /// A piece of text that the prompt sets apart.
    struct Section: Sendable {
        /// The name that the prompt gives it: `article` in "… is data (article)".
        var name: String
        /// The last line before it.
        var introduction = ""
        var text: String
        /// True for drafts, their failures and earlier turns, which no answer may draw on.
        var isEarlier: Bool {
            let label = (name + " " + introduction).lowercased()
            return ["earlier", "draft", "wrong with", "answer was"].contains { label.contains($0) }
        }
        var isTitle: Bool { ["title", "source", "story", "published", "headline"].contains { name.contains($0) } }
        /// True for the name of one of several pieces of the same sort: `p1`, `a2`.
        var hasIdentifier: Bool { name.contains(where: \.isNumber) && !name.contains(" ") }
        var isList: Bool { text.first == "[" || text.first == "{" }
        /// The elements of a JSON array, or the objects that stand in lines.
        var elements: [JSON] {
            guard isList else { return [] }
            if text.first == "[" { return (try? JSON(parsing: text))?.array ?? [] }
            return text.split(whereSeparator: \.isNewline).compactMap { try? JSON(parsing: String($0)) }
        }
    }

    let facts: [FactLine]
    let sections: [Section]
    /// The text that sentences and quotations come from.
    let source: Section
    /// Several pieces of text with identifiers, of which an answer may name some.
    let passages: [Section]
    /// The question to be answered, with the one before it where it holds too few words of its own.
    let question: String?
    /// The company or title, where a line names one.
    let subject: String?
    let ticker: String?
    /// The person in whose way the material is to be read: `You read the company as Warren Buffett would`.
    let reader: String?

    /// - Parameters:
    ///   - instructions: The system prompt.
    ///   - texts: The turns of the user and the results of tools, in order.
    ///   - descriptions: Descriptions in the schema, which may name the section that quotations come from.
    init(instructions: String, texts: [String], descriptions: String = "") {
        facts = FactLine.all(in: ([instructions] + texts).joined(separator: "\n"))
        let sections = texts.flatMap(Self.sections)
        self.sections = sections
        let current = sections.filter { !$0.isEarlier }
        passages = current.filter(\.hasIdentifier)
        let asked = current.last { $0.name.contains("question") }?.text
        question = asked.map { text in
            let earlier = sections.last { $0.isEarlier && $0.name.contains("question") }?.text ?? ""
            return Words.stems(of: text).count < 2 ? earlier + " " + text : text
        }
        source = Self.source(among: current, passages, descriptions, otherwise: texts.last ?? "")
        let everything = texts + [instructions]
        ticker = Self.named(["ticker", "symbol"], in: everything).flatMap(Self.tickerSymbol)
        reader = everything.lazy.compactMap(Self.reader).first
        // "Apple Inc." would seem to end a sentence.
        subject = Self.named(["company", "name", "title", "entity"], in: everything).map { name in
            let words = name.split(separator: " ")
            let kept = words.reversed().drop { $0.last == "." }.reversed()
            return kept.isEmpty ? name : kept.joined(separator: " ")
        }
    }

    /// Sections beside the source that state the purpose of the answer: a goal, known concepts.
    var context: [Section] {
        sections.filter { !$0.isEarlier && !$0.isTitle && !$0.hasIdentifier && $0.name != source.name }
    }

    /// The titles and texts that show the usual wording about a subject.
    var spoken: String {
        (sections.filter { $0.isTitle && !$0.isEarlier }.map(\.text) + [source.text]).joined(separator: "\n")
    }

    /// Passages together; else the section that a description calls the place of a passage; else the longest one.
    private static func source(
        among current: [Section], _ passages: [Section], _ descriptions: String, otherwise: String
    ) -> Section {
        if !passages.isEmpty {
            return Section(name: passages[0].name, text: passages.map(\.text).joined(separator: "\n"))
        }
        let words = descriptions.lowercased()
        let named = current.first { section in
            ["passage of the ", "sentence of the ", "from the ", "part of the "].contains {
                words.contains($0 + section.name)
            }
        }
        let texts = current.filter { !$0.isList && !$0.isTitle && !$0.name.contains("question") }
        let longest = texts.max { $0.text.utf8.count < $1.text.utf8.count }
        return named ?? longest ?? Section(name: "", text: current.last?.text ?? otherwise)
    }

    /// Reads `… is data (NAME). …`, then the text between `<MARK>` and `</MARK>` on lines of their own; without such a
    /// label the text between any pair of tags.
    static func sections(in text: String) -> [Section] {
        var found: [Section] = []
        var rest = Substring(text)
        while let label = rest.firstRange(of: " is data (") {
            let before = rest[..<label.lowerBound].split(whereSeparator: \.isNewline)
            rest = rest[label.upperBound...]
            let name = rest.prefix { $0 != ")" }
            guard let open = rest.firstRange(of: "\n<"), let end = rest[open.upperBound...].firstIndex(of: ">"),
                let close = rest[end...].firstRange(of: "\n</\(rest[open.upperBound..<end])>")
            else { continue }
            let start = rest.index(after: end)
            found.append(
                Section(
                    name: String(name), introduction: before.dropLast().last.map(String.init) ?? "",
                    text: start < close.lowerBound ? String(rest[start..<close.lowerBound].dropFirst()) : ""))
            rest = rest[close.upperBound...]
        }
        return found.isEmpty ? tagged(in: text) : found
    }

    private static func tagged(in text: String) -> [Section] {
        var found: [Section] = []
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "<") {
            rest = rest[rest.index(after: open)...]
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            guard !name.isEmpty, let end = rest.firstIndex(of: ">"),
                let close = rest[end...].firstRange(of: "</\(name)>")
            else { continue }
            let inner = rest[rest.index(after: end)..<close.lowerBound].trimmed
            found.append(Section(name: name.hasPrefix("data-") ? "text" : String(name), text: String(inner)))
            rest = rest[close.upperBound...]
        }
        return found
    }

    /// The text after `Company:` or `"company":` at the start of a line.
    private static func named(_ keys: [String], in texts: [String]) -> String? {
        for text in texts {
            for line in text.split(whereSeparator: \.isNewline) {
                let bare = line.drop { !$0.isLetter && $0 != "<" }
                guard let colon = bare.firstIndex(of: ":"),
                    keys.contains(bare[..<colon].filter { $0 != "\"" }.lowercased())
                else { continue }
                let value = bare[bare.index(after: colon)...].trimmed
                let name =
                    value.first == "\""
                    ? String(value.dropFirst().prefix { $0 != "\"" })
                    : String(value.prefix { $0 != "(" && $0 != "," }.trimmed)
                if !name.isEmpty, name.utf8.count <= 60, !name.contains(where: \.isNumber) { return name }
            }
        }
        return nil
    }

    private static func reader(in text: String) -> String? {
        guard let start = text.firstRange(of: "You read the company as "),
            let end = text[start.upperBound...].firstRange(of: " would")
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    private static func tickerSymbol(_ text: String) -> String? {
        let symbol = text.prefix { $0.isUppercase || $0 == "-" || $0 == "." }
        return symbol.isEmpty ? nil : String(symbol)
    }
}

/// A fact as a prompt states it: `[id] label: value unit (period, form)`.
struct FactLine: Hashable, Sendable {
    let id: String
    let label: String
    /// The label in lower case.
    let plainLabel: String
    /// With its unit, exactly as the prompt has it.
    let value: String
    /// The first of the remarks in parentheses if it is a time; empty otherwise.
    let period: String
    /// The form of the report that it is from, such as `10-K`; `nil` where the remarks name none.
    let form: String?
    /// Whether less of it is better, as of debts and costs.
    let isBurden: Bool

    private static let burdens = [
        "debt", "liabilit", "expense", "expenditure", "cost", "tax", "payable", "deficit", "loss", "dilution",
        "buyback",
    ]

    /// Reads one line of a prompt; `nil` when it states no fact or a fact without a figure.
    init?(_ line: Substring) {
        var rest = line.drop { $0 == " " || $0 == "\t" || $0 == "-" || $0 == "*" || $0 == "•" }
        guard rest.first == "[", let close = rest.firstIndex(of: "]") else { return nil }
        id = String(rest[rest.index(after: rest.startIndex)..<close])
        guard !id.isEmpty, id.utf8.count <= 80, !id.contains(" ") else { return nil }
        rest = rest[rest.index(after: close)...].drop { $0 == " " }
        // The last one: a label may be a question with a colon before it.
        guard let colon = rest.ranges(of: ": ").last else { return nil }
        label = String(rest[..<colon.lowerBound])
        var figure = rest[colon.upperBound...].trimmed
        var period = ""
        var form: String?
        if figure.last == ")", let open = figure.lastIndex(of: "(") {
            let remarks = figure[figure.index(after: open)...].dropLast()
            let first = String(remarks.prefix { $0 != "," && $0 != ";" }.trimmed)
            period = Self.isPeriod(first) ? first : ""
            form = remarks.split { ",;".contains($0) }.map(\.trimmed).first(where: Self.isForm).map { String($0) }
            figure = figure[..<open].trimmed
        }
        if figure.count > Self.longestValue {
            figure = figure.prefix { $0 != ";" && $0 != "|" }.trimmed
        }
        guard !label.isEmpty, figure.count <= Self.longestValue, figure.contains(where: \.isNumber) else { return nil }
        value = String(figure)
        self.period = period
        self.form = form
        let plain = label.lowercased()
        plainLabel = plain
        isBurden =
            Self.burdens.contains { plain.containsBytes(of: $0) } || plain.hasSuffix("shares") || value.hasPrefix("-")
    }

    /// `FY2025`, `Q3 2025`, `2025-09-27`, `TTM`; not `10-K` or `computed`.
    private static func isPeriod(_ text: String) -> Bool {
        text.hasPrefix("TTM") || (text.contains(where: \.isNumber) && !isForm(text))
    }

    private static func isForm(_ text: some StringProtocol) -> Bool {
        text.count <= 6 && text.contains("-") && text.last?.isLetter == true && text.first?.isNumber == true
    }

    /// Longer ones are rows of figures, of which a sentence quotes the first.
    private static let longestValue = 60

    /// Every fact of a text, the first of each id.
    static func all(in text: String) -> [FactLine] {
        var known: Set<String> = []
        return text.split(whereSeparator: \.isNewline).compactMap(FactLine.init).filter { known.insert($0.id).inserted }
    }
}
