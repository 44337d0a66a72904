internal import JobQueue

/// The table by which events weigh, and the levels.
///
/// Points are tenths of a level. An event of a company weighs by the size of the company, one of an economy by that
/// of the economy; figures and emphasis move it by up to a level.
enum ImpactRule {
    static let high = 25
    static let moderate = 15
    static let low = 5

    static func level(_ points: Int) -> ImpactLevel {
        points >= high ? .high : points >= moderate ? .moderate : points >= low ? .low : .veryLow
    }

    /// What further publishers add: less than a level for a story with an event, and up to `Low` for one without, whose
    /// event no list of words knows.
    static func breadth(publishers: Int, hasEvent: Bool) -> Int {
        let steps = publishers >= 12 ? 3 : publishers >= 6 ? 2 : publishers >= 3 ? 1 : 0
        return hasEvent ? [0, 2, 3, 5][steps] : [0, 2, 5, 8][steps]
    }

    static func points(of event: ImpactEvent, in context: ImpactContext) -> Int {
        switch event {
        case .bankTrouble, .conflict, .publicDebt, .rates, .centralBankAction, .pandemic, .sanctions, .tariffs,
            .inflation, .employment, .growth, .marketMove, .disaster, .tradeCurb, .budget, .priceMove,
            .centralBankWords, .tradeAgreement:
            economic(event, context)
        default: corporate(event, context)
        }
    }

    // MARK: Economies and markets

    private static func economic(_ event: ImpactEvent, _ context: ImpactContext) -> Int {
        let money = context.magnitudes.money
        let emphasis = context.isEmphatic ? 6 : 0
        switch event {
        case .bankTrouble: return 30
        case .conflict:
            if context.has(calming) { return 4 }
            if context.namesMarket && context.namesPower || context.has(invasions) && context.namesPower { return 28 }
            return context.namesMarket || context.namesPower || context.has(coups) ? 18 : 8
        case .publicDebt: return context.isUnitedStates || context.has(russian) ? 28 : 20
        case .rates: return context.isLargeEconomy ? 30 : 18
        case .centralBankAction: return context.isLargeEconomy ? 28 : 18
        case .pandemic: return context.namesMarket || context.isEmphatic ? 27 : 18
        case .sanctions: return context.has(limited) ? 9 : context.has(broadSanctions) ? 28 : 16
        case .tariffs:
            if context.has(limited) || !context.namesPower && !context.isLargeEconomy && !context.has(bloc) {
                return 9
            }
            let isBroad = context.has(broadTrade) || money >= 5e10 || context.powers >= 2
            return isBroad && !context.has(singleGoods) ? 28 : 18
        case .inflation, .employment:
            if context.has(claims) {
                // Prices of houses move slowly; a turn of years is more than a figure of the month.
                return context.isLargeEconomy && (context.has(worst) || context.magnitudes.isRecordOfYears) ? 18 : 10
            }
            return context.isUnitedStates ? 28 : context.isLargeEconomy ? 20 : context.isMiddleEconomy ? 16 : 9
        case .growth:
            return context.isUnitedStates
                ? (context.has(recessions) ? 28 : 20 + emphasis)
                : context.isLargeEconomy ? 18 : context.isMiddleEconomy && !context.has(trade) ? 16 : 9
        case .marketMove:
            if context.has(forecasts) { return 10 }
            if context.has(crashes) { return 28 }
            guard context.has(plunging) || context.magnitudes.percent >= 4 else { return 10 }
            return context.isWorldwide || context.has(worst) || context.magnitudes.isRecordOfYears
                || context.magnitudes.percent >= 4 ? 28 : 17
        case .disaster: return 17 + (context.has(factories) ? 8 : 0)
        case .tradeCurb:
            if context.isLargeEconomy, context.namesPower, context.has(staples), context.has(stopped) { return 26 }
            return context.isLargeEconomy || context.namesPower ? 18 : 14 + emphasis
        case .budget: return context.isLargeEconomy || context.namesPower ? (money >= 5e11 ? 28 : 18) : 15
        case .priceMove:
            let isLarge =
                !context.has(levels)
                && (context.magnitudes.percent >= 5 || context.magnitudes.isRecordOfYears || context.has(plunging))
            return isLarge ? 17 : 9
        case .centralBankWords:
            // The chair of the Federal Reserve on its next steps moves all markets.
            if context.isUnitedStates, context.has(chairs), context.has(policy) { return 26 }
            return context.has(chairs) && context.has(warnings) ? 18 : 9
        case .tradeAgreement: return 9
        default: return 0
        }
    }

    // MARK: Companies

    /// Points for a giant, a listed company, a name that no list knows, and no name.
    private typealias Row = (giant: Int, listed: Int, unknown: Int, nameless: Int)

    private static func corporate(_ event: ImpactEvent, _ context: ImpactContext) -> Int {
        let row = row(event, context)
        let points =
            switch context.reach {
            case .giant: row.giant
            case .listed: row.listed
            case .unknown: row.unknown
            case .nameless: row.nameless
            }
        let total = points + size(event, context)
        // Results and prices of one company, however large, do not move an economy; a loss of hundreds of billions does.
        let isOfOneCompany = [.guidance, .earnings, .shareMove].contains(event) && context.magnitudes.money < 1e11
        return isOfOneCompany ? min(total, high - 1) : total
    }

    private static func row(_ event: ImpactEvent, _ context: ImpactContext) -> Row {
        switch event {
        case .bailout: (24, 20, 18, 16)
        case .bankruptcy: (25, 20, 18, 8)
        case .debtDefault: (24, 20, 18, 8)
        case .fraud: (20, 17, 9, 3)
        case .cyberattack: (10, 9, 7, 4)
        case .outage: (10, 8, 7, 7)
        case .halt: (17, 16, 10, 8)
        case .recall: (9, 9, 7, 5)
        case .medicine: context.has(devices) ? (10, 9, 7, 5) : (17, 16, 8, 6)
        case .dealBlocked: (18, 17, 15, 10)
        case .deal: (10, 9, 7, 5)
        case .court: context.has(privately) ? (8, 7, 4, 2) : (13, 9, 6, 2)
        case .strike: (11, 9, 9, 5)
        case .layoffs: (11, 9, 7, 6)
        case .leadership: (12, 9, 5, 2)
        case .guidance: (17, 9, 7, 5)
        case .earnings: (16, 9, 6, 5)
        case .shareMove: (14, 9, 7, 4)
        case .listing: (12, 9, 7, 5)
        case .payout: (8, 8, 6, 2)
        case .note: (6, 6, 5, 2)
        case .product: (7, 6, 3, 2)
        case .business: (9, 7, 5, 2)
        default: (0, 0, 0, 0)
        }
    }

    /// What figures and emphasis add to a company's event.
    private static func size(_ event: ImpactEvent, _ context: ImpactContext) -> Int {
        let figures = context.magnitudes
        switch event {
        case .fraud: return figures.money >= 1e9 || context.has(collapses) ? 10 : 0
        case .cyberattack, .outage: return context.isEmphatic || context.has(cripplings) ? 8 : 0
        case .recall:
            let units = max(figures.things, figures.number)
            return units >= 1e6 || context.has(withdrawals) ? 8 : units >= 1e5 ? 4 : 0
        case .deal:
            if figures.money >= 1e10 || context.companies >= 2 && context.has(mergers) { return 9 }
            return context.has(hostile) ? 5 : 0
        case .dealBlocked: return figures.money >= 1e10 && context.reach == .nameless ? 6 : 0
        case .court:
            return figures.money >= 1e9 || context.has(guilty) && context.reach != .unknown
                || context.has(monopolies) && context.reach == .giant ? 9 : 0
        case .strike:
            return context.isEmphatic || context.has(stoppages)
                ? 9
                : context.reach == .giant && context.has(crafts) ? 5 : 0
        case .layoffs:
            return figures.jobs >= 5_000 || figures.percent >= 10 || context.reach == .giant && figures.percent >= 3
                ? 8
                : figures.jobs >= 1_000
                    ? 3
                    : context.reach == .giant && context.has(closures) ? 5 : 0
        case .leadership: return context.has(chiefs) && context.has(departures) ? 6 : 0
        case .guidance, .earnings, .shareMove:
            if figures.percent >= 15 && context.isPlunge || figures.money >= 1e11 && event == .shareMove { return 8 }
            if event == .earnings, figures.money >= 5e9, context.has(losses) { return 9 }
            return context.isPlunge && event != .earnings ? 4 : 0
        case .listing: return context.isEmphatic || figures.money >= 1e10 ? 8 : context.has(shelved) ? 5 : 0
        case .halt: return 0
        // A place of work that ends is more than a step of a business.
        case .business: return context.has(worksClosures) ? 5 : 0
        default: return 0
        }
    }

    // MARK: Words

    private static let calming = HeadlinePattern.list("ceasefire|truce|peace|talks ! collapse|fail|oil")
    private static let invasions = HeadlinePattern.list("invade|invades|invasion|blockade|blockades|war")
    private static let coups = HeadlinePattern.list(
        """
        coup
        ship|ships|tanker|oil|uranium|pipeline
        """)
    private static let russian = HeadlinePattern.list("russia|russian|china|italy|japan")
    private static let limited = HeadlinePattern.list(
        """
        list ! price
        anti dumping
        sugar|rice|wine|steel & korean|vietnam|india
        on sugar
        """)
    private static let broadSanctions = HeadlinePattern.list(
        """
        sweeping|swift|bank|banks|oil|reserves
        """)
    private static let recessions = HeadlinePattern.list("recession|depression|shrink|contract")
    private static let bloc = HeadlinePattern.list("eu|europe|european|brussels")
    private static let broadTrade = HeadlinePattern.list(
        """
        all|todos|tous|alle|imports|goods|retaliate|retaliates|war|global|sweeping|pause|pauses
        court & tariffs|duties
        """)
    private static let singleGoods = HeadlinePattern.list(
        "steel|aluminium|aluminum|cars|vehicles|solar|lumber|wine|soybeans|pork|beef|chips|cognac|brandy")
    private static let factories = HeadlinePattern.list("factories|reactors|nationwide")
    private static let plunging = HeadlinePattern.list(
        "plunge|plummet|crash|tumble|soar|collapse|sink|suffer|wipe|leap|spike")
    private static let levels = HeadlinePattern.list("mortgage|yields|house|home|food|egg|rent")
    private static let claims = HeadlinePattern.list(
        """
        jobless claims
        house|home prices
        """)
    private static let worst = HeadlinePattern.list("worst|biggest|largest|steepest|thousand|points")
    private static let crashes = HeadlinePattern.list(
        """
        crash|meltdown|turmoil
        into correction
        bear market & enter|fall|into|in
        circuit breakers
        halt trading
        """)
    private static let chairs = HeadlinePattern.list("powell|lagarde|bailey|ueda|chair|president|governor")
    private static let warnings = HeadlinePattern.list("warn|warns|signal|signals|hint|hints")
    private static let devices = HeadlinePattern.list("device|devices|monitor|monitors|scanner|implant|test|tests")
    private static let privately = HeadlinePattern.list("shareholder|former|employee|customer|unfair|actress|neighbour")
    private static let collapses = HeadlinePattern.list(
        """
        collapse
        founder
        emissions
        """)
    private static let cripplings = HeadlinePattern.list(
        "shut|cripple|halt|ground|largest|pipeline|hospitals|pharmacies|airlines|banks|airports")
    private static let trade = HeadlinePattern.list("surplus|deficit|exports|imports|output|orders|sales")
    private static let crafts = HeadlinePattern.list("machinists|autoworkers|pilots|dockworkers|engineers|miners")
    private static let hostile = HeadlinePattern.list("hostile|hostil|feindlich|feindliche")
    private static let closures = HeadlinePattern.list("factories|plants")
    private static let worksClosures = HeadlinePattern.list(
        """
        close|closes|closing|closure|shut|shuts|shutting|shutter|shutters & plant|factory|mill|smelter|refinery|foundry|\
        mine|shipyard|steelworks|brewery ! nuclear
        schliesst|schliessen|schliessung|stilllegung & werk|fabrik|stahlwerk
        cierra|cerrara|cierre & planta|fabrica
        ferme|fermera|fermer|fermeture & usine
        """)
    private static let staples = HeadlinePattern.list("rare|oil|gas|grain|wheat|fuel|uranium")
    private static let stopped = HeadlinePattern.list("halt|halts|stop|stops|suspend|suspends|end|ends|cut|cuts")
    private static let policy = HeadlinePattern.list(
        """
        no hurry|rush
        ready|prepared|time to & cut|ease|raise|act|adjust
        ease|easing|tighten|tightening|cut|cuts|hike|hikes|rates|rate ! inflation
        """)
    private static let withdrawals = HeadlinePattern.list(
        """
        worldwide
        stop|stops sales
        """)
    private static let losses = HeadlinePattern.list("loss|losses|writedown|writedowns|charge")
    private static let mergers = HeadlinePattern.list("merge|merger|combine|acquire")
    private static let monopolies = HeadlinePattern.list("antitrust|monopoly|breakup")
    private static let forecasts = HeadlinePattern.list("sees|seen|expects|predicts|forecasts")
    private static let guilty = HeadlinePattern.list("plead|pleads guilty")
    private static let stoppages = HeadlinePattern.list(
        "halt|shut|ports|plants|production|carmakers|railways|nationwide|flights")
    private static let chiefs = HeadlinePattern.list(
        """
        chief executive
        ceo|founder
        board & fire|oust
        """)
    private static let departures = HeadlinePattern.list("step|quit|resign|oust|fire|depart|crisis|sudden|abrupt")
    private static let shelved = HeadlinePattern.list("shelve|scrap|pull|postpone|delay")
}
