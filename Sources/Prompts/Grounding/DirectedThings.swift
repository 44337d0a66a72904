internal import Basics

/// A thing with the direction that an adjective or a noun gives it: "lower malt prices", "the rise in profit".
///
/// A clause may have two directions, "the rise in profit came from lower malt prices", so that each has to be held against
/// the sources with its own thing.
struct DirectedThing: Sendable {
    var isUp: Bool
    /// The keys of each word of the thing.
    var words: [Set<String>]

    /// Whether another one is about the same thing. A price or a cost of one thing is not that of another.
    func isAbout(_ other: DirectedThing) -> Bool {
        func shared(_ left: [Set<String>], _ right: [Set<String>]) -> [Set<String>] {
            left.filter { word in right.contains { !$0.isDisjoint(with: word) } }
        }
        let (few, many) = words.count <= other.words.count ? (words, other.words) : (other.words, words)
        let common = shared(few, many)
        guard !few.isEmpty, common.count == few.count else { return false }
        return few.count == many.count || !common.allSatisfy { !$0.isDisjoint(with: Self.measures) }
    }

    private static let measures: Set<String> = ["c:price", "c:cost", "c:rate", "c:wage"]

    /// Those of a text.
    static func all(in text: ParsedText, _ language: Language) -> [DirectedThing] {
        let lists = DirectionWords.of(language)
        return text.sentences.flatMap { all(in: text.words(of: $0), language, lists) }
    }

    private static let reach = 3

    private static func all(
        in words: [CalmWords.Word], _ language: Language, _ lists: DirectionWords
    ) -> [DirectedThing] {
        let folded = words.map(\.folded)
        let common = WordLists.of(language).common
        func isContent(_ place: Int) -> Bool {
            words.indices.contains(place) && words[place].folded.beginsWithLetter && !common.contains(folded[place])
                && folded[place].count > 2
        }
        func thing(_ isUp: Bool, _ range: Range<Int>) -> DirectedThing? {
            let keys = ClauseReader(language: language).keys(ofPart: words[range])
            return keys.isEmpty ? nil : DirectedThing(isUp: isUp, words: keys)
        }
        /// The content words from a place on, at most as many as count.
        func behind(_ place: Int) -> Range<Int> {
            var end = place
            while end - place < reach - 1, isContent(end), lists.direction(of: folded[end...]) == nil {
                end += 1
                if words[end - 1].endsSentence { break }
            }
            return place..<end
        }
        return words.indices.compactMap { place in
            if let (isUp, count) = lists.adjective(at: folded[place...]) {
                let next = place + count
                // "higher than", "lower by 3 percent"
                if lists.precedes, !words[place].endsSentence { return thing(isUp, behind(next)) }
                guard !lists.precedes else { return nil }
                var start = place
                while place - start < reach, start > 0,
                    isContent(start - 1) || lists.genitives.contains(folded[start - 1]),
                    !words[start - 1].endsSentence
                {
                    start -= 1
                }
                return thing(isUp, start..<place)
            }
            guard let isUp = lists.noun(folded[place]), place + 1 < words.count, !words[place].endsSentence,
                lists.genitives.contains(folded[place + 1])
            else { return nil }
            var next = place + 2
            while next < words.count, lists.articles.contains(folded[next]) { next += 1 }
            return thing(isUp, behind(next))
        }
    }
}

/// The words of a language that give a thing a direction.
struct DirectionWords: Sendable {
    private let up: [[String]]
    private let down: [[String]]
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
        func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
        self.up = words(up).map { $0.split(separator: "_").map(String.init) }
        self.down = words(down).map { $0.split(separator: "_").map(String.init) }
        self.rises = words(rises)
        self.falls = words(falls)
        self.genitives = Set(words(genitives))
        self.articles = Set(words(articles))
        self.precedes = precedes
    }

    /// The direction of an adjective at the beginning of words, and the number of its words.
    func adjective(at words: ArraySlice<String>) -> (isUp: Bool, count: Int)? {
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
