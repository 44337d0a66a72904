/// Words beside a number that show its meaning.
enum FigureVocabulary {
    static let months: Set<String> = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec",
    ]

    static let spans: Set<String> = [
        "year", "years", "quarter", "quarters", "month", "months", "week", "weeks", "day", "days", "hour", "hours",
    ]

    /// `the last five years`, `over ten years`: a span of time.
    static let spanIntroductions: Set<String> = [
        "last", "past", "next", "over", "within", "trailing", "previous", "prior", "following", "coming", "recent",
        "first",
        "every", "for", "preceding", "latest", "the", "these", "those", "another", "least",
    ]

    static let spanAdjectives: Set<String> = [
        "fiscal", "full", "calendar", "annual", "reported", "business", "trading", "last", "past", "next",
    ]

    /// Parts of the text or of its sources, which a writer may number.
    static let parts: Set<String> = [
        "risk", "risks", "strength", "strengths", "reason", "reasons", "question", "questions", "point", "points",
        "item",
        "items", "check", "checks", "criterion", "criteria", "factor", "factors", "thing", "things", "way", "ways",
        "step",
        "steps", "figure", "figures", "source", "sources", "filing", "filings", "period", "periods", "weakness",
        "weaknesses", "report", "reports", "scenario", "scenarios", "test", "tests",
    ]

    static let partAdjectives: Set<String> = [
        "annual", "main", "key", "major", "minor", "further", "other", "separate", "more", "reported", "quarterly",
        "fiscal", "open", "remaining", "different", "clear", "real", "unanswered",
    ]

    /// Words after which a whole number names a place in a document (`Note 7`, `Form 10`).
    static let headings: Set<String> = [
        "form", "item", "note", "notes", "section", "rule", "page", "pages", "chapter", "schedule", "exhibit",
        "article",
        "footnote", "appendix", "asc", "asu", "ifrs", "ias", "fas", "sfas", "sab", "iso", "basel", "covid", "top",
    ]

    /// Names after which a whole number belongs to the name, when they have a capital (`Windows 11`).
    static let numberedNames: Set<String> = [
        "iphone", "ipad", "windows", "model", "series", "galaxy", "pixel", "playstation", "boeing", "airbus", "version",
        "generation", "phase", "level", "tier", "part", "title", "table", "figure", "topic", "regulation", "no",
        "route",
    ]

    /// Names that have a number in them, as their tokens.
    static let names: [[String]] = [
        ["s", "&", "p", "500"], ["s", "&", "p", "100"], ["s", "&", "p", "400"], ["s", "&", "p", "600"],
        ["nasdaq", "100"],
        ["nasdaq", "-", "100"], ["russell", "1000"], ["russell", "2000"], ["russell", "3000"], ["dow", "30"],
        ["ftse", "100"], ["ftse", "250"], ["fortune", "100"], ["fortune", "500"], ["fortune", "1000"],
        ["global", "500"],
        ["nikkei", "225"], ["stoxx", "50"], ["stoxx", "600"], ["cac", "40"], ["dax", "40"], ["wilshire", "5000"],
        ["s", "&", "p", "1500"], ["401", "(", "k", ")"], ["403", "(", "b", ")"], ["24", "/", "7"], ["9", "/", "11"],
        ["7", "-", "eleven"], ["rule", "of", "40"], ["rule", "of", "72"], ["web", "2.0"], ["industry", "4.0"],
    ]

    /// Glued to digits, these make a name, not a quantity: `5G`, `3D`.
    static let nameSuffixes: Set<String> = ["g", "d", "wd", "st", "nd", "rd", "th", "q", "h"]

    /// Things that are counted, neither money nor shares.
    static let things: Set<String> = [
        "people", "employees", "staff", "workers", "stores", "shops", "restaurants", "customers", "clients", "users",
        "subscribers", "members", "devices", "units", "countries", "locations", "cities", "patents", "products",
        "companies", "vehicles", "cars", "aircraft", "stocks", "accounts", "subscriptions", "households", "downloads",
    ]

    /// After a four-digit number, these make it a count and no year.
    static let counted: Set<String> = [
        "shares", "times", "points", "basis", "percentage", "dollars", "cents", "euros",
    ]

    /// Between `the 12` and `shares`.
    static let shareAdjectives: Set<String> = [
        "diluted", "basic", "common", "outstanding", "ordinary", "weighted", "average", "new", "treasury", "class",
    ]

    /// Before a round number, these say that its final zeros do not count.
    static let hedges: Set<String> = [
        "about", "around", "roughly", "approximately", "nearly", "almost", "some", "over", "than", "under", "circa",
        "~",
        "≈", "above", "below", "exceeding", "exceeded", "topped",
    ]

    /// Verbs which, right before a figure, say that it is a fall.
    static let falls: Set<String> = [
        "fell", "fall", "falls", "fallen", "falling", "declined", "declines", "declining", "decline", "dropped",
        "drops",
        "dropping", "decreased", "decreases", "decreasing", "shrank", "shrinks", "shrinking", "shrunk", "contracted",
        "contracting", "slipped", "slid", "minus", "negative",
    ]

    static let rises: Set<String> = [
        "grew", "grow", "grows", "grown", "growing", "rose", "rise", "rises", "risen", "rising", "increased",
        "increases",
        "increasing", "climbed", "climbing", "gained", "expanded", "plus",
    ]

    /// Words which, anywhere in a sentence, can say that one of its figures is below zero.
    static let negatives: Set<String> = falls.union([
        "loss", "losses", "lost", "loses", "losing", "decrease", "drop", "down", "deficit", "deficits", "shrink",
        "lower", "cheaper",
        "lowered", "below", "contraction", "burn", "burned", "burns", "burning", "outflow", "outflows", "reduce",
        "reduced",
        "reduces", "reducing", "reduction", "cut", "cuts", "cutting", "dipped", "worse", "worsened", "less", "fewer",
        "under", "erosion", "eroded", "retired", "repurchase", "repurchased", "repurchases", "buyback", "buybacks",
        "bought", "consumed", "smaller", "weaker", "red", "unprofitable", "lag", "lagged", "short", "shortfall",
        "discount", "backwards", "receded", "negatively", "overdrawn", "exceed", "exceeds", "exceeded",
    ])
}

/// The written forms of money: each form with the codes (ISO 4217) that it can mean.
enum Currencies {
    static let dollars: Set<String> = ["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "BRL"]

    static let codes: Set<String> = [
        "USD", "EUR", "GBP", "JPY", "CNY", "RMB", "CHF", "CAD", "AUD", "NZD", "HKD", "SGD", "INR", "KRW", "TWD", "SEK",
        "NOK",
        "DKK", "BRL", "MXN", "ZAR", "ILS",
    ]

    static let symbols: [String: Set<String>] = [
        "$": dollars, "€": ["EUR"], "£": ["GBP"], "¥": ["JPY", "CNY"], "₹": ["INR"], "₩": ["KRW"], "₪": ["ILS"],
    ]

    /// Letters before a dollar sign.
    static let dollarPrefixes: [String: Set<String>] = [
        "us": ["USD"], "c": ["CAD"], "ca": ["CAD"], "a": ["AUD"], "au": ["AUD"], "nz": ["NZD"], "hk": ["HKD"],
        "s": ["SGD"], "nt": ["TWD"], "r": ["BRL"], "mx": ["MXN"],
    ]

    /// Languages of other countries have one word for them.
    private static let crowns: Set<String> = ["SEK", "NOK", "DKK", "CZK", "ISK"]

    /// Words after a number, with the part of the currency's unit that they mean.
    static let words: [String: (codes: Set<String>, part: Double)] = [
        "dollar": (dollars, 1), "dollars": (dollars, 1), "cent": (dollars.union(["EUR"]), 0.01),
        "cents": (dollars.union(["EUR"]), 0.01), "euro": (["EUR"], 1), "euros": (["EUR"], 1), "pound": (["GBP"], 1),
        "pounds": (["GBP"], 1), "pence": (["GBP"], 0.01), "yen": (["JPY"], 1), "yuan": (["CNY"], 1),
        "renminbi": (["CNY"], 1), "francs": (["CHF"], 1), "rupees": (["INR"], 1), "kronor": (["SEK"], 1),
        "kroner": (["NOK", "DKK"], 1), "crowns": (crowns, 1), "crown": (crowns, 1),
    ]

    /// The codes that a code as written can mean.
    static func codes(of written: String) -> Set<String> { written == "RMB" ? ["CNY"] : [written] }
}

/// Numbers written in letters.
enum NumberWords {
    static let small: [String: Double] = [
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]

    static let tens: [String: Double] = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    ]

    static let scales: [String: Double] = [
        "dozen": 12, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    ]

    /// Short scales, which follow the digits without a space. A single letter may follow a space only in an amount of
    /// money.
    static let shortScales: [String: Double] = [
        "k": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "bln": 1e9, "mrd": 1e9,
        "t": 1e12, "tn": 1e12, "trn": 1e12,
    ]

    static let denominators: [String: Double] = [
        "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4,
        "fifth": 5,
        "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9,
        "ninths": 9, "tenth": 10, "tenths": 10, "twentieth": 20, "hundredth": 100,
    ]

    /// Verbs and adjectives that state a multiple.
    static let multiples: [String: Double] = [
        "doubled": 2, "doubling": 2, "doubles": 2, "double": 2, "tripled": 3, "tripling": 3, "triples": 3, "triple": 3,
        "trebled": 3, "quadrupled": 4, "quadrupling": 4, "quadruple": 4, "quintupled": 5, "halved": 0.5, "halving": 0.5,
        "halves": 0.5, "twice": 2, "thrice": 3,
    ]

    /// `fivefold`, `tenfold`.
    static func fold(_ word: String) -> Double? {
        guard word.hasSuffix("fold") else { return nil }
        let number = String(word.dropLast(4))
        return small[number].flatMap { $0 > 1 ? $0 : nil } ?? tens[number]
    }
}
