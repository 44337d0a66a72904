package import JobQueue

/// What `focused`, `balanced` and `broad` change.
package struct FocusRules: Sendable, Hashable {
    /// Of ten items of the personalized feed, how many are about holdings where there are enough.
    package var holdingsOfTen: Int
    /// General stories below this impact are left out.
    package var leastGeneralImpact: ImpactLevel
    /// Whether a story that only mentions a holding counts as one about it.
    package var countsMentions: Bool
    /// Whether general stories take the places that stories about holdings leave free.
    package var fillsUp: Bool

    /// Whoever holds nothing gets all of the general news, whatever the profile.
    package init(_ profile: FocusProfile, holdsAnything: Bool = true) {
        switch holdsAnything ? profile : .balanced {
        case .focused:
            self.init(holdingsOfTen: 9, leastGeneralImpact: .moderate, countsMentions: false, fillsUp: false)
        case .balanced:
            self.init(holdingsOfTen: 7, leastGeneralImpact: .veryLow, countsMentions: false, fillsUp: true)
        case .broad:
            self.init(holdingsOfTen: 5, leastGeneralImpact: .veryLow, countsMentions: true, fillsUp: true)
        }
    }

    /// How many items of a page are about holdings where there are enough; at least one.
    package func ownQuota(of limit: Int) -> Int { min(limit, max(1, (limit * holdingsOfTen + 5) / 10)) }

    private init(holdingsOfTen: Int, leastGeneralImpact: ImpactLevel, countsMentions: Bool, fillsUp: Bool) {
        self.holdingsOfTen = holdingsOfTen
        self.leastGeneralImpact = leastGeneralImpact
        self.countsMentions = countsMentions
        self.fillsUp = fillsUp
    }
}
