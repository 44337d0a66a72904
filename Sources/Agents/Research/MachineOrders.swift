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
        "system prompt", "as an ai", "you are an ai", "you are a helpful", "<|", "|>", "[inst]", "[/inst]", "<<sys>>",
        "### instruction", "###instruction", "</system>", "<system>", "begin_of_text", "end_of_turn",
    ]
    private static let roles: Set<String> = ["system", "assistant", "user", "human", "developer", "model", "ai"]

    static func are(in text: String) -> Bool {
        let folded = PassageText.folded(text)
        if marks.contains(where: folded.contains) || isConversation(folded) { return true }
        return folded.split { ".!?;".contains($0) }.contains { sentence in
            isOrder(sentence.split { !$0.isLetter && $0 != "'" }.map(String.init))
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
        if let place = words.firstIndex(where: dismissals.contains),
            words[place...].prefix(7).contains(where: orders.contains)
        {
            return true
        }
        if let reader = first(of: readers, in: words) {
            let before = words[..<reader].suffix(4)
            let isAddressed =
                before.contains(where: addresses.contains)
                && before.contains { ["for", "to", "dear"].contains($0) }
            if isAddressed || before.last == "attention" { return true }
            return isObliged(words, to: moreAnswers, from: reader)
        }
        return first(of: systems, in: words).map { isObliged(words, to: answers, from: $0) } ?? false
    }

    /// Whether a sentence tells those that it names from a place on to answer in some way.
    private static func isObliged(_ words: [String], to answers: Set<String>, from place: Int) -> Bool {
        words.indices.contains { index in
            obligations.contains(words[index]) && abs(index - place) <= 12
                && words[(index + 1)...].prefix(4).contains(where: answers.contains)
        }
    }

    private static func first(of names: [[String]], in words: [String]) -> Int? {
        words.indices.first { place in names.contains { words[place...].starts(with: $0) } }
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
