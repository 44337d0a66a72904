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
        if has(["fomc"]) || near(["rate", "rates", "basis"], Self.decisions)
            || near(["borrowing"], Self.decisions) && has(["costs"])
        {
            // `to fight inflation` is the reason.
            kinds.remove(.inflation)
            kinds.insert(.rates)
        }
        return kinds
    }

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

    private static let priceMoves = set("raises raise raised hikes hike increases increase lowers slashes cuts lifts")
    private static let causes = set("after amid despite following wake because")
    private static let sums = set("pay pays imposes faces million mln billion bln bn euro euros fine")
    private static let withdrawals = set("pulls pulled withdraws withdrawn withdraw")
    private static let goods = set("drug medicine treatment market markets shelves")
    private static let holdings = set("trims cuts raises lifts buys builds discloses reveals sells adds unveils")
    private static let sellings = set(
        "sell sells selling sold divest divests divesting offload offloads unload unloads sale")
    private static let parts = set(
        "unit business arm division stake refinery assets operations subsidiary majority portfolio brand brands")
    private static let completions = set("completes closes finalises finalizes seals clinches completed")
    private static let transactions = set("purchase deal acquisition buyout merger takeover")
    private static let closings = set("close closes closing closure closures shut shuts shutting shutter shutters")
    private static let sites = set(
        """
        plant plants factory factories store stores drugstores branch branches mill mine restaurants locations steelworks
        smelter foundry shipyard brewery refinery sawmill
        """)
    private static let orders = set("order orders ordered deal deals buys sells")
    private static let craft = set(
        "jet jets plane planes aircraft jetliners airliners helicopters tankers ships trains")

    private static func isNote(_ words: [String], _ set: Set<String>) -> Bool {
        if !set.isDisjoint(with: ["upgraded", "downgraded", "overweight", "underweight", "outperform", "underperform"])
        {
            return true
        }
        func follows(_ first: Set<String>, _ second: Set<String>, within distance: Int = 1) -> Bool {
            words.indices.contains { place in
                first.contains(words[place])
                    && words[(place + 1)...].prefix(distance).contains(where: second.contains)
            }
        }
        return follows(["price"], ["target", "targets"]) || follows(["starts", "initiates", "resumes"], ["coverage"])
            // `in no hurry to cut as rates stay on hold`
            || set.isDisjoint(with: ["rate", "rates"])
                && follows(
                    ["upgrades", "downgrades", "initiates", "initiated", "reiterates", "rated", "cut", "raised"],
                    ["buy", "hold", "sell", "neutral"], within: 5)
            || follows(["initiated", "reiterated", "reiterates", "maintains"], ["at", "buy", "outperform", "hold"])
            || follows(["conviction", "buy", "focus"], ["list"]) || follows(["top"], ["pick", "picks"])
            || namesRating(words) || isOpinion(words, set)
            || follows(["upgrades", "downgrades"], set, within: 1) && !set.contains("software")
            || movesPriceTarget(words) || movesRating(words)
            || follows(["broker", "brokerage", "analyst"], ["note", "notes"])
            || follows(["shares", "stock"], ["look", "looks"])
            || follows(["buy", "sell", "hold", "neutral", "overweight", "stock"], ["rating"])
            || follows(
                ["rating"], ["kept", "cut", "raised", "lifted", "lowered", "maintained", "reiterated", "confirmed"])
            || follows(["turns"], ["bullish", "bearish"]) || set.contains("rating") && movesRatingOfShares(words, set)
    }

    /// `Citi slashes Nike target to $70`, but not a company's own target of sales.
    private static func movesPriceTarget(_ words: [String]) -> Bool {
        words.indices.contains { place in
            guard place > 0, ["target", "pt"].contains(words[place]), !ownTargets.contains(words[place - 1])
            else { return false }
            // `target raised to $150 at Goldman`, but not `target raised to 5 million cars`.
            if words.dropFirst(place + 1).first.map(targetMoves.contains) == true,
                words.dropFirst(place + 2).contains(where: ["at", "by", "from"].contains)
            {
                return true
            }
            let before = words[..<place].suffix(4)
            return before.contains(where: targetMoves.contains)
                || before.contains(where: ["keeps", "maintains", "reiterates"].contains)
                    && words.dropFirst(place + 1).first == "on"
        }
    }

    /// `Truist cuts Chipotle to hold`, but not `cuts prices to hold its share`.
    private static func movesRating(_ words: [String]) -> Bool {
        words.indices.contains { place in
            let isCompared =
                ["equal", "market", "peer", "sector"].contains(words[place])
                && ["weight", "perform", "performer"].contains(words.dropFirst(place + 1).first ?? "")
            guard place > 1, grades.contains(words[place]) || isCompared, words[place - 1] == "to",
                words[..<place].suffix(6).contains(where: targetMoves.union(["moves", "takes", "drops"]).contains)
            else { return false }
            return words.dropFirst(place + (isCompared ? 2 : 1)).first
                .map(["from", "on", "at", "as", "after", "by"].contains) ?? true
        }
    }

    /// `lowers its rating`, but not that of a borrower.
    private static func movesRatingOfShares(_ words: [String], _ set: Set<String>) -> Bool {
        guard set.isDisjoint(with: ["credit", "moodys", "fitch", "sp", "dbrs", "debt", "approval"]) else {
            return false
        }
        return words.indices.contains { place in
            words[place] == "rating"
                && words[..<place].suffix(3).contains(where: targetMoves.union(["lowers"]).contains)
        }
    }

    private static let grades = set("buy hold sell neutral accumulate reduce overweight equalweight")

    private static let targetMoves = set(
        "raises cuts lifts lowers hikes trims slashes boosts bumps nudges raised slashed boosted")
    private static let ownTargets = set(
        """
        sales profit revenue margin growth production output delivery emissions climate earnings cost savings annual
        year inflation deficit its their dividend
        """)

    /// `shares jump after an upgrade`, but not one of software or of a network.
    private static func namesRating(_ words: [String]) -> Bool {
        words.indices.contains { place in
            ["upgrade", "downgrade", "upgrades", "downgrades"].contains(words[place])
                && words[..<place].contains { ["after", "on", "as", "following"].contains($0) }
                && !words[max(0, place - 2)..<place].contains(where: improved.contains)
        }
    }

    private static let improved = set("software system network operating security phone handset fleet plant grid")

    /// What analysts and commentators think of a share, without an event of its company.
    private static func isOpinion(_ words: [String], _ set: Set<String>) -> Bool {
        let speaks = !set.isDisjoint(with: ["analyst", "analysts", "cramer", "strategist", "strategists"])
        if speaks, !set.isDisjoint(with: opinions) { return true }
        guard !set.isDisjoint(with: ["stock", "shares", "stocks"]) else { return false }
        return zip(words, words.dropFirst()).contains { $0 == "a" && ["buy", "sell", "bargain"].contains($1) }
            || zip(words, words.dropFirst()).contains { $0 == "should" && ["you", "investors"].contains($1) }
    }

    private static let opinions = set(
        "upside downside cheer cheers bullish bearish buy sell raise lift target targets optimistic")

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

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static let reports = set(
        "earnings results profit profits quarterly eps guidance revenue revenues estimates outlook"
    )
    private static let cases = set("appeal case court lawsuit suit bid fight battle dispute trial ruling challenge")
    private static let expenses = set("spending expenses capex")
    private static let expectations = set(
        "warns flags sees forecasts guides expects raises lifts cuts trims higher accelerating")
    private static let quarters = set(
        "q1 q2 q3 q4 first-quarter second-quarter third-quarter fourth-quarter firstquarter secondquarter thirdquarter fourthquarter"
    )
    private static let figures = set("loss losses sales forecasts forecast expectations deliveries bookings")
    private static let moves = set(
        """
        beats beat tops top topped misses missed miss fall falls fell rise rises rose posts posted reports reported swings lifts lowers
        cuts raises raised slashes trims swing wider narrower exceed exceeds record drop drops dropped jump jumps grow grows disappoint disappoints
        hike hikes hiked boost boosts boosted trimmed slashed lowered cut lift lifted short
        """)
    private static let confirmations = set(
        "keeps kept maintains maintained affirms reaffirms reiterates backs sticks suspends suspended pulls withdraws")
    private static let chiefs = set("ceo cfo coo chief chairman boss president helm")
    private static let successions = set(
        """
        names named appoints appointed picks picked taps tapped hires hired poaches poached steps stepping step resigns resign resigned
        retire retires retiring successor replace replaces replaced over departs depart leaves leaving ousted ousts next
        succeed succeeds leave step take takes new interim change changes transition exit exits quits quit depart departure
        """)
    private static let dismissals = set("layoff layoffs redundancies downsizing")
    private static let cuts = set(
        """
        cut cuts cutting lay lays laying slash slashes slashing shed sheds shedding eliminate eliminates trim trims axe
        axes axing cull culls reduce reduces reducing scrap scraps dismiss dismisses losses lose off
        """)
    private static let workforce = set("job jobs staff workers workforce employees positions roles headcount")
    private static let recalls = set("recall recalls recalled recalling coli salmonella listeria")
    private static let deals = set(
        "acquires acquired acquisition merger merges merging takeover buyout tie-up tieup merge acquiring acquire")
    private static let purchases = set("buys buy buying bought deal offer bid purchase sale")
    private static let biddings = set(
        "backs rejects raises accepts sweetens hostile board spurns weighs improves makes")
    private static let prices = set("billion bn bln million mln $")
    private static let courts = set(
        """
        sues sued suing lawsuit lawsuits court judge trial settle settles settled settlement jury verdict antitrust
        complaint suit sue accused accuses fine fined fines penalised penalized guilty probes investigates liable dispute disputes indicted prosecutors litigation appeal ruling
        """)
    private static let approvals = set("approves approve approval approved clears cleared nod greenlights")
    private static let medicines = set(
        "drug drugs treatment therapy medicine vaccine pill pills shot painkiller regulator regulators")
    private static let studies = set("patients stage placebo phase study")
    /// What a trial of a medicine does, and none before a court.
    private static let findings = set(
        "setback setbacks finds shows suggests fails failed failure succeeds meets misses disappoints")
    private static let strikes = set("strike strikes striking walkout walkouts picket union stoppage")
    private static let launches = set(
        "launches launch launched unveils unveil unveiled introduces introduce debuts debut reveals")
    private static let payouts = set("dividend dividends")
    private static let outages = set("outage outages")
    private static let breaches = set("hack hacked breach cyberattack ransomware")
    private static let growths = set(
        "grows grow grew expands expanded shrinks shrank contracts contracted growth slows")
    private static let decisions = set(
        """
        raises raise hikes hike lifts cuts cut holds hold keeps keep leaves trims steady unchanged points point lowers
        lower lowered reduces reduced pat remain remains
        """)
}

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
