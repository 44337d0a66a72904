/// The direction in which a headline says that a market went.
enum MarketMove: Sendable, Hashable {
    case rise, fall

    /// The moves that a headline names, by its words in lower case: of two, the first, which is the market's.
    static func moves(of words: [String]) -> Set<MarketMove> {
        for word in words {
            if rises.contains(word) { return [.rise] }
            if falls.contains(word) { return [.fall] }
        }
        return []
    }

    private static let rises: Set<String> = [
        "rise", "rises", "rose", "rising", "climb", "climbs", "climbed", "gain", "gains", "gained", "jump", "jumps",
        "jumped",
        "surge", "surges", "surged", "soar", "soars", "soared", "rally", "rallies", "rallied", "record", "high",
        "highs", "records", "peak",
        "highest", "records", "peak", "tops", "rebound", "rebounds", "advance", "advances", "strengthens", "higher",
        "up",
        "above", "earns",
    ]

    private static let falls: Set<String> = [
        "fall", "falls", "fell", "falling", "drop", "drops", "dropped", "slide", "slides", "slid", "tumble", "tumbles",
        "tumbled", "plunge", "plunges", "plunged", "sink", "sinks", "sank", "slip", "slips", "slipped", "dip", "dips",
        "retreat", "retreats", "weakens", "below", "low", "lows", "lowest", "lower", "down", "slump", "slumps",
    ]
}
