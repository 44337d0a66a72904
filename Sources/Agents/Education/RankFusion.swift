internal import JobQueue

/// Makes one list of several, each of which has what fits best first (reciprocal rank fusion).
///
/// Places alone count, since what lists are sorted by cannot be compared. A single list stays as it is.
enum RankFusion {
    /// Keeps the first places from outweighing all others.
    private static let damping = 60.0

    static func merge(_ lists: [[Passage]]) -> [Passage] {
        var scores: [String: Double] = [:]
        var order: [Passage] = []
        for list in lists {
            for (place, passage) in list.enumerated() {
                if scores[passage.naturalKey] == nil { order.append(passage) }
                scores[passage.naturalKey, default: 0] += 1 / (damping + Double(place + 1))
            }
        }
        // Of equal scores the one that was met first; the sort keeps no order of its own.
        return order.enumerated()
            .sorted { one, other in
                let (first, second) = (scores[one.element.naturalKey] ?? 0, scores[other.element.naturalKey] ?? 0)
                return (second, one.offset) < (first, other.offset)
            }
            .map(\.element)
    }
}
