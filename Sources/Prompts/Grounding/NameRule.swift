internal import Basics

/// Names of people, companies and places that an answer has and its material does not.
///
/// In English, Spanish and French a word with a capital inside a sentence is a name. German writes every noun so: there,
/// and at the start of a sentence, a name is known by a first name or a title before it, or by `Gazetteer`.
struct NameRule {
    private let words: Set<String>
    private let lowerWords: Set<String>
    /// The places that the material names, and the countries of its cities.
    private let places: Set<String>
    private let countriesOfCities: Set<String>
    private let language: Language

    /// - Parameters:
    ///   - material: The texts whose names may be used.
    ///   - language: The language of the answer.
    init(material: [ParsedText], language: Language) {
        let all = material.flatMap(\.words)
        words = Set(all.map(\.folded)).union(Self.initials(of: all))
        lowerWords = Set(all.filter { $0.text == $0.lower }.map(\.folded))
        let named = material.flatMap { Gazetteer.places(in: $0.words) }
        places = Set(named.filter { $0.id != $0.country }.map(\.id))
        countriesOfCities = Set(named.compactMap(\.country))
        self.language = language
    }

    /// The first name that the material does not have; `nil` when it has all.
    func strayName(in text: ParsedText) -> String? {
        let words = text.words
        let found = Gazetteer.places(in: words)
        if let stray = found.first(where: { $0.id != $0.country && !isNamed($0) }) {
            return words[stray.range].map(\.text).joined(separator: " ")
        }
        let covered = found.reduce(into: Set<Int>()) { $0.formUnion($1.range) }
        for place in words.indices where !covered.contains(place) && isName(place, in: words) {
            if !isKnown(words[place].folded) {
                let start =
                    place > 0 && words[place - 1].isCapitalised && !words[place - 1].endsSentence
                        && words[place - 1].lower != "," ? place - 1 : place
                return words[start...place].map(\.text).joined(separator: " ")
            }
        }
        return nil
    }

    /// Whether the material names a place: a country by one of its cities too, a city by its country, not by another
    /// city of it.
    private func isNamed(_ place: Gazetteer.Place) -> Bool {
        if places.contains(place.id) { return true }
        return place.country.map(places.contains) ?? countriesOfCities.contains(place.id)
    }

    /// `sec` of the Securities and Exchange Commission.
    private static func initials(of words: [CalmWords.Word]) -> Set<String> {
        let links: Set<String> = ["and", "of", "the", "for", "und", "der", "de", "la", "du", "des", "y"]
        var (found, run): (Set<String>, [Character]) = ([], [])
        for word in words {
            if let first = word.folded.first, word.isCapitalised {
                run.append(first)
                for length in 2...5 where run.count >= length { found.insert(String(run.suffix(length))) }
            } else if !links.contains(word.lower) {
                run = []
            }
        }
        return found
    }

    /// `iPhone`, `eBay`, but no unit such as `kWh`.
    private static func isTradeName(_ text: String) -> Bool {
        let scalars = Array(text.unicodeScalars.prefix(4))
        return scalars.count == 4 && ("a"..."z").contains(scalars[0]) && ("A"..."Z").contains(scalars[1])
            && scalars[2...].allSatisfy { ("a"..."z").contains($0) }
    }

    private func isName(_ place: Int, in words: [CalmWords.Word]) -> Bool {
        let word = words[place]
        let folded = word.folded
        if Self.isTradeName(word.text) { return true }
        guard word.isCapitalised, folded.count > 2 else { return false }
        if Gazetteer.companies.contains(folded) { return true }
        guard !NameWords.isOrdinary(folded, language), !WordLists.of(language).common.contains(folded) else {
            return false
        }
        let before = place > 0 && !words[place - 1].endsSentence ? words[place - 1] : nil
        if let before, before.isCapitalised {
            let title = before.folded
            if NameWords.firstNames.contains(title) || NameWords.titles.contains(title)
                || language == .german && NameWords.germanTitleEndings.contains(where: title.hasSuffix)
            {
                return true
            }
        }
        if language == .german { return false }
        if word.startsSentence {
            return false
        }
        // "The words" behind a colon or in a title with capitals are no names where the material writes them small.
        if lowerWords.contains(folded) { return false }
        // Second words of an institution: "Banco Central", "Department of Commerce".
        var earlier = place - 1
        while earlier >= 0, !words[earlier].endsSentence, place - earlier <= 4 {
            let other = words[earlier].folded
            if words[earlier].isCapitalised {
                if NameWords.isOrdinary(other, language) { return false }
                break
            }
            guard
                ["of", "de", "del", "des", "du", "la", "le", "les", "el", "d", "l", "for", "and", "y", "et"].contains(
                    other)
            else { break }
            earlier -= 1
        }
        return true
    }

    /// Whether the material has the name, in a form of its own or inflected.
    private func isKnown(_ name: String) -> Bool {
        if words.contains(name) { return true }
        // Spanish writes `Róterdam`.
        let undoubled = name.undoubled
        if words.contains(where: { $0.undoubled == undoubled }) { return true }
        let length = name.count
        guard length > 3 else { return false }
        return words.contains { word in
            guard word.count > 3 else { return false }
            let shared = zip(word, name).prefix { $0 == $1 }.count
            return shared >= max(4, min(word.count, length) - 2) && shared >= length - 4
        }
    }
}

extension String {
    /// With each run of one letter as a single one.
    fileprivate var undoubled: String {
        var view = String.UnicodeScalarView()
        for scalar in unicodeScalars where view.last != scalar { view.append(scalar) }
        return String(view)
    }
}

/// Words with capitals that are no names, and words beside names.
enum NameWords {
    /// Whether a word with a capital is one that texts use without naming anybody: a title, an institution, a month.
    static func isOrdinary(_ folded: String, _ language: Language) -> Bool {
        if ordinary.contains(folded) || DateWords.isMonthOrDay(folded) { return true }
        return institutions.contains { folded.hasPrefix($0) }
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.listed)
    }

    static let titles = words(
        """
        mr mrs ms dr prof professor frau herr herrn mme madame monsieur senor senora sr sra don dona sir lady president
        prasident prasidentin presidente presidenta presidente minister ministerin analyst analystin vorstand
        vorstandschef vorstandschefin finanzchef finanzchefin konzernchef chef chefin direktor direktorin sprecher
        sprecherin gouverneur kanzler kanzlerin senator ministro ministra ministre
        """)

    static let germanTitleEndings = [
        "vorstand", "chef", "chefin", "minister", "ministerin", "sprecher", "sprecherin",
        "prasident", "prasidentin", "gouverneur", "gouverneurin", "okonom", "okonomin", "analyst", "analystin",
        "konkurrent", "rivale",
    ]

    /// Beginnings of words in the names of offices and institutions, which a translation changes.
    private static let institutions = [
        "banco", "banca", "banque", "central", "zentral", "reserv", "federal", "commission", "comision", "kommission",
        "minist", "depart", "govern", "gobier", "gouvern", "regier", "estado", "etat", "staat", "union", "europ",
        "tribunal", "court", "cour", "gericht", "corte", "justi", "parlam", "parle", "parlia", "congre", "kongre",
        "senat",
        "senad", "maison", "blanca", "blanch", "chamb", "camara", "kammer", "bolsa", "bours", "borse",
        "exchange", "commerc", "comerc", "handel", "hacienda", "financ", "finanz", "econom", "wirtschaft",
        "treasur", "tesor", "inter", "extern", "exter", "agenc", "agent", "agentur", "behord", "autori", "author",
        "consejo", "conseil", "council", "monet", "wahrung", "mundial", "mondial",
        "organi", "nacion", "nation", "ofici", "bureau", "institut", "univers", "asocia", "associ",
        "syndic", "sindic", "gewerk", "execut", "office", "director", "directeur", "directric",
        "direct", "presid", "secret", "comit", "kredit", "weihnacht",
        "navid", "ostern", "easter", "paque", "pascua", "labour", "trabajo", "travail",
    ]

    private static let ordinary = words(
        """
        wall street house casa bank banks board world welt trade state states stock chief vice fund funds fonds noel christmas
        inter labor handel ceo cfo coo ai ki ia etf etfs gdp bip pib pmi tv pc pcs it hr pr ok usd eur gbp chf jpy low medium high euro euros
        dollar dollars yen pound pounds franc francs internet web app apps covid sunday earth god fy q1 q2 q3 q4 h1 h2 ipo
        isin nav roe roic ebit ebitda eps cpi ppi plc inc corp ltd llc ag gmbh se sa spa nv company group yes oui non si
        sec edgar gaap ja nein isn aren wasn weren don doesn didn hasn haven hadn won wouldn couldn shouldn
        """)

    static let firstNames = words(
        """
        adam adrian albert alberto alejandro alex alexander alexandre alfred ali alice alicia alain amelie ana anders andre
        andrea andreas andrew angela anita anja anke ann anna anne annette anthony antoine antonio arthur barbara beatriz
        ben benjamin bernard bernd bernhard bertrand bill bjorn bob brian bruno camille carla carlos carmen carol
        caroline catherine cathy cecile charles charlotte chloe chris christian christiane christina christine christophe
        christopher claire clara claude claudia claus craig cristina daniel daniela david deborah dennis diana dieter diego
        dirk dominique donald doris eduardo edward elena elisabeth elizabeth elke ellen emily emma emmanuel eric erik
        ernst eva felipe felix fernando florian francis francisco francois frank franz frederic friedrich gabriel
        gabriele gary georg george gerard gerhard gilles giovanni giulia gonzalo gordon greg gregory guillaume gunter
        hannah hans harald harry heike heinrich heinz helen helena helene helmut henri henrik henry herbert hermann
        holger hugo ian ignacio inge ingrid irene isabel isabelle ivan jack jacques jaime jake james jamie jan jane janet
        javier jean jeff jeffrey jennifer jens jerome jessica jim jo joachim joan joe john jonas jonathan jorge jose
        josef joseph juan judith julia julian julie julien jurgen kai karen karin karl kate katharina katherine kathrin
        kathy katja keith kelly ken kenneth kevin klaus kristin kurt lars laura laurent leo leon linda lisa lorena louis
        louise luc lucas lucia lucie luis luisa lukas manfred manuel manuela marc marcel marco marcus margaret maria
        marie mario marion mark markus marta martha martin martina mary mathieu matthew matthias maurice max maximilian
        melanie michael michel michelle miguel mike monica monika nadine natalie nathalie nicolas nicole nikolaus nina
        norbert olaf oliver olivia olivier oscar otto pablo pascal patricia patrick paul paula pedro peter petra philip
        philipp philippe pierre rachel rafael rainer ralf ralph ramon raul raymond rebecca regina renate rene ricardo
        richard robert roberto roger roland rolf ronald rosa ruth ryan sabine sam samuel sandra sara sarah scott
        sebastian sergio silvia simon simone sofia sophie stefan stefanie stephan stephane stephanie stephen steve steven
        sundar susan susanne suzanne sven sylvia sylvie tanja teresa theo theodor theresa thierry thomas tim timothy tina
        tobias todd tom tony torsten udo ulrich ulrike ursula uwe valerie vera veronica victor victoria vincent walter
        warren werner wilhelm william winfried wolfgang xavier yann yves yvonne elon satya tim mick jerome janet jamie
        carolyn tiff amy ashley brenda brandon bruce cedric chantal clemens cornelia cynthia darren dorothea doug dominik
        eduard ernesto esteban etienne fabian fabio fabrice ferdinand franziska gisela glenn gudrun hector heinz hilde
        ingeborg ines jaqueline joaquin jochen johannes jordi joyce judy jutta katrin kim klara konrad larry lorenzo lothar
        luca magdalena malte marianne marina marlene maxime mercedes merle mona moritz nancy natalia noah nora paloma
        paolo pilar reinhard ramona roberta rocio rosario rudolf russell sebastien silke solene sonja stanislas steffen
        tamara tania tatjana teo thibault tilman tomas valentin veronique vicente virginia viktor volker wendy werner
        yannick yolanda alvaro xavi aurelie blanche celine corinne damien edouard eloise emile fabienne florence
        """)
}
