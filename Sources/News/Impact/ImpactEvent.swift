internal import Basics

/// The kinds of events by which a story is judged, the gravest first: of two that a headline reports alike, the first
/// names it.
package enum ImpactEvent: String, Sendable, Hashable, CaseIterable {
    /// A bank that fails, is rescued or is run on.
    case bankTrouble
    /// War and attacks, coups and blockades.
    case conflict
    /// A state that does not pay, or is less trusted to pay.
    case publicDebt
    case rates
    /// What a central bank does beside rates, and its minutes.
    case centralBankAction
    case pandemic
    case sanctions, tariffs
    case inflation, employment, growth
    case marketMove
    case bailout, bankruptcy, debtDefault
    case fraud
    case disaster
    /// A ban on exports, imports or a company's goods.
    case tradeCurb
    case budget
    case cyberattack, outage, halt
    case recall, medicine
    case dealBlocked, deal, court, strike, layoffs, leadership
    case guidance, earnings
    case priceMove, shareMove
    case listing, payout
    case centralBankWords
    case tradeAgreement
    case note, product
    /// A step of a company's business: prices, sites, orders, investments.
    case business

    /// The events that a headline reports, by the stems of its words, the kinds that the grouping reads, and whether a
    /// central bank is a subject.
    static func events(
        of stems: [String], _ kinds: Set<EventKind>, namesCentralBank: Bool
    ) -> Set<ImpactEvent> {
        var events = index.events(of: stems)
        for kind in kinds { if let event = byKind[kind] { events.insert(event) } }
        if namesCentralBank, statements.match(stems),
            !events.isDisjoint(with: decisions)
        {
            // An official's words on rates or prices are no decision and no figure.
            events.subtract(decisions)
            events.insert(.centralBankWords)
        }
        // `to fight inflation` and `for rate cuts` are reasons of another event.
        if events.contains(.rates) { events.subtract([.inflation, .growth, .centralBankWords]) }
        if events.contains(.bankTrouble) { events.subtract([.bankruptcy, .bailout, .deal]) }
        if rescues.match(stems) { events.remove(.bankTrouble) }
        if events.contains(.dealBlocked) { events.subtract([.deal, .court]) }
        if kinds.contains(.note), !events.contains(.publicDebt) { events = [.note] }
        return events
    }

    private static let index = PatternIndex(
        economicPatterns.merging(corporatePatterns) { $0 + $1 }.merging(patternsOfOtherLanguages) { $0 + $1 })

    /// What is saved from a bank, and not the bank.
    private static let rescues = HeadlinePattern.list(
        """
        rescue|rescues|rescued|save|saves|saved|free|frees|freed & from bank|banks|river
        rescue|rescues|rescued|save|saves|saved|free|frees|freed & from a|the bank|river
        """)
    private static let decisions: Set<ImpactEvent> = [.rates, .centralBankAction, .inflation, .employment, .growth]
    private static let statements = HeadlinePattern.list(
        """
        say|says|said|see|sees|seen|expect|expects|would|if|should|bets|wont|postponed|divided|\
        urge|urges
        """)

    private static let byKind: [EventKind: ImpactEvent] = [
        .rates: .rates, .inflation: .inflation, .employment: .employment, .claims: .employment, .growth: .growth,
        .earnings: .earnings,
        .leadership: .leadership, .layoffs: .layoffs, .recall: .recall, .deal: .deal, .court: .court,
        .approval: .medicine, .strike: .strike, .product: .product, .payout: .payout, .outage: .outage, .note: .note,
        .closure: .business, .pricing: .business, .contract: .business, .partnership: .business,
        .split: .payout, .breach: .outage, .halt: .halt,
        .writedown: .earnings, .creditRating: .note, .listing: .listing,
    ]
}
