/// How often a cache was asked, and what for.
package struct CacheStatistics: Sendable, Hashable {
    /// What became of a question.
    package enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Answered by a document within its lifetime.
        case hit
        /// Answered by one beyond it, which is being fetched again.
        case stale
        /// A source was asked, by this question or one that came just before.
        case miss
        /// Nothing could be answered.
        case failure
    }

    package internal(set) var counts: [Outcome: Int] = [:]

    package subscript(outcome: Outcome) -> Int { counts[outcome] ?? 0 }

    mutating func count(_ outcome: Outcome) { counts[outcome, default: 0] += 1 }
}
