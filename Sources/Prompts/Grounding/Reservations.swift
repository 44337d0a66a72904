package import Basics

/// Words by which a text in another language than English denies something or says only that it may be.
package enum Reservations {
    /// Beginnings of further words, without accents, that keep a "not", a "may" or a "could" of an English source.
    private static let beginnings: [Language: [String]] = [
        .german: [
            "kann", "konn", "mog", "eventuell", "risik", "gefahr", "droh", "warn", "befurcht", "furcht", "ungewiss",
            "unsicher", "unwahrschein", "unmoglich", "unwesentlich", "unerheblich", "unbedeutend", "unverandert",
            "ungenutzt", "abhang", "potenzi", "potentiell", "fehl", "mangel", "verhinder", "vermeid", "selten",
            "musste", "muesste", "kame", "liess", "gabe", "brauchte", "chance", "umstand", "nirgend", "anfallig",
            "ausgesetzt", "gering", "wenig", "statt",
        ],
        .french: [
            "risqu", "menac", "crain", "crainte", "danger", "susceptible", "eventuel", "possib", "impossib", "incert",
            "inchang", "insignifi", "neglig", "inutilis", "depend", "potentiel", "manqu", "empech", "evit", "rarement",
            "puiss", "peut", "expos", "chance", "plutot", "nul", "improbab", "peu",
        ],
        .spanish: [
            "riesg", "amenaz", "teme", "temor", "peligr", "eventual", "posib", "imposib", "inciert", "incertid",
            "insignific",
            "depend", "potencial", "falt", "carec", "imped", "evit", "rara", "pued", "pudi", "expues", "expon",
            "ningun",
            "improbab", "invari", "poco", "poca",
        ],
    ]

    /// Endings of verbs that say what would be, as they are written.
    private static let endings: [Language: [String]] = [
        .french: ["rait", "raient"], .spanish: ["aría", "arían", "iría", "irían", "dría", "drían", "ería", "erían"],
    ]
    /// Nouns with such an ending.
    private static let nouns: Set<String> = [
        "portrait", "retrait", "extrait", "trait", "attrait", "tesorería", "ingeniería", "batería", "galería",
        "minería", "secretaría", "librería",
    ]

    /// Whether a text has such a word.
    package static func are(in text: String, _ language: Language) -> Bool {
        let words = CalmWords.split(NormalizedText(text))
        let lists = WordLists.of(language)
        let folded = words.map(\.folded)
        // Without their accents, German "würde" and "hätte" are the past.
        let written = language == .german ? words.map(\.lower) : folded
        return written.contains(where: lists.open.contains) || folded.contains(where: lists.negations.contains)
            || lists.openPhrases.contains { $0.occurs(in: folded) }
            || folded.contains { word in beginnings[language, default: []].contains(where: word.hasPrefix) }
            || words.contains { word in
                !nouns.contains(word.lower) && endings[language, default: []].contains(where: word.lower.hasSuffix)
            }
    }
}
