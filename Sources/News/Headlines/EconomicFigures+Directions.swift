internal import Basics

extension EconomicFigures {
    /// The directions that the words of a headline name, each with what moves.
    mutating func readDirections(_ words: [(word: String, endsClause: Bool)]) {
        for place in words.indices {
            guard let name = Self.mover(at: place, in: words.map(\.word)) else { continue }
            let before = words[max(0, place - 3)..<place].map(\.word)
            let isCore = before.suffix(2).contains { ["core", "underlying"].contains($0) }
            if let direction = Self.direction(behind: place, in: words) ?? Self.direction(before: before),
                Self.rates.contains(name) || !Self.slowings.contains(direction.word)
            {
                insert(direction.move, of: Mover(name: name, isCore: isCore))
            }
        }
    }

    private static func mover(at place: Int, in words: [String]) -> String? {
        let before = place > 0 ? words[place - 1] : ""
        switch words[place] {
        case "inflation" where !["producer", "wholesale", "food", "wage"].contains(before): return "inflation"
        case "unemployment": return "unemployment"
        case "jobless" where place + 1 < words.count && words[place + 1] != "claims": return "unemployment"
        case "claims" where before != "continuing": return "claims"
        case "payrolls", "employment": return "jobs"
        case "gdp", "economy": return "economy"
        case "growth" where ["economic", "gdp", "economy"].contains(before): return "growth"
        case "sales" where before == "retail": return "sales"
        case "exports", "imports", "pmi": return words[place]
        case "deficit", "surplus": return words[place]
        default: return nil
        }
    }

    /// The first direction behind what moves, in its own clause: `inflation unexpectedly slows`.
    private static func direction(
        behind place: Int, in words: [(word: String, endsClause: Bool)]
    ) -> (move: MarketMove, word: String)? {
        var at = place
        while at - place < 4, !words[at].endsClause, at + 1 < words.count {
            at += 1
            let word = words[at].word
            if let move = direction(of: word) { return (move, word) }
            if connectors.contains(word) || opinions.contains(word) || word.contains(where: \.isNumber)
                || mover(at: at, in: words.map(\.word)) != nil
            {
                return nil
            }
        }
        return nil
    }

    /// `slower inflation`, `a fall in US jobless claims`
    private static func direction(before words: [String]) -> (move: MarketMove, word: String)? {
        if let last = words.last(where: { $0 != "jobless" && $0 != "us" }), participles.contains(last) {
            return direction(of: last).map { ($0, last) }
        }
        guard let link = words.lastIndex(of: "in"), link > 0, let move = direction(of: words[link - 1]) else {
            return nil
        }
        return (move, words[link - 1])
    }

    /// The direction that a word of an English headline names.
    static func direction(of word: String) -> MarketMove? {
        rises.contains(word) ? .rise : falls.contains(word) || slowings.contains(word) ? .fall : nil
    }

    /// What is said to slow when its own figure goes down; an economy or sales that slow still grow.
    private static let rates: Set<String> = [
        "inflation", "unemployment", "claims", "growth", "pmi", "deficit", "surplus",
    ]

    /// Behind a measure they make another thing of it: `inflation fears rise`.
    private static let opinions: Set<String> = [
        "fears", "fear", "worries", "concerns", "expectations", "outlook", "forecast", "forecasts", "target",
        "pressure",
        "pressures", "hopes", "bets", "risk", "risks", "fight", "battle", "data", "report", "figures", "growth",
        "gauge",
    ]
    private static let connectors: Set<String> = [
        "as", "but", "while", "despite", "after", "and", "amid", "with", "ahead", "before", "on", "even", "though",
    ]
    private static let participles: Set<String> = [
        "rising", "falling", "slowing", "cooling", "easing", "slower", "faster", "higher", "lower", "accelerating",
        "shrinking", "declining",
    ]
    private static let rises = set(
        """
        rise rises rose rising climb climbs climbed jump jumps jumped quicken quickens quickened accelerate accelerates
        accelerated accelerating pick picks picked surge surges surged soar soars soared speeds faster up higher grow grows
        grew expand expands expanded gain gains gained rebound rebounds rebounded increase increases increased widen widens
        widened strengthens add adds added advance advances advanced heats
        """)
    private static let falls = set(
        """
        fall falls fell falling drop drops dropped slide slides slid slip slips slipped dip dips dipped decline declines
        declined declining down lower shrink shrinks shrank shrinking contract contracts contracted narrow narrows narrowed
        tumble tumbles tumbled plunge plunges plunged sink sinks sank decrease decreases lose loses lost shed sheds retreat
        retreats
        """)
    private static let slowings = set(
        """
        slow slows slowed slowing slower cool cools cooled cooling ease eases eased easing decelerate decelerates moderate
        moderates moderated soften softens softened weaken weakens weakened subside subsides
        """)

    private static func set(_ words: String) -> Set<String> {
        Set(words.listed)
    }
}
