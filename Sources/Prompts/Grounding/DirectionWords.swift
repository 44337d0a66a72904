internal import Basics

/// The words of a language that give a thing a direction.
struct DirectionWords: Sendable {
    private let up: [[String]]
    private let down: [[String]]
    /// The first words of both.
    private let heads: Set<String>
    private let rises: [String]
    private let falls: [String]
    /// Prepositions and articles behind such a noun: "a rise in", "der Anstieg des".
    let genitives: Set<String>
    let articles: Set<String>
    /// Whether an adjective precedes its noun.
    let precedes: Bool

    private init(
        up: String, down: String, rises: String, falls: String, genitives: String, articles: String, precedes: Bool
    ) {
        self.up = up.listedPhrases
        self.down = down.listedPhrases
        self.rises = rises.listed
        self.falls = falls.listed
        self.genitives = Set(genitives.listed)
        self.articles = Set(articles.listed)
        self.precedes = precedes
        heads = Set((self.up + self.down).compactMap(\.first))
    }

    /// The direction of an adjective at the beginning of words, and the number of its words.
    func adjective(at words: ArraySlice<String>) -> (isUp: Bool, count: Int)? {
        guard let first = words.first, heads.contains(first) else { return nil }
        for (isUp, list) in [(true, up), (false, down)] {
            if let found = list.first(where: { words.starts(with: $0) }) { return (isUp, found.count) }
        }
        return nil
    }

    /// The direction of a noun.
    func noun(_ word: String) -> Bool? {
        rises.contains(word) ? true : falls.contains(word) ? false : nil
    }

    func direction(of words: ArraySlice<String>) -> Bool? {
        adjective(at: words)?.isUp ?? words.first.flatMap(noun)
    }

    static func of(_ language: Language) -> DirectionWords {
        switch language {
        case .english: english
        case .german: german
        case .spanish: spanish
        case .french: french
        }
    }

    private static let english = DirectionWords(
        up: "higher dearer costlier rising increased increasing growing larger pricier more_expensive",
        down: "lower cheaper falling reduced declining shrinking smaller less_expensive",
        rises: "rise increase growth gain jump climb", falls: "fall drop decline decrease slide slump dip reduction",
        genitives: "in of", articles: "the its their his her", precedes: true)

    private static let german = DirectionWords(
        up: """
            hohere hoherer hoheren hoherem steigende steigenden steigender gestiegene gestiegenen teurere teurerer teureren
            teure teurer teurem teuren wachsende wachsenden
            """,
        down: """
            niedrigere niedrigerer niedrigeren niedrigerem sinkende sinkenden sinkender gesunkene gesunkenen billigere
            billigerer billigeren billige billiger billigen billigem gunstigere gunstigerer gunstigeren geringere geringeren
            """,
        rises: "anstieg anstiegs zunahme steigerung zuwachs", falls: "ruckgang ruckgangs abnahme senkung einbruch",
        genitives: "der des beim bei von im", articles: "der des dem den", precedes: true)

    private static let spanish = DirectionWords(
        up:
            "mas_caro mas_cara mas_caros mas_caras mas_alto mas_alta mas_altos mas_altas mas_elevado mas_elevados creciente",
        down: "mas_barato mas_barata mas_baratos mas_baratas mas_bajo mas_baja mas_bajos mas_bajas",
        rises: "subida alza aumento incremento crecimiento",
        falls: "caida bajada descenso retroceso reduccion disminucion", genitives: "de del en",
        articles: "el la los las su sus", precedes: false)

    private static let french = DirectionWords(
        up: "plus_cher plus_chere plus_chers plus_cheres plus_eleve plus_elevee plus_eleves plus_elevees",
        down:
            "moins_cher moins_chere moins_chers moins_cheres moins_eleve moins_elevee moins_eleves plus_bas plus_basse",
        rises: "hausse progression augmentation croissance", falls: "baisse recul chute diminution repli",
        genitives: "de du des d", articles: "la l le les son sa ses", precedes: false)
}
