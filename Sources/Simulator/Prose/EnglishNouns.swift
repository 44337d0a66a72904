internal import Basics

/// Nouns in English follow a determiner, a preposition or an adjective, or have the ending of one, and go before no
/// word that only follows a verb.
enum EnglishNouns {
    static func all(in sentences: [String]) -> [NounPhrases.Found] {
        let sentences = sentences.map(words)
        let verbs = sentences.reduce(into: Phrases.shared.verbs) { $0.formUnion(shownVerbs(in: $1)) }
        return sentences.flatMap { words in runs(in: words).flatMap { phrases(in: $0, words, verbs) } }
    }

    private struct Word {
        var text: String
        /// True where a mark ends the clause behind it.
        var isEnd: Bool
    }

    private static func words(of sentence: String) -> [Word] {
        sentence.split(separator: " ").map { word in
            let bare = word.drop { !$0.isLetter && !$0.isNumber }
            let letters = bare.prefix { $0.isLetter || $0 == "-" }
            // Anything behind the letters, such as an apostrophe or a comma, ends a phrase.
            return Word(text: letters.lowercased(), isEnd: letters.endIndex != word.endIndex)
        }
    }

    /// Words that show somewhere that they are verbs: those behind a pronoun or a modal, and those before a determiner
    /// that is not the first of its clause.
    private static func shownVerbs(in words: [Word]) -> Set<String> {
        var found: Set<String> = []
        for place in words.indices.dropFirst() where !words[place - 1].isEnd && subjects.contains(words[place - 1].text)
        {
            found.insert(words[place].text)
        }
        for place in words.indices.dropLast()
        where !words[place].isEnd && objects.contains(words[place + 1].text) && place > 0 && !words[place - 1].isEnd
            && !introducing.contains(words[place - 1].text)
        {
            found.insert(words[place].text)
        }
        return found
    }

    /// The places of neighbouring words with a meaning, between marks and common words.
    private static func runs(in words: [Word]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start: Int?
        for (place, word) in words.enumerated() {
            let isTelling = word.text.count > 2 && Words.isTelling(word.text) && !never.contains(word.text)
            if isTelling, start == nil { start = place }
            if let first = start, !isTelling || word.isEnd || place == words.count - 1 {
                runs.append(first..<(isTelling ? place + 1 : place))
                start = nil
            }
        }
        return runs
    }

    /// The phrase at the beginning of a run, up to its first verb; none where nothing shows that it ends with a noun.
    private static func phrases(in run: Range<Int>, _ words: [Word], _ verbs: Set<String>) -> [NounPhrases.Found] {
        let texts = run.map { words[$0].text }
        var phrase = Array(texts.prefix { !verbs.contains($0) && !isAdverb($0) })
        let isCut = phrase.count < texts.count
        while phrase.count > 3 || (phrase.count > 1 && isDescription(phrase[0])) { phrase.removeFirst() }
        while let last = phrase.last, isDescription(last) || isParticiple(last) {
            // What is behind an adjective or a participle is no longer near the noun.
            phrase.removeLast()
        }
        guard let head = phrase.last, head.count > 3 || phrase.count > 1 else { return [] }
        let before = run.lowerBound > 0 && !words[run.lowerBound - 1].isEnd ? words[run.lowerBound - 1].text : ""
        let after = run.upperBound < words.count && !words[run.upperBound - 1].isEnd ? words[run.upperBound].text : ""
        let isIntroduced = introducing.contains(before)
        let isSubject = run.lowerBound == 0 && !isCut && copulas.contains(after)
        guard isIntroduced || isSubject || hasNounEnding(head) else { return [] }
        // "a batch looks": only one noun follows "a", and it is no plural.
        if ["a", "an"].contains(before), phrase.count > 1, head.hasSuffix("s"), !head.hasSuffix("ss") {
            phrase.removeLast()
        }
        let next = run.upperBound + 1 < words.count ? words[run.upperBound + 1].text : ""
        let isDefined =
            !isCut && copulas.contains(after) && ["a", "an", "the", "any", "what", "how"].contains(next)
            || ["called", "named", "means"].contains(before)
            || (run.lowerBound > 1 && before == "as" && words[run.lowerBound - 2].text == "known")
        return [
            NounPhrases.Found(
                name: phrase.joined(separator: " "), isDefined: isDefined,
                isWeak: phrase.count == 1 && !hasNounEnding(phrase[0]))
        ]
    }

    private static func isAdverb(_ word: String) -> Bool {
        word.hasSuffix("ly") && !["supply", "family"].contains(word)
    }

    private static func isParticiple(_ word: String) -> Bool {
        word.hasSuffix("ed") && !["feed", "seed", "need", "speed"].contains(word)
    }

    private static func isDescription(_ word: String) -> Bool {
        adjectives.contains(word) || Phrases.shared.opposites[word] != nil && word.hasSuffix("er") || isAdverb(word)
    }

    private static func hasNounEnding(_ word: String) -> Bool {
        [
            "tion", "sion", "ment", "ness", "ance", "ence", "ship", "ity", "ism", "ture", "ware", "ology", "tions",
            "ments",
        ]
        .contains { word.hasSuffix($0) && word.count > $0.count + 2 }
    }

    private static let copulas: Set<String> = ["is", "are", "was", "were", "means"]
    /// Words that a verb follows.
    private static let subjects: Set<String> = [
        "it", "they", "we", "you", "i", "he", "she", "who", "which", "to", "can", "will", "may", "might", "could",
        "would", "must", "should", "does", "do", "did", "people", "nobody", "somebody", "everybody", "nothing",
    ]
    /// Words that follow a verb and no noun.
    private static let objects: Set<String> = [
        "the", "a", "an", "it", "its", "them", "him", "her", "their", "his", "our", "this", "these", "every", "each",
        "us", "me", "you",
    ]
    /// Words that a noun phrase follows.
    private static let introducing: Set<String> = [
        "a", "an", "the", "of", "in", "on", "with", "from", "by", "for", "its", "their", "his", "her", "our", "your",
        "this", "these", "each", "every", "any", "some", "no", "into", "about", "between", "called", "named", "through",
        "as", "without", "such", "both", "many", "most", "several", "few", "two", "three", "more", "less",
    ]
    /// Pronouns and other words that name nothing.
    private static let never: Set<String> = [
        "nobody", "somebody", "everybody", "anybody", "anyone", "everyone", "someone", "nothing", "something",
        "anything", "everything", "itself", "themselves", "himself", "herself", "therefore", "however", "yet", "ago",
        "today", "yesterday", "tomorrow", "maybe", "perhaps", "whether", "instead", "than", "way", "thing", "things",
        "lot", "kind", "sort", "part", "parts", "number", "example", "examples", "course", "one", "ones", "half",
        "twice", "day", "days", "week", "weeks", "month", "months", "year", "years", "time", "times", "people", "no",
        "nor", "onto", "upon", "within", "without", "against", "among", "along", "across", "toward", "towards", "per",
        "let", "lets", "cannot", "called", "named", "means", "inside", "outside", "might", "shall", "also", "else",
        "ever", "hence", "thus", "while", "whose", "whom",
    ]
    private static let adjectives: Set<String> = [
        "same", "other", "another", "whole", "own", "last", "next", "good", "bad", "better", "best", "worse", "worst",
        "large", "small", "big", "long", "short", "high", "low", "old", "fast", "slow", "great", "main", "certain",
        "different", "similar", "important", "usual", "common", "simple", "full", "right", "wrong", "early", "late",
        "largest", "smallest", "highest", "lowest", "true", "false", "able", "likely", "noisy", "warm", "second",
        "third", "sour", "soft", "hard", "clear", "free", "available", "possible", "single", "entire", "far", "near",
    ]
}
