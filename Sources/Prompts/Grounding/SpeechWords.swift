internal import Basics

/// The words of a language by which a text says who said something.
struct SpeechWords: Sendable {
    let verbs: Set<String>
    /// Words between a name and its verb.
    let auxiliaries: Set<String>
    /// Prepositions between a name and what it belongs to: "Tomas Berg of the union".
    let links: Set<String>
    let articles: Set<String>
    /// "according to"
    let attributions: [[String]]
    /// German `zufolge`, which follows the name.
    let postpositions: Set<String>
    /// Beginnings or, in German, any parts of words for what a person does.
    private let roles: [String]
    private let isCompounding: Bool
    /// Words for a company or a union, which may stand before its name as a role does before a person's.
    let bodies: Set<String>
    let pronouns: Set<String>

    private init(
        verbs: String, auxiliaries: String, links: String, articles: String, attributions: String,
        postpositions: String = "", roles: String, bodies: String, isCompounding: Bool = false,
        pronouns: String
    ) {
        self.verbs = Set(verbs.listed)
        self.auxiliaries = Set(auxiliaries.listed)
        self.links = Set(links.listed)
        self.articles = Set(articles.listed)
        self.attributions = attributions.listedPhrases
        self.postpositions = Set(postpositions.listed)
        self.roles = roles.listed
        self.bodies = Set(bodies.listed)
        self.isCompounding = isCompounding
        self.pronouns = Set(pronouns.listed)
    }

    func isRole(_ word: String) -> Bool {
        roles.contains { isCompounding ? word.contains($0) : word.hasPrefix($0) }
    }

    static func of(_ language: Language) -> SpeechWords {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private static let english = SpeechWords(
        verbs: """
            said says told warned warns added adds argued argues wrote stated insisted explained predicted acknowledged
            admitted
            """,
        auxiliaries: "also later then earlier himself herself has had", links: "of from at for",
        articles: "the its his her their a an", attributions: "according_to",
        roles: """
            chief executive ceo cfo president chairman chairwoman chair minister chancellor governor analyst economist
            strategist director founder senator secretary head spokesman spokeswoman mr ms mrs dr officer boss professor
            judge commissioner finance financial research
            """,
        bodies: "union company group",
        pronouns: "he she they it his her their its")

    private static let german = SpeechWords(
        verbs: "sagte sagt erklarte erklart meinte meint betonte warnte ankundigte kundigte berichtete teilte",
        auxiliaries: "auch spater dann zuvor selbst", links: "von vom der des bei", articles: "der die das den dem",
        attributions: "laut nach_angaben_von nach_ansicht_von nach_aussage_von", postpositions: "zufolge",
        roles: """
            chef vorstand minister prasident sprecher analyst okonom direktor geschaftsfuhr leiter grunder kanzler professor
            frau herr
            """,
        bodies: "gewerkschaft unternehmen", isCompounding: true, pronouns: "er sie es sein seine ihr ihre")

    private static let spanish = SpeechWords(
        verbs: "dijo dice declaro afirmo explico anadio senalo advirtio aseguro anuncio comento",
        auxiliaries: "tambien despues ha habia", links: "de del", articles: "el la los las su sus de",
        attributions: "segun de_acuerdo_con",
        roles: """
            president director consejer delegad ministr analist portavoz jefe jefa economista financier fundador
            gobernador senor senora don dona
            """,
        bodies: "sindicato empresa",
        pronouns: "su sus ella ellos este esta")

    private static let french = SpeechWords(
        verbs: "dit declare affirme explique ajoute annonce estime previent indique assure",
        auxiliaries: "a ont avait aussi ensuite", links: "de du d chez", articles: "le la l les son sa de du",
        attributions: "selon d_apres",
        roles: """
            president direct financ ministre analyst economist porte parole chef patron pdg general gouverneur fondat
            madame monsieur mme
            """,
        bodies: "syndicat societe",
        pronouns: "il elle ils elles son sa ses")
}

/// The people that texts introduce.
enum Speakers {
    /// `chief executive Tim Cook`, `Tim Cook, Apple's chief executive`: all words of the names, and the last ones.
    static func people(
        in text: ParsedText, _ language: Language, _ names: Set<String>
    ) -> (all: Set<String>, last: Set<String>) {
        let lists = SpeechWords.of(language)
        var (all, last): (Set<String>, Set<String>) = ([], [])
        for sentence in text.sentences {
            let words = text.words(of: sentence)
            // German writes every noun with a capital: a name there begins with a first name.
            func isFirst(_ place: Int) -> Bool {
                words.indices.contains(place) && words[place].isCapitalised
                    && NameWords.firstNames.contains(words[place].folded)
            }
            func isName(_ place: Int) -> Bool {
                guard words.indices.contains(place), words[place].isCapitalised else { return false }
                return names.contains(words[place].folded) || isFirst(place)
                    || language == .german && isFirst(place - 1)
            }
            for place in words.indices where isName(place) && !isName(place + 1) {
                var start = place
                while isName(start - 1) { start -= 1 }
                let isIntroduced = start > 0 && lists.isRole(words[start - 1].folded)
                let behind = words[(place + 1)...].prefix(5)
                let isExplained =
                    behind.first?.text == "," && place > start && behind.contains { lists.isRole($0.folded) }
                let isPerson = place > start && isFirst(start)
                guard isIntroduced || isExplained || isPerson else { continue }
                last.insert(words[place].folded)
                all.formUnion(words[start...place].map(\.folded))
            }
        }
        return (all, last)
    }

    /// Whether one of the first words is a pronoun.
    static func beginsWithPronoun(_ words: [CalmWords.Word], _ language: Language) -> Bool {
        words.prefix(3).contains { SpeechWords.of(language).pronouns.contains($0.folded) }
    }
}
