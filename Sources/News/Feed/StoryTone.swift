/// Whether the titles of a story speak of a gain or of a loss. It says how the news is told, not what to do.
package enum StoryTone: String, Sendable, Hashable, CaseIterable {
    case positive, negative, neutral

    /// The tone of at least half of the titles, when no title has the other one.
    package init(titles: [String]) {
        var counts = (gain: 0, loss: 0)
        for title in titles {
            let words = Words.of(title).map { Stemmer.stem($0.folded) }
            let gains = words.contains(where: Self.gains.contains)
            let losses = words.contains(where: Self.losses.contains)
            // A title that has both says neither.
            if gains, !losses { counts.gain += 1 }
            if losses, !gains { counts.loss += 1 }
        }
        if counts.loss == 0, counts.gain > 0, 2 * counts.gain >= titles.count {
            self = .positive
        } else if counts.gain == 0, counts.loss > 0, 2 * counts.loss >= titles.count {
            self = .negative
        } else {
            self = .neutral
        }
    }

    private static let gains = stems(
        """
        beat beats gain gains rises rise rose rally rallies surge surges jump jumps climb climbs tops topped record wins
        approved approves approval upgrade upgraded raises raised growth profit recover recovers expands extends
        """)
    private static let losses = stems(
        """
        miss misses fall falls fell drop drops slide slides slip slips slump slumps tumble tumbles plunge plunges sink
        sinks loss losses lowers lowered cuts downgrade downgraded recall recalls lawsuit sued sues probe fraud
        bankruptcy bankrupt layoffs delay delays delayed outage breach hack hacked warns warning fined ban banned
        halts shortage
        """)

    private static func stems(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map { Stemmer.stem(String($0)) })
    }
}
