internal import Basics

/// Statements that an answer gives to another speaker than its material does: `Cook said` there, `Musk said` here.
///
/// It speaks of people whom the material introduces by what they do, and of companies beside the one that an article is
/// about: what that company says and what its chief says are the same to a reader.
struct SpeakerRule {
    private struct Sentence {
        var names: Set<String>
        var keys: Set<String>
        /// Whether "he" or "it" in it may be the speaker of the sentence before.
        var goesOn: Bool
    }

    private let sayings: [Saying]
    private let names: Set<String>
    /// The names of people that the material introduces.
    private let people: Set<String>
    /// The names in the first sentence of each text, of which one is the company that it is about.
    private let subjects: Set<String>
    private let sentences: [Sentence]
    private let claims: ClaimRule

    /// - Parameters:
    ///   - sources: The material.
    ///   - names: The names of companies and people in it.
    ///   - claims: What it states.
    init(sources: [ParsedText], names: Set<String>, claims: ClaimRule) {
        let found = sources.map { Speakers.people(in: $0, $0.language ?? .english, names) }
        people = found.reduce(into: []) { $0.formUnion($1.last) }
        let all = found.reduce(into: names) { $0.formUnion($1.all) }
        self.names = all
        self.claims = claims
        sayings = sources.flatMap { Saying.all(in: $0, $0.language ?? .english, all) }
        subjects = sources.reduce(into: []) { names, text in
            guard let first = text.sentences.first else { return }
            names.formUnion(all.intersection(text.words(of: first).map(\.folded)))
        }
        sentences = sources.flatMap { text in
            let language = text.language ?? .english
            return zip(text.sentences, text.grounded(language).sentenceKeys).map { sentence, keys in
                let words = text.words(of: sentence)
                let own = all.intersection(words.filter(\.isCapitalised).map(\.folded))
                return Sentence(
                    names: own, keys: keys,
                    goesOn: own.isEmpty || Speakers.beginsWithPronoun(words, language))
            }
        }
    }

    /// The first statement of a text that the material has of somebody else; `nil` when there is none.
    func misplaced(in text: ParsedText, _ language: Language) -> (claim: String, source: String)? {
        guard !sayings.isEmpty else { return nil }
        for claim in Saying.all(in: text, language, names) {
            let isPerson = !claim.speaker.isDisjoint(with: people)
            guard isPerson || claim.speaker.isDisjoint(with: subjects) else { continue }
            let words = claims.comparable(claim.words, language)
            guard words.count >= Self.fewestWords else { continue }
            func shared(_ keys: Set<String>) -> Int { words.count { !$0.isDisjoint(with: keys) } }
            let own =
                sentences.indices.filter { place in
                    !sentences[place].names.isDisjoint(with: claim.speaker)
                        || place > 0 && sentences[place].goesOn
                            && !sentences[place - 1].names.isDisjoint(with: claim.speaker)
                }.map { shared(sentences[$0].keys) }.max() ?? 0
            let others = sayings.filter { saying in
                saying.speaker.isDisjoint(with: claim.speaker)
                    && !sentences.contains {
                        !$0.names.isDisjoint(with: saying.speaker) && !$0.names.isDisjoint(with: claim.speaker)
                    }
            }
            let found = others.map { saying in
                (saying, shared(saying.words.reduce(into: Set<String>()) { $0.formUnion($1) }))
            }.max { $0.1 < $1.1 }
            guard let (saying, count) = found, count >= Self.fewestWords || words.count == count,
                3 * count >= 2 * words.count, count > 2 * own
            else { continue }
            return (claim.text, saying.text)
        }
        return nil
    }

    private static let fewestWords = 2
}
