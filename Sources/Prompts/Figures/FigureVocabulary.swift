/// Words beside a number that say what it is.
enum FigureVocabulary {
    static let months: Set<String> = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec",
    ]

    static let spans: Set<String> = [
        "year", "years", "quarter", "quarters", "month", "months", "week", "weeks", "day", "days", "hour", "hours",
    ]

    /// `the last five years`, `over ten years`: names a stretch of time.
    static let spanIntroductions: Set<String> = [
        "last", "past", "next", "over", "within", "trailing", "previous", "prior", "following", "coming", "recent",
        "first",
        "every", "for", "preceding", "latest", "the", "these", "those", "another", "least",
    ]

    static let spanAdjectives: Set<String> = [
        "fiscal", "full", "calendar", "annual", "reported", "business", "trading",
    ]

    /// Parts of the text itself or of what it was given, which a writer may number off.
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

    /// Names after which a whole number belongs to the name, when they are written large (`Windows 11`).
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

    /// What is counted, and is neither money nor shares.
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
        "lower",
        "lowered", "below", "contraction", "burn", "burned", "burns", "burning", "outflow", "outflows", "reduce",
        "reduced",
        "reduces", "reducing", "reduction", "cut", "cuts", "cutting", "dipped", "worse", "worsened", "less", "fewer",
        "under", "erosion", "eroded", "retired", "repurchase", "repurchased", "repurchases", "buyback", "buybacks",
        "bought", "consumed", "smaller", "weaker", "red", "unprofitable", "lag", "lagged", "short", "shortfall",
        "discount", "backwards", "receded", "negatively", "overdrawn", "exceed", "exceeds", "exceeded",
    ])
}
