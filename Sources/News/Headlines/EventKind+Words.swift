internal import Basics

/// The words of the kinds of events, in lower case.
extension EventKind {
    static func set(_ words: String) -> Set<String> {
        Set(words.listed)
    }

    static let priceMoves = set("raises raise raised hikes hike increases increase lowers slashes cuts lifts")
    static let causes = set("after amid despite following wake because")
    static let sums = set("pay pays imposes faces million mln billion bln bn euro euros fine")
    static let withdrawals = set("pulls pulled withdraws withdrawn withdraw")
    static let goods = set("drug medicine treatment market markets shelves")
    static let holdings = set("trims cuts raises lifts buys builds discloses reveals sells adds unveils")
    static let sellings = set(
        "sell sells selling sold divest divests divesting offload offloads unload unloads sale")
    static let parts = set(
        "unit business arm division stake refinery assets operations subsidiary majority portfolio brand brands")
    static let completions = set("completes closes finalises finalizes seals clinches completed")
    static let transactions = set("purchase deal acquisition buyout merger takeover")
    static let closings = set("close closes closing closure closures shut shuts shutting shutter shutters")
    static let sites = set(
        """
        plant plants factory factories store stores drugstores branch branches mill mine restaurants locations steelworks
        smelter foundry shipyard brewery refinery sawmill
        """)
    static let orders = set("order orders ordered deal deals buys sells")
    static let craft = set(
        "jet jets plane planes aircraft jetliners airliners helicopters tankers ships trains")
    static let reports = set(
        "earnings results profit profits quarterly eps guidance revenue revenues estimates outlook"
    )
    static let cases = set("appeal case court lawsuit suit bid fight battle dispute trial ruling challenge")
    static let expenses = set("spending expenses capex")
    static let expectations = set(
        "warns flags sees forecasts guides expects raises lifts cuts trims higher accelerating")
    static let quarters = set(
        "q1 q2 q3 q4 first-quarter second-quarter third-quarter fourth-quarter firstquarter secondquarter thirdquarter fourthquarter"
    )
    static let figures = set("loss losses sales forecasts forecast expectations deliveries bookings")
    static let moves = set(
        """
        beats beat tops top topped misses missed miss fall falls fell rise rises rose posts posted reports reported swings lifts lowers
        cuts raises raised slashes trims swing wider narrower exceed exceeds record drop drops dropped jump jumps grow grows disappoint disappoints
        hike hikes hiked boost boosts boosted trimmed slashed lowered cut lift lifted short
        """)
    static let confirmations = set(
        "keeps kept maintains maintained affirms reaffirms reiterates backs sticks suspends suspended pulls withdraws")
    static let chiefs = set("ceo cfo coo chief chairman boss president helm")
    static let successions = set(
        """
        names named appoints appointed picks picked taps tapped hires hired poaches poached steps stepping step resigns resign resigned
        retire retires retiring successor replace replaces replaced over departs depart leaves leaving ousted ousts next
        succeed succeeds leave step take takes new interim change changes transition exit exits quits quit depart departure
        """)
    static let dismissals = set("layoff layoffs redundancies downsizing")
    static let cuts = set(
        """
        cut cuts cutting lay lays laying slash slashes slashing shed sheds shedding eliminate eliminates trim trims axe
        axes axing cull culls reduce reduces reducing scrap scraps dismiss dismisses losses lose off
        """)
    static let workforce = set("job jobs staff workers workforce employees positions roles headcount")
    static let recalls = set("recall recalls recalled recalling coli salmonella listeria")
    static let deals = set(
        "acquires acquired acquisition merger merges merging takeover buyout tie-up tieup merge acquiring acquire")
    static let purchases = set("buys buy buying bought deal offer bid purchase sale")
    static let biddings = set(
        "backs rejects raises accepts sweetens hostile board spurns weighs improves makes")
    static let prices = set("billion bn bln million mln $")
    static let courts = set(
        """
        sues sued suing lawsuit lawsuits court judge trial settle settles settled settlement jury verdict antitrust
        complaint suit sue accused accuses fine fined fines penalised penalized guilty probes investigates liable dispute disputes indicted prosecutors litigation appeal ruling
        """)
    static let approvals = set("approves approve approval approved clears cleared nod greenlights")
    static let medicines = set(
        "drug drugs treatment therapy medicine vaccine pill pills shot painkiller regulator regulators")
    static let studies = set("patients stage placebo phase study")
    /// What a trial of a medicine does, and none before a court.
    static let findings = set(
        "setback setbacks finds shows suggests fails failed failure succeeds meets misses disappoints")
    static let strikes = set("strike strikes striking walkout walkouts picket union stoppage")
    static let launches = set(
        "launches launch launched unveils unveil unveiled introduces introduce debuts debut reveals")
    static let payouts = set("dividend dividends")
    static let outages = set("outage outages")
    static let breaches = set("hack hacked breach cyberattack ransomware")
    static let growths = set(
        "grows grow grew expands expanded shrinks shrank contracts contracted growth slows")
    static let decisions = set(
        """
        raises raise hikes hike lifts cuts cut holds hold keeps keep leaves trims steady unchanged points point lowers
        lower lowered reduces reduced pat remain remains
        """)
}
