internal import Basics

extension HoldingGroup {
    /// The groups of holdings that a story touches beside its own tickers: those of its companies, and those that at least
    /// half of its headlines name. Every share is left out, since such a story touches all.
    static func touched(by titles: [String], _ event: StoryEvent, subjects: [String]) -> [HoldingGroup] {
        var groups: [HoldingGroup] = []
        func add(_ group: HoldingGroup) { if group != .stocks, !groups.contains(group) { groups.append(group) } }
        for subject in subjects { of(subject).first.map(add) }
        guard subjects.isEmpty else { return groups }
        if event == .bankTrouble { [.banks, .finance].forEach(add) }
        let headlines = titles.map { Words.of($0).map { Stemmer.stem($0.folded) } }
        for (group, words) in touching where 2 * headlines.count(where: words.match) >= max(titles.count, 1) {
            add(group)
        }
        return groups
    }

    private static let touching: [(HoldingGroup, [HeadlinePattern])] = [
        (.crypto, HeadlinePattern.list("bitcoin|ether|ethereum|crypto|cryptocurrency|stablecoin|coinbase|binance")),
        (.energy, HeadlinePattern.list("oil|crude|brent|opec|refinery|refineries|tankers|pipeline|lng")),
        (.materials, HeadlinePattern.list("gold|copper|steel|aluminium|aluminum|lithium|nickel|miners")),
        (.chips, HeadlinePattern.list("chip|chips|semiconductor|semiconductors|chipmakers")),
        (.cars, HeadlinePattern.list("car|cars|carmakers|automakers|vehicles|auto|evs")),
        (.travel, HeadlinePattern.list("airline|airlines|flights|cruise|hotels|jets")),
        (.health, HeadlinePattern.list("drug|drugs|vaccine|vaccines|fda|medicare|pharmaceutical|pharma")),
        (.property, HeadlinePattern.list("mortgage|housing|homebuilders|property|rents\nhouse|home prices")),
        (.banks, HeadlinePattern.list("bank|banks|lender|lenders|banking ! central|world|england|japan|canada|india")),
        (.consumer, HeadlinePattern.list("retailers|retail|supermarkets|shoppers")),
        (.utilities, HeadlinePattern.list("grid|utilities|electricity")),
    ]
}
