internal import Basics

/// A rule on what a text may say, by patterns of words: no advice to trade, no alarm.
///
/// The patterns are English. They describe how such sentences are built, in plain or in polite words, and a test holds
/// them against sentences that have to be found and calm ones that must not be.
struct WordingRule: Sendable {
    /// Finds advice to trade in whatever words: orders, "now may be a moment to …", praise of a price, promises.
    static let advice = WordingRule(
        (AdviceWords.patterns, AdviceWords.lists), (AdviceWords.classPatterns, AdviceWords.classLists),
        unattributed: (AdviceWords.praisePatterns, AdviceWords.praiseLists), sparesNegations: false,
        problem: "It reads as advice to trade or as a forecast of a price",
        fix: "Say what is known and leave the decision to the reader")

    /// Finds words that alarm or urge, polite ones too.
    static let alarm = WordingRule(
        (AlarmWords.patterns, AlarmWords.lists), (AlarmWords.classPatterns, AlarmWords.classLists),
        unattributed: (AlarmWords.forebodingPatterns, AlarmWords.forebodingLists), sparesNegations: true,
        problem: "It alarms or urges the reader", fix: "Say the same calmly, or leave it out")

    private let patterns: [PhrasePattern]
    private let index: PhraseIndex
    /// The patterns from this place on do not hold for what a sentence gives as somebody's view.
    private let firstUnattributed: Int
    /// Whether "no reason to worry" is allowed where "reason to worry" is not.
    private let sparesNegations: Bool
    private let problem: String
    private let fix: String

    private typealias Part = (patterns: String, lists: [String: String])

    private init(_ parts: Part..., unattributed: Part, sparesNegations: Bool, problem: String, fix: String) {
        func read(_ part: Part) -> [PhrasePattern] {
            part.patterns.split(whereSeparator: \.isNewline).map { PhrasePattern(String($0), lists: part.lists) }
        }
        let always = parts.flatMap(read)
        firstUnattributed = always.count
        patterns = always + read(unattributed)
        index = PhraseIndex(self.patterns)
        self.sparesNegations = sparesNegations
        self.problem = problem
        self.fix = fix
    }

    /// The problem of a text; `nil` when there is none. Words of the sources may be repeated, since the text reports what
    /// they say.
    func problem(in text: String, sources: [String] = []) -> String? {
        lazy var said = sources.map(WordedText.init)
        for sentence in WordedText(text).sentences {
            for place in index.candidates(in: sentence.words) {
                guard let range = patterns[place].match(in: sentence.words) else { continue }
                if place >= firstUnattributed, Attribution.isGiven(in: sentence.words, .english) { continue }
                let stretch = sentence.words[range]
                if sparesNegations, isDenied(range.lowerBound, in: sentence.words) { continue }
                if said.contains(where: { $0.holds(stretch) }) { continue }
                return "\(problem) (\"\(stretch.joined(separator: " "))\"). \(fix): "
                    + "\"\(sentence.text.prefix(scalars: 200))\""
            }
        }
        return nil
    }

    private static let negations: Set<String> = [
        "no", "not", "never", "without", "nothing", "neither", "nor", "hardly", "little", "isn't", "aren't", "wasn't",
        "doesn't", "don't", "rather", "instead",
    ]

    private func isDenied(_ place: Int, in words: [String]) -> Bool {
        words[max(0, place - 3)..<place].contains(where: Self.negations.contains)
            // "This does not mean that the company is in trouble."
            || zip(words[..<place], words[..<place].dropFirst()).contains {
                Self.negations.contains($0) && ["mean", "means", "meant"].contains($1)
            }
    }
}
