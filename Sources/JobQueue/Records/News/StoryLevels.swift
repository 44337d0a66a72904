/// How much a story matters to markets, in the words of the news API; `<` is "matters less".
package enum ImpactLevel: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case veryLow = "Very Low"
    case low = "Low"
    case moderate = "Moderate"
    case high = "High"

    /// 0 to 3, by which stores order stories.
    package var rank: Int {
        switch self {
        case .veryLow: 0
        case .low: 1
        case .moderate: 2
        case .high: 3
        }
    }

    package static func < (left: ImpactLevel, right: ImpactLevel) -> Bool { left.rank < right.rank }
}

/// How sure it is that the articles of a story tell one story, in the words of the news API.
package enum ConfidenceLevel: String, Sendable, Hashable, Codable, CaseIterable {
    case high = "High"
    case medium = "Medium"
    case low = "Low"
}
