internal import Basics

/// Finds texts that break off in the middle of a sentence.
enum CompletenessRule {
    /// The last words of a text that breaks off; `nil` for a whole one.
    ///
    /// A text of several sentences ends with a full stop or another mark. One without any may be a note, and breaks
    /// off where its last word is one that always has another behind it.
    static func brokenEnd(of text: String, _ language: Language) -> String? {
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init) {
            if isBroken(paragraph, language) { return String(paragraph.suffix(60)) }
        }
        return nil
    }

    private static func isBroken(_ paragraph: String, _ language: Language) -> Bool {
        let plain = NormalizedText(paragraph)
        guard let last = plain.scalars.last(where: { !$0.isSpace && !closers.contains($0) }) else { return false }
        if ends.contains(last) { return false }
        let words = CalmWords.split(plain)
        guard let word = words.last(where: { $0.lower != "," }), words.count > 3 else { return false }
        if last == "," || last == "-" || last == "–" || last == "(" { return true }
        if openers[language]?.contains(word.folded) == true {
            return !isOne(words.map(\.folded), language) && !endsWithVerb(words, language)
        }
        if isBegun(words, language) { return true }
        // Its other sentences have their full stops, or it is long enough to be one.
        let hasStop = plain.scalars.indices.contains { place in
            ends.contains(plain.scalars[place]) && place + 1 < plain.scalars.count && plain.scalars[place + 1].isSpace
                && place > 3
        }
        return hasStop || words.count >= 14 && words.contains { $0.lower == "," }
    }

    /// "…, although it expects": a clause that has only begun.
    private static func isBegun(_ words: [CalmWords.Word], _ language: Language) -> Bool {
        guard words.count > 8, let comma = words.lastIndex(where: { $0.lower == "," }) else { return false }
        let clause = words[(comma + 1)...]
        guard let first = clause.first, subordinators.contains(first.folded) else { return false }
        return clause.count == 2
            || clause.count == 3 && pronouns.contains(clause[clause.index(after: clause.startIndex)].folded)
    }

    private static let pronouns: Set<String> = ["it", "they", "he", "she", "es", "sie", "er", "ella", "il", "elle"]

    private static let subordinators: Set<String> = [
        "although", "because", "while", "which", "since", "obwohl", "weil", "wahrend", "aunque", "porque", "mientras",
        "alors", "parce", "quoique",
    ]

    /// `Two firms become one`: an article that is the number, and ends its clause.
    private static func isOne(_ words: [String], _ language: Language) -> Bool {
        guard words.count > 3 else { return false }
        let (last, before) = (words[words.count - 1], words[words.count - 2])
        let verbs: Set<String>
        switch language {
        case .english: return false
        case .german:
            guard ["einem", "einer"].contains(last), before == "zu" else { return false }
            verbs = ["wird", "werden", "wurde", "wurden", "machen", "macht", "verschmelzen", "verschmelzt"]
        case .spanish:
            guard ["uno", "una"].contains(last) else { return false }
            verbs = ["ser", "son", "quedan", "en", "solo"]
        case .french:
            guard ["un", "une"].contains(last), ["qu", "que", "en"].contains(before) else { return false }
            verbs = ["plus", "font", "fait", "deviennent", "devient"]
        }
        return words.contains(where: verbs.contains)
    }

    /// `Erspartes bringt mehr ein`: the second part of a German verb, in a text as short as a reason.
    private static func endsWithVerb(_ words: [CalmWords.Word], _ language: Language) -> Bool {
        guard language == .german, words.count <= 12, let last = words.last?.lower.folded,
            ["ein", "auf", "zu", "mit", "bei"].contains(last)
        else { return false }
        return words.dropLast().contains { word in
            !word.isCapitalised && word.lower.count > 3 && (word.lower.hasSuffix("t") || word.lower.hasSuffix("en"))
                && !["mit", "nicht", "jetzt", "einen", "ihren", "seinen"].contains(word.lower)
        }
    }

    private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "…", ":", ";"]
    private static let closers: Set<Unicode.Scalar> = ["\"", "'", "“", "”", "»", "«", ")", "]", "’"]

    /// Words that no sentence ends with.
    private static let openers: [Language: Set<String>] = [
        .english: words(
            "the a an of to in for from with by and or but that which because its their our than as is are was were has have had will would could at on into between if when while whose very"
        ),
        .german: words(
            "der die das den dem des ein eine einen einem einer eines und oder aber dass weil wenn mit von fur auf im in am bei zum zur als ist sind hat haben wurde wird sehr"
        ),
        .spanish: words(
            "el la los las un una unos unas de del al a en con por para y e o que porque su sus como es son ha han muy"),
        .french: words(
            "le la les l un une des de du d au aux a en dans par pour sur avec et ou que qui parce car son sa ses leur leurs est sont ont tres"
        ),
    ]

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
