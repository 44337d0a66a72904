internal import Basics

/// Statements that an answer gives to another person than its material does: `Cook said` there, `Musk said` here.
///
/// It speaks of people alone, whom the material introduces by what they do. What a company says and what its chief says
/// are the same to a reader.
struct SpeakerRule {
    /// What somebody says in a sentence.
    private struct Saying {
        var speaker: Set<String>
        var words: [Set<String>]
        var text: String
    }

    private let sayings: [Saying]
    private let names: Set<String>
    /// The names of people that the material introduces.
    private let people: Set<String>
    /// The names and the words of each sentence of the material.
    private let sentences: [(names: Set<String>, keys: Set<String>)]

    /// - Parameters:
    ///   - sources: The material, of which the English texts are read.
    ///   - names: The names of companies and people in it.
    init(sources: [ParsedText], names: Set<String>) {
        self.names = names
        let texts = sources.filter { ($0.language ?? .english) == .english }
        sayings = texts.flatMap { Self.sayings(in: $0, names) }
        people = texts.reduce(into: []) { $0.formUnion(Self.people(in: $1, names)) }
        sentences = texts.flatMap { text in
            zip(text.sentences, text.grounded(.english).sentenceKeys).map { sentence, keys in
                let words = text.words(of: sentence).filter(\.isCapitalised).map(\.folded)
                return (names.intersection(words), keys)
            }
        }
    }

    /// The first statement of an English text that the material has of somebody else; `nil` when there is none.
    func misplaced(in text: ParsedText, _ language: Language) -> (claim: String, source: String)? {
        guard language == .english, !sayings.isEmpty, !people.isEmpty else { return nil }
        for claim in Self.sayings(in: text, names) {
            guard !claim.speaker.isDisjoint(with: people), claim.words.count >= Self.fewestWords else { continue }
            let own =
                sentences.indices.filter { place in
                    !sentences[place].names.isDisjoint(with: claim.speaker)
                        // "He" in the next sentence.
                        || place > 0 && !sentences[place - 1].names.isDisjoint(with: claim.speaker)
                }.map { place in claim.words.count { !$0.isDisjoint(with: sentences[place].keys) } }.max() ?? 0
            let found = sayings.filter { saying in
                saying.speaker.isDisjoint(with: claim.speaker)
                    && !sentences.contains {
                        !$0.names.isDisjoint(with: saying.speaker) && !$0.names.isDisjoint(with: claim.speaker)
                    }
            }.map { saying in
                let keys = saying.words.reduce(into: Set<String>()) { $0.formUnion($1) }
                return (saying, claim.words.count { !$0.isDisjoint(with: keys) })
            }.max { $0.1 < $1.1 }
            guard let (saying, shared) = found, 3 * shared >= 2 * claim.words.count, shared > 2 * own else { continue }
            return (claim.text, saying.text)
        }
        return nil
    }

    private static let fewestWords = 2

    // MARK: Reading

    private static func sayings(in text: ParsedText, _ names: Set<String>) -> [Saying] {
        text.sentences.flatMap { sentence -> [Saying] in
            let words = text.words(of: sentence)
            let folded = words.map(\.folded)
            if let saying = attributed(words, folded, names) { return [saying] }
            let spoken = folded.indices.compactMap { verb -> (speaker: Range<Int>, verb: Int)? in
                guard verbs.contains(folded[verb]) else { return nil }
                return speaker(of: verb, in: words, names).map { ($0, verb) }
            }
            return spoken.indices.compactMap { number in
                let (speaker, verb) = spoken[number]
                let next = number + 1 < spoken.count ? spoken[number + 1].speaker.lowerBound : words.count
                let behind = words[max(verb + 1, speaker.upperBound)..<max(next, verb + 1, speaker.upperBound)]
                // "Demand was strong, Cook said."
                let part = behind.count { $0.text != "," } > 1 || number > 0 ? behind : words[..<speaker.lowerBound]
                let keys = ClauseReader(language: .english).keys(ofPart: part)
                return Saying(
                    speaker: Set(folded[speaker]), words: keys,
                    text: words.map(\.text).filter { $0 != "," }
                        .joined(separator: " "))
            }
        }
    }

    /// "According to Tim Cook, demand was strong", at the beginning or at the end of a sentence.
    private static func attributed(
        _ words: [CalmWords.Word], _ folded: [String], _ names: Set<String>
    ) -> Saying? {
        guard
            let place = folded.indices.dropFirst().first(where: { folded[$0 - 1] == "according" && folded[$0] == "to" })
        else { return nil }
        let name = words[(place + 1)...].prefix { $0.isCapitalised && names.contains($0.folded) }
        guard !name.isEmpty else { return nil }
        let rest = place > 1 ? words[..<(place - 1)] : words[name.endIndex...]
        return Saying(
            speaker: Set(name.map(\.folded)), words: ClauseReader(language: .english).keys(ofPart: rest),
            text: words.map(\.text).filter { $0 != "," }.joined(separator: " "))
    }

    /// The name before a verb of speech, or behind it at the end of a sentence.
    private static func speaker(of verb: Int, in words: [CalmWords.Word], _ names: Set<String>) -> Range<Int>? {
        func isName(_ place: Int) -> Bool {
            words.indices.contains(place) && words[place].isCapitalised && names.contains(words[place].folded)
        }
        var end = verb
        while end > 0, adverbs.contains(words[end - 1].folded) { end -= 1 }
        var start = end
        while isName(start - 1) { start -= 1 }
        if start < end { return start..<end }
        var last = verb + 1
        while isName(last) { last += 1 }
        return last > verb + 1 ? (verb + 1)..<last : nil
    }

    /// `chief executive Tim Cook`, `Tim Cook, Apple's chief executive`, `Mr Cook`: the last word of the name.
    private static func people(in text: ParsedText, _ names: Set<String>) -> Set<String> {
        var people: Set<String> = []
        for sentence in text.sentences {
            let words = text.words(of: sentence)
            func isName(_ place: Int) -> Bool {
                words.indices.contains(place) && words[place].isCapitalised && names.contains(words[place].folded)
            }
            for place in words.indices where isName(place) && !isName(place + 1) {
                var start = place
                while isName(start - 1) { start -= 1 }
                let isIntroduced = start > 0 && roles.contains(words[start - 1].folded)
                let behind = words[(place + 1)...].prefix(5)
                let isExplained =
                    behind.first?.text == "," && place > start && behind.contains { roles.contains($0.folded) }
                // A name of two words whose first is one of people.
                let isPerson = place > start && NameWords.firstNames.contains(words[start].folded)
                if isIntroduced || isExplained || isPerson { people.insert(words[place].folded) }
            }
        }
        return people
    }

    private static let verbs: Set<String> = [
        "said", "says", "told", "warned", "warns", "added", "adds", "argued", "argues", "wrote", "stated", "insisted",
        "explained", "predicted", "acknowledged", "admitted",
    ]
    private static let adverbs: Set<String> = ["also", "later", "then", "earlier", "himself", "herself", "has", "had"]
    private static let roles: Set<String> = [
        "chief", "executive", "ceo", "cfo", "president", "chairman", "chairwoman", "chair", "minister", "chancellor",
        "governor", "analyst", "economist", "strategist", "director", "founder", "senator", "secretary", "head",
        "spokesman", "spokeswoman", "mr", "ms", "mrs", "dr", "officer", "boss", "professor", "judge", "commissioner",
    ]
}
