internal import Basics

extension EventKind {
    /// The kinds of a company's events that a headline names by words near each other, by the stems of its words.
    static func companyKinds(of stems: [String]) -> Set<EventKind> { companyIndex.events(of: stems) }

    /// Whether an agency that rates debt speaks: its downgrade is no analyst's note on shares.
    static func isCreditRating(_ stems: [String]) -> Bool { creditRatings.match(stems) }

    private static let companyIndex = PatternIndex(companyPatterns)

    private static let creditRatings = HeadlinePattern.list(
        """
        moody|moodys|fitch|sp|dbrs|scope & rating|outlook|downgrade|upgrade|affirm|junk|notch ! 500|price|targets
        credit|debt|bond rating|ratings
        debt|bonds & downgrade|upgrade|junk & moody|notch
        """)

    /// What a company may do several times a day: one kind of event is not one event.
    static let frequent: Set<EventKind> = [.contract, .partnership, .investment, .hiring, .product, .relocation, .halt]

    /// Whether a headline offers goods to its reader: `Save 30% on AirPods`, `40 best gadgets under $50`.
    static func isOffer(_ words: [String]) -> Bool {
        let set = Set(words)
        guard set.isDisjoint(with: business) else { return false }
        func isNumber(_ place: Int) -> Bool {
            words.indices.contains(place) && words[place].utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } == true
        }
        let showsGoods = !set.isDisjoint(with: offered)
        return words.indices.contains { place in
            let before = Set(words[..<place].suffix(3))
            let after = Array(words.dropFirst(place + 1).prefix(4))
            switch words[place] {
            case "best", "cheapest", "top", "hottest":
                return after.first != "buy" && after.contains(where: offered.contains)
            case "save", "saves":
                return before.isDisjoint(with: ["to", "will", "could", "would", "may"])
                    && (place + 1...place + 3).contains(where: isNumber)
            case "under": return isNumber(place + 1) && (showsGoods || set.contains("best"))
            case "off":
                return isNumber(place - 1)
                    && (showsGoods || !set.isDisjoint(with: ["save", "get", "now", "sale", "coupon"]))
            case "coupon", "coupons", "promo":
                return words[place] != "promo" || ["code", "codes"].contains(after.first)
            case "deals": return !set.isDisjoint(with: ["friday", "monday", "prime", "shop", "early", "today"])
            default: return false
            }
        }
    }

    private static let offered: Set<String> = [
        "deals", "gadgets", "gifts", "discounts", "bargains", "offers", "coupons", "accessories",
    ]
    /// What shows that trade and not the reader is the subject.
    private static let business: Set<String> = [
        "sales", "revenue", "profit", "estimates", "shares", "stock", "stocks", "shoppers", "retailers", "million",
        "billion", "bn", "jobs", "ceo", "investors", "analysts", "banks", "mergers",
    ]

    /// Of two kinds, one may tell what the other led to.
    static func areRelated(_ one: Set<EventKind>, _ other: Set<EventKind>) -> Bool {
        relatedPairs.contains { !$0.isDisjoint(with: one) && !$0.isDisjoint(with: other) }
    }

    /// A recall and the investigation of it, a takeover and the court's word on it, results and the dividend.
    private static let relatedPairs: [Set<EventKind>] = [
        [.recall, .court], [.deal, .court], [.breach, .court], [.halt, .court], [.earnings, .payout],
        [.earnings, .layoffs], [.earnings, .writedown], [.earnings, .halt],
        [.closure, .layoffs], [.halt, .outage], [.breach, .outage], [.halt, .breach], [.halt, .strike],
        [.halt, .recall], [.halt, .closure], [.strike, .pay], [.deal, .investment], [.deal, .partnership],
        [.deal, .financing], [.deal, .contract], [.deal, .activism], [.contract, .partnership],
        [.investment, .partnership], [.investment, .contract], [.investment, .hiring], [.investment, .closure],
        [.leadership, .activism], [.creditRating, .writedown], [.product, .pricing], [.product, .recall],
        [.product, .partnership], [.product, .halt], [.listing, .deal], [.listing, .financing],
    ]

    private static let companyPatterns: [EventKind: [HeadlinePattern]] = [
        .financing: HeadlinePattern.list(
            """
            sell|issue|price|raise|launch|plan|tap|place & bond|bonds|notes|debentures ! traders|market yields
            bond|debt|note|notes|equity|rights|convertible sale|offering|issue|deal
            share|stock offering|sale & raise|billion|million|plans|announces
            borrow|borrows|borrowing & billion|million|bond|bonds|loan|lenders|market
            credit facility|line
            refinance|refinancing & debt|loan|loans|bonds
            """),
        .halt: HeadlinePattern.list(
            """
            halt|stop|suspend|pause|freeze|delay & production|deliveries|delivery|output|assembly|shipments|sales|\
            handovers|flights
            ground|grounds|grounded & jets|jet|fleet|planes|flights
            """),
        .contract: HeadlinePattern.list(
            """
            win|won|secure|land|award|awarded|bag|receive & contract|contracts|order|orders|tender|rights ! court|trial
            orders|order & from & billion|million
            contract|order worth
            """),
        .partnership: HeadlinePattern.list(
            """
            partner|partners|partnership|collaborate|collaboration|alliance & with|on|for|and|to
            team|teams|teaming up
            joint venture
            sign|signs & deal|agreement|pact & with|streaming|licensing|supply|rights ! merger|takeover
            """),
        .investment: HeadlinePattern.list(
            """
            build|open|expand|delay|postpone|push|plan|get & plant|factory|gigafactory|fab|warehouse|campus|stores|store|\
            shops|branches|restaurants|lab|laboratory|park|resort|hub|data|repair ! prices|tickets|probe|investigation|inquiry|strike|explosion|fire
            invest|spend|pour|puts|pledge|commit & billion|million|plant|factory ! fine|lawsuit|settle
            break|breaks|broke ground
            win|wins & plant|factory
            add|adds & stores|shops|branches|routes
            """),
        .hiring: HeadlinePattern.list(
            """
            hire|hires|hiring|recruit & workers|staff|people|holiday|holidays|seasonal|engineers|hundreds|thousands
            second|third|extra|night shift
            """),
        .relocation: HeadlinePattern.list(
            """
            move|moves|shift|shifts|relocate & assembly|production|manufacturing|headquarters|output & to|from
            more|all & made in
            """),
        .layoffs: HeadlinePattern.list("jobs|posts|positions to go"),
        .closure: HeadlinePattern.list("close|closes|closing line"),
        .pay: HeadlinePattern.list(
            """
            raise|higher|lift|increase|cut|boost|hike & wage|wages|salary|salaries|bonuses
            raise|lift|increase|cut|boost pay
            pay rise|raise|rises|raises|deal|package
            """),
        .writedown: HeadlinePattern.list(
            """
            writedown|impairment
            write|writes|wrote|writing down|off
            take|took|book|record & charge|hit & billion|million
            """),
        .activism: HeadlinePattern.list(
            """
            proxy fight|battle|contest
            activist & stake|board|seats|pushes|urges|calls|investor ! climate
            seat|seats & board & seek|nominate|win|demand
            """),
        .listing: HeadlinePattern.list(
            """
            ipo|flotation
            stock|share|market debut
            go|goes|going public
            """),
        .split: HeadlinePattern.list(
            """
            stock|share|shares split
            split|splits & shares|stock & for
            """),
        .payout: HeadlinePattern.list(
            """
            payout & shareholder|quarterly|raise|lift|special|investor ! jury|court|insurer
            buyback|repurchase
            buy|buys back & shares|stock|billion|million
            """),
        .breach: HeadlinePattern.list(
            """
            hackers & steal|stole|stolen|publish|leak|data|breach|customer
            leak & internal|messages|customer|data|records ! gas|oil|water
            """),
        .recall: HeadlinePattern.list(
            "call|calls|calling back & vehicle|vehicles|cars|suvs|trucks|million|thousand|fire|fault|over"),
        .court: HeadlinePattern.list(
            """
            probe|inquiry|investigation & open|launch|face|into|regulator|antitrust
            face|faces trial
            """),
        .leadership: HeadlinePattern.list(
            """
            director|chair|chairwoman|executive & resign|leave|quit|step|depart|retire & board|from|as|down|company
            head|chief & leave|quit|exit|resign|depart ! court|sales|price|prices|loss|eu|market|recession|tax
            forced|pushed out & ceo|chief|boss|executive|chair
            """),
        .pricing: HeadlinePattern.list(
            """
            pay|cost more & customer|subscriber|viewer|user|shopper|park|ticket|parks|passengers|drivers
            make|makes & cheaper|dearer
            ticket|subscription|plan prices
            tickets|fares|fees up|dearer|rise
            """),
        .earnings: HeadlinePattern.list(
            """
            expect|expects|sees|guides|guide & sales|margin|margins|estimates|above|below ! rate|rates|analysts|economists
            deliver|delivers|delivered & fewer|more|record & cars|vehicles|jets|planes
            """),
    ]
}
