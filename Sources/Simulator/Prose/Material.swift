/// What a request gives to write about: the facts that it states and, without any, the text that it holds.
struct Material: Sendable {
    var facts: [FactLine]
    /// Sentences of the text that the request is about.
    var sentences: [String]
    /// The company or title, where a line names one.
    var subject: String?
    var ticker: String?

    /// - Parameters:
    ///   - instructions: The system prompt.
    ///   - texts: What the user and the tools said, in order.
    init(instructions: String, texts: [String]) {
        facts = FactLine.all(in: ([instructions] + texts).joined(separator: "\n"))
        let source = Self.fenced(in: texts) ?? texts.last ?? ""
        sentences = facts.isEmpty ? Self.sentences(of: source) : []
        let everything = texts + [instructions]
        ticker = Self.named(["ticker", "symbol"], in: everything).flatMap(Self.tickerSymbol)
        // "Apple Inc." would seem to end a sentence.
        subject = Self.named(["company", "name", "title", "entity"], in: everything).map { name in
            let words = name.split(separator: " ")
            let kept = words.reversed().drop { $0.last == "." }.reversed()
            return kept.isEmpty ? name : kept.joined(separator: " ")
        }
    }

    /// The longest text between a pair of tags such as `<article>` … `</article>`: prompts fence what is data.
    private static func fenced(in texts: [String]) -> String? {
        var longest: Substring = ""
        for text in texts {
            var rest = Substring(text)
            while let open = rest.firstIndex(of: "<") {
                rest = rest[rest.index(after: open)...]
                let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
                guard !name.isEmpty, let end = rest.firstIndex(of: ">"),
                    let close = rest[end...].firstRange(of: "</\(name)>")
                else { continue }
                let inner = rest[rest.index(after: end)..<close.lowerBound]
                if inner.utf8.count > longest.utf8.count { longest = inner }
                rest = rest[close.upperBound...]
            }
        }
        return longest.isEmpty ? nil : String(longest)
    }

    /// The sentences of a text, at most two dozen.
    static func sentences(of text: String) -> [String] {
        var found: [String] = []
        for line in text.split(whereSeparator: \.isNewline) {
            var sentence = ""
            for word in line.split(separator: " ") {
                sentence += sentence.isEmpty ? word : " " + word
                guard let last = word.last, ".!?".contains(last) else { continue }
                found.append(sentence)
                sentence = ""
            }
            if sentence.contains(" ") { found.append(sentence) }
        }
        let whole = found.filter { (20...300).contains($0.utf8.count) }
        return Array((whole.isEmpty ? found : whole).prefix(24))
    }

    /// The text after `Company:` or `"company":` at the start of a line.
    private static func named(_ keys: [String], in texts: [String]) -> String? {
        for text in texts {
            for line in text.split(whereSeparator: \.isNewline) {
                let bare = line.drop { !$0.isLetter && $0 != "<" }
                guard let colon = bare.firstIndex(of: ":"),
                    keys.contains(bare[..<colon].filter { $0 != "\"" }.lowercased())
                else { continue }
                var value = bare[bare.index(after: colon)...].trimmed
                value =
                    value.first == "\""
                    ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != "(" && $0 != "," }.trimmed
                if !value.isEmpty, value.utf8.count <= 60, !value.contains(where: \.isNumber) { return String(value) }
            }
        }
        return nil
    }

    private static func tickerSymbol(_ text: String) -> String? {
        let symbol = text.prefix { $0.isUppercase || $0 == "-" || $0 == "." }
        return symbol.isEmpty ? nil : String(symbol)
    }
}
