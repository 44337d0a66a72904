internal import Basics

/// The kinds of events that headlines report in the same words whatever company they happen to.
package enum EventKind: String, Sendable, Hashable, CaseIterable {
    case earnings, leadership, layoffs, recall, deal, court, approval, strike, product, payout, outage, pricing, closure
    /// Money from lenders and new shareholders: bonds, loans, share offerings.
    case financing
    /// What an agency says of a borrower.
    case creditRating
    /// An interruption of production, deliveries or sales.
    case halt
    case contract, partnership, investment, hiring, pay, writedown, activism, listing, split, breach
    /// The move of production or of a seat to another place.
    case relocation
    /// An advertisement or a list of offers: `40 best gadgets under $50`.
    case offer
    /// An analyst's note: a price target, an upgrade, a start of coverage.
    case note
    /// Of a country: its rates, prices, jobs and growth.
    case rates, inflation, employment, growth, trade, activity
    /// First claims of unemployment benefits, which are counted each week apart from jobs.
    case claims

    /// Whether it happens to a country and not to a company.
    package var isEconomic: Bool { Self.economic.contains(self) }

    private static let economic: Set<EventKind> = [
        .rates, .inflation, .employment, .claims, .growth, .trade, .activity,
    ]

    /// The kinds that a headline names, by its words in lower case.
    static func kinds(of words: [String]) -> Set<EventKind> {
        let set = Set(words)
        func has(_ some: Set<String>) -> Bool { !set.isDisjoint(with: some) }
        /// Whether two words of the given sets are at most some words apart, in this order or in the other.
        func near(_ left: Set<String>, _ right: Set<String>, within distance: Int = 4) -> Bool {
            guard has(left) else { return false }
            let places = words.indices.filter { right.contains(words[$0]) }
            return words.indices.contains { place in
                left.contains(words[place]) && places.contains { abs($0 - place) <= distance && $0 != place }
            }
        }
        func adjacent(_ left: String, _ right: String) -> Bool {
            zip(words, words.dropFirst()).contains { $0 == left && $1 == right }
        }
        /// Whether all of some words come after one of a cause.
        func isCause(_ some: Set<String>) -> Bool {
            guard let cause = words.firstIndex(where: Self.causes.contains),
                let first = words.firstIndex(where: some.contains)
            else { return false }
            return cause > 0 && cause < first
        }
        let stems = words.map { Stemmer.stem($0) }
        if isCreditRating(stems) { return [.creditRating] }
        if isOffer(words) { return [.offer] }
        if isNote(words, set) { return [.note] }
        var kinds = companyKinds(of: stems)
        let isQuarter = words.indices.contains {
            // `a quarter point`, `a quarter of its staff`
            words[$0] == "quarter" && !($0 + 1 < words.count && ["point", "percentage"].contains(words[$0 + 1]))
                && !($0 > 0 && ["a", "one"].contains(words[$0 - 1]))
        }
        // A court case is lost as well as money.
        let losesMoney = has(["loses"]) && !has(Self.cases)
        // `lifts quarterly payout` is no result.
        let reports = kinds.isDisjoint(with: [.payout]) ? Self.reports : Self.reports.subtracting(["quarterly"])
        if has(reports) || losesMoney || isQuarter || near(Self.figures, Self.moves) || has(Self.quarters)
            || near(["forecast", "forecasts"], Self.confirmations)
            || near(Self.expenses, Self.expectations)
        {
            kinds.insert(.earnings)
        }
        if near(Self.chiefs, Self.successions, within: 6) || has(["successor"]) || adjacent("to", "lead")
            || adjacent("to", "head")
        {
            kinds.insert(.leadership)
        }
        let walksOut = ["walk", "walked", "walks"].contains { adjacent($0, "out") || adjacent($0, "off") }
        if has(Self.dismissals) || near(Self.cuts, Self.workforce, within: 7) && !walksOut { kinds.insert(.layoffs) }
        if has(Self.recalls) || near(Self.withdrawals, Self.goods) { kinds.insert(.recall) }
        let namesPrice = words.contains { $0.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } == true && $0.hasSuffix("bn") }
        if has(Self.deals) || has(["buys", "bought"]) && has(Self.prices) || near(Self.purchases, Self.prices)
            || has(Self.purchases) && namesPrice
            || isPurchase(words) || adjacent("tie", "up") || adjacent("purchase", "of")
            || near(Self.holdings, ["stake", "holding"], within: 7) || adjacent("spin", "off")
            || adjacent("spins", "off")
            || near(Self.sellings, Self.parts, within: 7) || near(Self.completions, Self.transactions)
            || near(["bid", "offer"], Self.biddings) || near(Self.orders, Self.craft)
        {
            kinds.insert(.deal)
        }
        let isStudy =
            has(Self.medicines) || has(Self.studies) || near(["trial", "trials"], Self.findings)
        // A cup is won on penalties as well.
        let isPunished = near(["penalty", "penalties"], Self.sums)
        if has(Self.courts) || isPunished, !(isStudy && has(["trial"])) { kinds.insert(.court) }
        if has(["fda"]) || near(Self.approvals, Self.medicines) || isStudy && has(["trial", "trials", "study"]) {
            kinds.insert(.approval)
        }
        if has(Self.strikes) || walksOut,
            !near(["strikes", "strike"], ["deal", "deals", "price", "missile", "air", "drone"])
        {
            kinds.insert(.strike)
        }
        if has(Self.launches) || isRollOut(words) || adjacent("on", "sale") || adjacent("hands", "on") {
            kinds.insert(.product)
        }
        // `raises $10 billion in bond sale`, `to buy back $2 billion of shares` change no owner of a company.
        if !kinds.isDisjoint(with: [.financing, .split]) || adjacent("buy", "back") || adjacent("buys", "back") {
            kinds.remove(.deal)
        }
        // `unveils results` is no product.
        if kinds.contains(.earnings), !has(["launch", "launches", "launched"]) { kinds.remove(.product) }
        if near(Self.closings, Self.sites) { kinds.insert(.closure) }
        if has(Self.payouts) { kinds.insert(.payout) }
        if has(Self.breaches)
            || near(
                ["stole", "stolen", "steal", "theft", "leak", "leaked", "exposed"], ["data", "records", "customer"])
        {
            kinds.insert(.breach)
        }
        if has(Self.outages) || adjacent("down", "for") || adjacent("goes", "down") { kinds.insert(.outage) }
        if !kinds.isDisjoint(with: [.outage, .breach]) {
            // `Microsoft Outlook down for thousands` is no outlook.
            if !has(Self.reports.subtracting(["outlook"])), !near(Self.figures, Self.moves) { kinds.remove(.earnings) }
        }
        // `cuts forecasts after outage`, `raises capital amid strike`: the cause is no event of this headline.
        for (kind, words) in [(EventKind.outage, Self.outages), (.breach, Self.breaches), (.strike, Self.strikes)]
        where kinds.count > 1 && kinds.contains(kind) && isCause(words) { kinds.remove(kind) }
        if raisesPrices(words) { kinds.insert(.pricing) }
        if has(["inflation", "cpi", "deflation"]) || adjacent("consumer", "prices") { kinds.insert(.inflation) }
        let countsClaims = near(["claims"], ["jobless", "unemployment", "jobs", "benefits", "initial"], within: 3)
        if countsClaims { kinds.insert(.claims) }
        if has(["payrolls", "employment"]) || !countsClaims && has(["unemployment", "jobless"])
            || near(["jobs"], ["add", "adds", "added", "economy", "employers"])
        {
            kinds.insert(.employment)
        }
        // `Employers add 142,000 jobs as pay rises` is no news of one company.
        if kinds.contains(.employment) { kinds.subtract([.pay, .hiring]) }
        if has(["gdp", "recession"]) || has(["economy"]) { kinds.insert(.growth) }
        if has(["exports", "imports"]) || near(["trade"], ["surplus", "deficit", "gap"]) { kinds.insert(.trade) }
        if has(["pmi"]) || adjacent("factory", "activity") || adjacent("retail", "sales")
            || near(["manufacturing", "output", "production"], ["contracts", "shrinks", "expands", "industrial"])
        {
            kinds.insert(.activity)
        }
        if has(["fomc"]) || !isOtherRate(words) && near(["rate", "rates", "basis"], Self.decisions)
            || near(["borrowing"], Self.decisions) && has(["costs"])
        {
            // `to fight inflation` is the reason.
            kinds.remove(.inflation)
            kinds.insert(.rates)
        }
        return kinds
    }

    /// `jobless rate`, `mortgage rates`: no rate that a central bank decides on.
    private static func isOtherRate(_ words: [String]) -> Bool {
        let owners = words.indices.dropFirst().filter { ["rate", "rates"].contains(words[$0]) }.map { words[$0 - 1] }
        return !owners.isEmpty && owners.allSatisfy(otherRates.contains)
    }

    private static let otherRates = set(
        "jobless unemployment mortgage tax birth growth inflation exchange saving savings default occupancy vacancy")

    /// `raises prices by 6%`, `higher prices at`, `to charge more`: what a company asks of its customers.
    private static func raisesPrices(_ words: [String]) -> Bool {
        words.indices.contains { place in
            if words[place] == "charge" { return words.dropFirst(place + 1).first == "more" }
            guard ["prices", "price", "fees", "fares"].contains(words[place]), place > 0 else { return false }
            let next = words.dropFirst(place + 1).first
            if ["hike", "hikes", "increase", "increases", "rise", "rises"].contains(next) {
                return !words[..<place].contains("house") && !words[..<place].contains("consumer")
            }
            if ["higher", "lower"].contains(words[place - 1]) { return next == "at" || next == "from" }
            return words[..<place].suffix(3).contains(where: priceMoves.contains) && next != "target"
        }
    }

    /// `to buy X`, `will acquire X`.
    private static func isPurchase(_ words: [String]) -> Bool {
        words.indices.dropLast().contains {
            ["to", "will", "agrees", "would", "nears", "be"].contains(words[$0])
                && ["buy", "acquire", "merge", "bought", "acquired", "purchase", "take"].contains(words[$0 + 1])
                && (words[$0 + 1] != "take"
                    || words.dropFirst($0 + 2).first == "over"
                        && words.dropFirst($0 + 3).first != "as")
        }
    }

    private static func isRollOut(_ words: [String]) -> Bool {
        zip(words, words.dropFirst()).contains {
            ["rolls", "roll", "shows", "rolled"].contains($0) && ["out", "off"].contains($1)
        }
    }
}
