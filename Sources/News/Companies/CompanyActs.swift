internal import Basics

/// What companies do in headlines, in verbs that fit nothing else of the same name: `Ford builds battery plant`, but not
/// `Ford crossed by hikers`.
enum CompanyActs {
    /// Whether a verb in the third person and the words behind it tell an act of a company.
    static func areTold(by verb: String, _ rest: [String]) -> Bool {
        guard let object = rest.first else { return false }
        if let prepositions = phrases[verb], prepositions.contains(object) { return true }
        // `Gap builds between`, `Carnival opens in Rio`: the verb has no object. `Visa bans hit nurses`: it is a noun.
        guard isObject(object), !BusinessWords.finiteVerbs.contains(object) else { return false }
        return deeds.contains(verb) || dealings.contains(verb) && rest.contains(where: objects.contains)
    }

    /// `Shoppers desert Target`: what those who deal with companies do to one.
    static func areDone(by subject: String) -> Bool { counterparts.contains(subject) }

    private static func isObject(_ word: String) -> Bool {
        !CommonWords.functional.contains(Stemmer.stem(word)) && !adverbs.contains(word)
            || ["its", "their", "a", "an", "the", "all", "more", "first", "new", "back"].contains(word)
    }

    private static let adverbs = words(
        "up down again early late out away off open wide closer slowly fast quickly further")

    /// Verbs whose object shows nothing more.
    private static let deeds = words(
        """
        builds hires licenses licences leases trains refits lets idles bans pauses ships expands installs designs
        launches trials patents acquires outsources relocates rebrands renames refunds reopens markets rehires
        borrows funds tests lends recruits sponsors retools modernises modernizes automates pilots
        """)

    /// Verbs whose object must be one of business.
    private static let dealings = words(
        """
        opens closes drops adds moves leaves finds wins ends starts brings sends gives takes extends delays offers makes
        keeps puts scraps shuts cuts raises halts stops abandons retires picks chooses sets turns loses signs doubles
        triples swaps brings plans develops supplies sells stretches shifts
        """)

    private static let objects = words(
        """
        plant plants factory factories line lines branch branches office offices headquarters store stores shop shops
        outlet outlets fee fees price prices job jobs lab labs laboratory campus warehouse warehouses hub data
        translation app apps service services subscription subscriptions feature features model models product products
        brand brands unit units production output assembly work staff engineers workers employees chief licence license
        lease contract contracts field fields battery batteries car cars vehicle vehicles truck trucks suv suvs ev evs
        chip chips phone phones customers delivery tool tools pay bonus bonuses uniforms shift shifts lounge route routes
        account accounts loan loans mortgages site machines engine engines campaign software cloud ads
        """)

    /// Verbs with the words that go with them.
    private static let phrases: [String: Set<String>] = [
        "bets": ["on", "big"], "teams": ["with", "up"], "partners": ["with"], "invests": ["in"], "pulls": ["out"],
        "rolls": ["out"], "spins": ["off", "out"], "drills": ["off", "in", "for"], "sides": ["with"], "lays": ["off"],
        "expands": ["in", "into"], "files": ["for"], "withdraws": ["from"], "doubles": ["down"], "ties": ["up"],
    ]

    private static let counterparts = words(
        """
        shoppers customers investors advertisers drivers workers regulators unions hackers rivals suppliers users borrowers
        lenders creditors consumers subscribers developers merchants retailers landlords
        """)

    private static func words(_ text: String) -> Set<String> {
        Set(text.listed)
    }
}
