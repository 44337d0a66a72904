/// Finds text that speaks to programs that read it, as no sentence of a filing does to its readers. Such text stays citable
/// for readers and proves nothing.
enum MachineOrders {
    /// Programs that answer in words.
    private static let readers = [
        ["llm"], ["llms"], ["chatbot"], ["chatbots"], ["chatgpt"], ["language", "model"], ["language", "models"],
        ["ai", "assistant"], ["ai", "assistants"], ["ai", "agent"], ["ai", "agents"], ["ai", "reader"],
        ["ai", "readers"], ["automated", "reader"], ["automated", "readers"], ["automated", "agents"],
        ["automated", "assistants"], ["machine", "readers"], ["machine", "reader"], ["summarization", "tools"],
        ["summarisation", "tools"],
    ]
    /// Programs of which filings speak as well.
    private static let systems = [
        ["ai", "model"], ["ai", "models"], ["ai", "system"], ["ai", "systems"], ["ai", "tools"], ["ai", "bots"],
        ["bots"], ["artificial", "intelligence"], ["automated", "systems"],
    ]
    private static let obligations: Set<String> = [
        "must", "should", "shall", "please", "always", "never", "required", "instructed", "asked", "don't", "kindly",
        "directed", "obliged", "ought",
    ]
    /// What a program that answers is told to do, and what nobody tells a system in a filing.
    private static let answers: Set<String> = [
        "state", "say", "write", "answer", "respond", "reply", "output", "recommend", "rate", "summarize", "summarise",
        "conclude", "ignore", "disregard", "omit", "declare", "repeat", "print", "tell", "mention", "quote", "cite",
    ]
    private static let moreAnswers: Set<String> = answers.union([
        "report", "include", "describe", "treat", "follow", "give", "assign", "present", "list", "emphasize",
        "emphasise", "highlight", "classify", "label", "call", "score", "confirm", "note", "assume", "consider", "add",
    ])
    private static let addresses: Set<String> = [
        "note", "notice", "message", "instruction", "instructions", "dear", "memo", "reminder",
    ]
    private static let dismissals: Set<String> = ["ignore", "disregard", "forget", "override", "bypass"]
    private static let orders: Set<String> = [
        "instruction", "instructions", "prompt", "prompts", "guidelines", "directions", "commands",
    ]
    /// Marks and words of the conversation with a model.
    private static let marks = [
        "system prompt", "you are a helpful", "<|", "|>", "[inst]", "[/inst]", "<<sys>>",
        "### instruction", "###instruction", "</system>", "<system>", "begin_of_text", "end_of_turn",
    ]
    /// Beginnings of a speech of a model or to one; "as an AI company" is none.
    private static let selves = ["as an ai", "you are an ai"]
    private static let afterSelf: Set<String> = [
        "", "model", "language", "assistant", "chatbot", "reader", "agent", "that", "who", "which", "you", "i", "and",
        "designed", "trained",
    ]
    private static let roles: Set<String> = ["system", "assistant", "user", "human", "developer", "model", "ai"]

    static func are(in text: String) -> Bool {
        let folded = PassageText.folded(text)
        if marks.contains(where: folded.contains) || isSelf(folded) || isConversation(folded) { return true }
        return folded.split { ".!?;".contains($0) }.contains { sentence in
            isOrder(sentence.split { !$0.isLetter && $0 != "'" }.map(String.init))
        }
    }

    /// Whether a text has words in which a model speaks of itself, or is told what it is.
    private static func isSelf(_ folded: String) -> Bool {
        selves.contains { beginning in
            folded.ranges(of: beginning).contains { range in
                let rest = folded[range.upperBound...]
                guard rest.first?.isLetter != true, !"-'".contains(rest.first ?? " ") else { return false }
                return afterSelf.contains(String(rest.drop { $0 == " " }.prefix(while: \.isLetter)))
            }
        }
    }

    /// Whether two speakers of a conversation with a model have lines of their own.
    private static func isConversation(_ folded: String) -> Bool {
        var speakers: Set<Substring> = []
        for place in folded.ranges(of: ":") {
            let word = folded[..<place.lowerBound].suffix(while: \.isLetter)
            let before = folded[..<word.startIndex].last { !$0.isWhitespace }
            if roles.contains(String(word)), before.map({ ".!?:;\"'>)]".contains($0) }) ?? true {
                speakers.insert(word)
            }
        }
        return speakers.count > 1
    }

    private static func isOrder(_ words: [String]) -> Bool {
        if words.indices.contains(where: { isDismissal(words, at: $0) }) { return true }
        let all = places(of: readers, in: words)
        for reader in all where !isObject(words, at: reader) {
            let before = words[..<reader].suffix(4)
            let isAddressed =
                before.contains(where: addresses.contains)
                && before.contains { ["for", "to", "dear"].contains($0) }
            if isAddressed || before.last == "attention" { return true }
            // What a company says of its own programs is no order.
            let isOwn = before.suffix(2).contains { ["our", "their", "its"].contains($0) }
            if isObliged(words, to: isOwn ? answers : moreAnswers, from: reader) { return true }
        }
        return places(of: systems, in: words).contains { isObliged(words, to: answers, from: $0) }
    }

    /// Whether words tell to ignore orders, and do not say that somebody may do so.
    private static func isDismissal(_ words: [String], at place: Int) -> Bool {
        guard dismissals.contains(words[place]),
            let end = words[place...].prefix(7).firstIndex(where: orders.contains)
        else { return false }
        if words[place..<end].contains(where: earlier.contains) { return true }
        let before = words[..<place].suffix(3)
        return !before.contains(where: possibilities.contains)
    }

    private static let earlier: Set<String> = ["previous", "prior", "preceding", "foregoing", "system"]
    private static let possibilities: Set<String> = [
        "may", "might", "could", "can", "would", "cannot", "who", "they", "we", "often", "sometimes",
    ]

    /// Whether a program is only what something is done with or to: "providers of language models".
    private static func isObject(_ words: [String], at place: Int) -> Bool {
        let before = words[..<place].last { !describing.contains($0) }
        return before.map(prepositions.contains) ?? false
    }

    private static let describing: Set<String> = [
        "large", "generative", "such", "other", "these", "the", "any", "all", "a", "an", "ai", "and", "based", "our",
        "their", "party", "third",
    ]
    private static let prepositions: Set<String> = ["of", "in", "with", "using", "use", "into", "on", "from", "about"]

    /// Whether a sentence tells those that it names from a place on to answer in some way.
    private static func isObliged(_ words: [String], to answers: Set<String>, from place: Int) -> Bool {
        words.indices.contains { index in
            obligations.contains(words[index]) && abs(index - place) <= 12
                && words[(index + 1)...].prefix(4).contains(where: answers.contains)
        }
    }

    private static func places(of names: [[String]], in words: [String]) -> [Int] {
        words.indices.filter { place in names.contains { words[place...].starts(with: $0) } }
    }
}

extension StringProtocol {
    /// The longest end whose characters all satisfy a condition.
    fileprivate func suffix(while holds: (Character) -> Bool) -> SubSequence {
        var start = endIndex
        while start > startIndex, holds(self[index(before: start)]) { start = index(before: start) }
        return self[start...]
    }
}
