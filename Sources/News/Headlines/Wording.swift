internal import Basics

/// The words in which events are reported whatever company they happen to.
///
/// On a day of results, forty headlines share them and tell forty stories, so between headlines of different companies
/// they carry no weight. Unlike `CommonWords.generic`, which weighs less everywhere, they count in full between
/// headlines of one company.
enum Wording {
    /// Whether a stem can name a subject: it is neither a function word, nor journalistic, nor wording, nor a number.
    static func isSpecific(_ stem: String) -> Bool {
        guard let first = stem.utf8.first, stem.utf8.count > 1, !(first >= 0x30 && first <= 0x39) else { return false }
        return !CommonWords.functional.contains(stem) && !CommonWords.generic.contains(stem) && !stems.contains(stem)
    }

    /// Verbs of business after a name that opens a headline.
    static let verbs = set(
        """
        beats beat tops topped misses missed posts posted reports reported names named appoints appointed picks taps hires
        recalls recalled recalling issues pulls cuts cut slashes slash sheds shed trims trim lay lays laying eliminate
        eliminates announces announced unveils unveiled launches launched introduces introduced debuts reveals rolls shows
        sues sued faces face hit wins raises raised boosts hikes lifts lowers warns says plans swings swing loses smashes
        delivers exceeds agrees strikes nears buys buy acquires acquire accepts rejects files takes must jumps soars sinks
        slides falls drops climbs rises slips tumbles settles earns blames gets accused initiated upgraded downgraded
        recall sell sells offers invests opens closes shuts halts suspends replaces pay pays replace finds lands discloses
        apologises apologizes investigates secures charges charge
        """)

    /// Those who do or suffer something in headlines without being named: no company's name, though they open one.
    static let actors = set(
        """
        leadership shopper shoppers customer customers user users passenger passengers patient patients driver drivers
        airline airlines regulator regulators study survey poll scientists researchers thousands hundreds dozens millions
        officials police hackers data theft pilots flights lenders banks carmakers retailers drugmakers chipmakers
        """)

    /// What a company has: a name before it is a company's.
    static let possessed = set(
        """
        earnings profit profits revenue results shares stock ceo cfo chief boss workers staff employees layoffs outage
        strike board guidance dividend recall sales drug lawsuit union
        """)

    private static let stems = Set(
        """
        achieve acquire acquirer acquisition activist adjust advance affect airbag analyst antitrust appoint approve
        approval bargain basis bearish beat benchmark bid bidder billion blockbuster board boom boost bond
        breach bullish buyback buyout buyer cargo carmaker chairman cheer class clear climb coin collapse collapses
        comeback complaint consensus consumer contract correction cost coverage currency customer cyberattack debut decade
        deepen defect defective delist deliver delivery demand disappoint disappointing dip discount dividend dollar
        downgrade downturn drag dump earn earnings eliminate employee employees employer ends equities estimate etf exceed
        exec expand expansion exit fault faulty fda fiscal flag forecast fraud franc freeze full-year fullyear fund
        giant greenlight guidance gut halt halve headcount hike hire hurdle impress inflow initiate injunction insider
        interim introduce inventory ipo jobless judge jury labor labour lag lawsuit layoff lineup lift litigation loan
        loss lower lowers maker margin merge merger mild million miss mixed momentum morning narrow narrower near neutral
        nod operating opec outflow outage outlook outpace outperform overhaul overweight payout percent pact peer
        pickup picket pledge plummet point position post posts premarket price pricing probe product profit
        profitable prompt prosecutor purchase quarter quarterly raise rally rate rattle rebound recall recommend
        redundancy regulator replace repurchase resign resignation restructure restructuring result retailer retire
        revamp reveal revenue revise rise rival robust roll role roundup sag sale sales sank scrutiny selloff settle
        settlement shareholder share shed shipment shortfall sink sink slash slide slip slow slower slump smash soar
        sour spending spin spinoff staff stake stall startup steady steep steer step stock streak strike strong
        stronger stumble subscriber subscription successor sue suit supplier surge surpass swing talk tap target tech
        therapy tie-up tieup top trader trial trim tumble turnaround typical underperform underweight undisclosed union
        unit unveil upbeat upgrade upside valuation vehicle verdict view volatile walkout warn weak weaken weaker
        weigh wider widen widespread winner workforce worker worst yield accus accuse hit crude basis chip chipmaker
        car suv truck drug treatment medicine brake steer seat belt fuel pump batter battery software
        airline airlines extend leap plunge deepen fade surprise slowdown bancorp brand brands capital chemical cosmetics electric energy entertainment financial foods
        global healthcare holding holdings industries international labs lines logistics materials media mining motor
        motors networks partners pharma pharmaceuticals power resources robotics semiconductor solutions systems
        technologies technology therapeutics ai gdp cpi
        """.listed.map { Stemmer.stem($0) })

    private static func set(_ words: String) -> Set<String> {
        Set(words.listed)
    }
}
