internal import Basics

extension ClaimRule {
    /// The first sentence that speaks of hardly anything that the sources speak of, such as an opinion on a share in the
    /// summary of a report on a factory; `nil` when there is none.
    ///
    /// Words are compared by stems, names and meanings, so only in the language of the sources. A sentence on the
    /// article itself, and one too short to tell, is passed over, and so is every answer about a text of a few words.
    func strangeSentence(in text: ParsedText, _ language: Language) -> String? {
        guard languages == [language], keys.count >= Self.fewestKeys else { return nil }
        let grounded = text.grounded(language)
        let material = WordLists.of(language).material.union(Self.labels)
        for (sentence, words) in zip(grounded.sentences, grounded.sentenceWords)
        where words.count >= Self.fewestWords {
            let shared = words.count { !$0.isDisjoint(with: keys) }
            guard shared * Self.leastShare < words.count else { continue }
            let spoken = sentence.split { !$0.isLetter }.map { String($0).folded }
            if material.isDisjoint(with: spoken) { return sentence }
        }
        return nil
    }

    /// A sentence of a good answer shares half of its words with its source. In the answers that other hands wrote, none
    /// shares less than a seventh.
    private static let leastShare = 7
    private static let fewestWords = 4
    private static let fewestKeys = 30
    /// Words of a sentence on the answer itself, or to the reader: "That is for you to decide".
    private static let labels: Set<String> = [
        "prose", "simulated", "sentence", "question", "you", "your", "i", "ich", "ihnen", "ihre", "usted", "tu", "je",
        "vous", "votre",
    ]
}
