/// Words that end with a full stop without ending a sentence.
enum Abbreviations {
    /// Something always follows these.
    static let neverLast: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "gen", "sen", "gov", "rep", "hon", "rev", "vs", "v", "e.g", "eg", "i.e",
        "ie", "cf", "viz", "no", "nos", "fig", "figs", "approx", "ca", "est", "incl", "excl", "resp", "ed", "eds",
        "vol",
        "p", "pp", "sec", "art", "mt", "ft",
    ]

    /// A sentence may end with these; it does when the next word is one that starts sentences.
    static let sometimesLast: Set<String> = [
        "inc", "corp", "co", "cos", "ltd", "llc", "plc", "bros", "etc", "al", "jr", "sr", "u.s", "u.k", "e.u", "u.n",
        "a.m",
        "p.m", "ph.d", "b.sc", "m.b.a", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov",
        "dec",
        "mon", "tue", "wed", "thu", "fri", "dept", "div", "s.a", "n.v", "a.g", "yr", "yrs", "mo", "bn", "mn", "avg",
        "max",
        "min", "p.a", "q.v",
    ]

    /// Words which, written large after a full stop, start a new sentence rather than go on with a name.
    static let sentenceStarters: Set<String> = [
        "a", "about", "after", "all", "also", "although", "an", "and", "another", "any", "as", "at", "because",
        "before",
        "both", "but", "by", "despite", "during", "each", "even", "every", "few", "finally", "first", "for", "from",
        "had",
        "has", "have", "he", "her", "here", "his", "how", "however", "i", "if", "in", "instead", "is", "it", "its",
        "just",
        "last", "like", "many", "more", "most", "much", "my", "nearly", "neither", "no", "none", "nor", "not",
        "nothing",
        "now", "of", "on", "one", "only", "or", "other", "others", "our", "over", "overall", "second", "she", "since",
        "so",
        "some", "still", "such", "taken", "that", "the", "their", "then", "there", "these", "they", "third", "this",
        "those", "though", "three", "through", "thus", "to", "together", "too", "two", "under", "unlike", "until",
        "was",
        "we", "were", "what", "when", "where", "whether", "which", "while", "who", "why", "with", "without", "yet",
        "you",
        "your",
    ]
}
