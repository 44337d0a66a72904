/// How much a story matters to markets, in the words of the news API; `<` is "matters less".
public enum ImpactLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    case veryLow = "Very Low"
    case low = "Low"
    case moderate = "Moderate"
    case high = "High"

    private var rank: Int {
        switch self {
        case .veryLow: 0
        case .low: 1
        case .moderate: 2
        case .high: 3
        }
    }

    public static func < (left: ImpactLevel, right: ImpactLevel) -> Bool { left.rank < right.rank }
}

/// How sure it is that the articles of a group tell one story, in the words of the news API.
public enum ConfidenceLevel: String, Sendable, Hashable, CaseIterable {
    case high = "High"
    case medium = "Medium"
    case low = "Low"
}

/// Whether a group is for everybody or for those who hold a ticker.
public enum StoryScope: String, Sendable, Hashable, CaseIterable {
    case global = "GLOBAL"
    case ticker = "TICKER"
}

/// What a ticker has to do with a story.
public enum TickerRelationship: String, Sendable, Hashable, CaseIterable {
    /// At least half of the articles name it.
    case subject
    case mentioned
}
