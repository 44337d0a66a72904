/// What happened in a story, by the kind of event that at least half of its headlines report; else by its topic.
enum StoryEvent: Sendable, Hashable {
    case topic(StoryTopic)
    case rates, inflation, employment, growth, prices
    case layoffs, recall, strike, outage, note
    case bankTrouble, conflict, publicDebt, trade, failure, fraud, medicine, breach, disaster, halt, listing, payout
    case business

    init(titles: [String]) {
        self = ImpactEvent.common(in: titles).map { Self($0) } ?? .topic(StoryTopic(titles: titles))
    }

    private init(_ event: ImpactEvent) {
        self =
            switch event {
            case .bankTrouble: .bankTrouble
            case .conflict: .conflict
            case .publicDebt: .publicDebt
            case .sanctions, .tariffs, .tradeCurb: .trade
            case .pandemic, .disaster: .disaster
            case .bailout, .bankruptcy, .debtDefault: .failure
            case .fraud: .fraud
            case .cyberattack: .breach
            case .outage: .outage
            case .halt: .halt
            case .recall: .recall
            case .medicine: .medicine
            case .strike: .strike
            case .layoffs: .layoffs
            case .note: .note
            case .listing: .listing
            case .payout: .payout
            case .business: .business
            case .rates: .rates
            case .inflation: .inflation
            case .employment: .employment
            case .growth: .growth
            case .centralBankAction, .budget, .centralBankWords, .tradeAgreement: .topic(.economy)
            case .priceMove: .prices
            case .marketMove, .shareMove: .topic(.market)
            case .dealBlocked, .deal: .topic(.deal)
            case .court: .topic(.regulation)
            case .leadership: .topic(.leadership)
            case .guidance, .earnings: .topic(.earnings)
            case .product: .topic(.product)
            }
    }

    /// The topic, in the words of the API; `nil` where the titles' own words say it better.
    var topic: StoryTopic? {
        switch self {
        case .topic(let topic): topic
        case .bankTrouble, .conflict, .publicDebt, .trade, .disaster, .rates, .inflation, .employment, .growth:
            .economy
        case .failure, .fraud, .medicine: .regulation
        case .listing: .deal
        case .payout: .earnings
        case .note, .prices: .market
        case .breach, .outage, .halt, .business: .product
        case .layoffs, .recall, .strike: nil
        }
    }

    /// Whether it reaches owners of all kinds and not those of one company.
    var isWide: Bool {
        switch self {
        case .bankTrouble, .conflict, .publicDebt, .trade, .disaster, .topic(.economy), .topic(.market), .rates,
            .inflation, .employment, .growth, .prices:
            true
        default: false
        }
    }

    /// Whether it is good for nobody, so that a rise of something else in the headlines is no gain.
    var isAdverse: Bool {
        switch self {
        case .bankTrouble, .conflict, .publicDebt, .failure, .fraud, .breach, .disaster, .halt, .recall, .strike,
            .layoffs, .outage:
            true
        default: false
        }
    }
}

extension ImpactEvent {
    /// The event that most of the titles report, and at least half of them; of equals, the gravest.
    static func common(in titles: [String]) -> ImpactEvent? {
        var counts: [ImpactEvent: Int] = [:]
        for event in titles.compactMap({ TitleReport.of($0).event }) { counts[event, default: 0] += 1 }
        guard let most = counts.values.max(), 2 * most >= titles.count else { return nil }
        return allCases.first { counts[$0] == most }
    }
}
