extension EventKind {
    /// Whether a headline is an analyst's note or an opinion of a share.
    static func isNote(_ words: [String], _ set: Set<String>) -> Bool {
        if !set.isDisjoint(with: ["upgraded", "downgraded", "overweight", "underweight", "outperform", "underperform"])
        {
            return true
        }
        func follows(_ first: Set<String>, _ second: Set<String>, within distance: Int = 1) -> Bool {
            words.indices.contains { place in
                first.contains(words[place])
                    && words[(place + 1)...].prefix(distance).contains(where: second.contains)
            }
        }
        return follows(["price"], ["target", "targets"]) || follows(["starts", "initiates", "resumes"], ["coverage"])
            // `in no hurry to cut as rates stay on hold`
            || set.isDisjoint(with: ["rate", "rates"])
                && follows(
                    ["upgrades", "downgrades", "initiates", "initiated", "reiterates", "rated", "cut", "raised"],
                    ["buy", "hold", "sell", "neutral"], within: 5)
            || follows(["initiated", "reiterated", "reiterates", "maintains"], ["at", "buy", "outperform", "hold"])
            || follows(["conviction", "buy", "focus"], ["list"]) || follows(["top"], ["pick", "picks"])
            || namesRating(words) || isOpinion(words, set)
            || follows(["upgrades", "downgrades"], set, within: 1) && !set.contains("software")
            || movesPriceTarget(words) || movesRating(words)
            || follows(["broker", "brokerage", "analyst"], ["note", "notes"])
            || follows(["shares", "stock"], ["look", "looks"])
            || follows(["buy", "sell", "hold", "neutral", "overweight", "stock"], ["rating"])
            || follows(
                ["rating"], ["kept", "cut", "raised", "lifted", "lowered", "maintained", "reiterated", "confirmed"])
            || follows(["turns"], ["bullish", "bearish"]) || set.contains("rating") && movesRatingOfShares(words, set)
    }

    /// `Citi slashes Nike target to $70`, but not a company's own target of sales.
    private static func movesPriceTarget(_ words: [String]) -> Bool {
        words.indices.contains { place in
            guard place > 0, ["target", "pt"].contains(words[place]), !ownTargets.contains(words[place - 1])
            else { return false }
            // `target raised to $150 at Goldman`, but not `target raised to 5 million cars`.
            if words.dropFirst(place + 1).first.map(targetMoves.contains) == true,
                words.dropFirst(place + 2).contains(where: ["at", "by", "from"].contains)
            {
                return true
            }
            let before = words[..<place].suffix(4)
            return before.contains(where: targetMoves.contains)
                || before.contains(where: ["keeps", "maintains", "reiterates"].contains)
                    && words.dropFirst(place + 1).first == "on"
        }
    }

    /// `Truist cuts Chipotle to hold`, but not `cuts prices to hold its share`.
    private static func movesRating(_ words: [String]) -> Bool {
        words.indices.contains { place in
            let isCompared =
                ["equal", "market", "peer", "sector"].contains(words[place])
                && ["weight", "perform", "performer"].contains(words.dropFirst(place + 1).first ?? "")
            guard place > 1, grades.contains(words[place]) || isCompared, words[place - 1] == "to",
                words[..<place].suffix(6).contains(where: targetMoves.union(["moves", "takes", "drops"]).contains)
            else { return false }
            return words.dropFirst(place + (isCompared ? 2 : 1)).first
                .map(["from", "on", "at", "as", "after", "by"].contains) ?? true
        }
    }

    /// `lowers its rating`, but not that of a borrower.
    private static func movesRatingOfShares(_ words: [String], _ set: Set<String>) -> Bool {
        guard set.isDisjoint(with: ["credit", "moodys", "fitch", "sp", "dbrs", "debt", "approval"]) else {
            return false
        }
        return words.indices.contains { place in
            words[place] == "rating"
                && words[..<place].suffix(3).contains(where: targetMoves.union(["lowers"]).contains)
        }
    }

    private static let grades = set("buy hold sell neutral accumulate reduce overweight equalweight")

    private static let targetMoves = set(
        "raises cuts lifts lowers hikes trims slashes boosts bumps nudges raised slashed boosted")
    private static let ownTargets = set(
        """
        sales profit revenue margin growth production output delivery emissions climate earnings cost savings annual
        year inflation deficit its their dividend
        """)

    /// `shares jump after an upgrade`, but not one of software or of a network.
    private static func namesRating(_ words: [String]) -> Bool {
        words.indices.contains { place in
            ["upgrade", "downgrade", "upgrades", "downgrades"].contains(words[place])
                && words[..<place].contains { ["after", "on", "as", "following"].contains($0) }
                && !words[max(0, place - 2)..<place].contains(where: improved.contains)
        }
    }

    private static let improved = set("software system network operating security phone handset fleet plant grid")

    /// What analysts and commentators think of a share, without an event of its company.
    private static func isOpinion(_ words: [String], _ set: Set<String>) -> Bool {
        let speaks = !set.isDisjoint(with: ["analyst", "analysts", "cramer", "strategist", "strategists"])
        if speaks, !set.isDisjoint(with: opinions) { return true }
        guard !set.isDisjoint(with: ["stock", "shares", "stocks"]) else { return false }
        return zip(words, words.dropFirst()).contains { $0 == "a" && ["buy", "sell", "bargain"].contains($1) }
            || zip(words, words.dropFirst()).contains { $0 == "should" && ["you", "investors"].contains($1) }
    }

    private static let opinions = set(
        "upside downside cheer cheers bullish bearish buy sell raise lift target targets optimistic")
}
