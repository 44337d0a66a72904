import Basics
import JSON
import Testing

@testable import Prompts

/// Figures of German, Spanish and French texts, held against English and native sources.
@Suite struct ForeignFigureTests {
    /// The figures of a text that a source does not have.
    private func strange(_ text: String, _ language: Language, source: String) -> [String] {
        FigureCheck(facts: Fact.stated(in: source), language: language).unsupported(in: text).map(\.figure)
    }

    static let english = """
        Revenue rose 12.5% to $3.2 billion in the quarter. The company closed 300 stores, cut 1,500 jobs and employs \
        24,000 people. Profit fell 4% to $416 million, or $1.53 a share. About two thirds of sales came from Europe. \
        Costs rose by twenty-one percent. It opened its first plant on March 15, 2024.
        """

    @Test(arguments: [
        (Language.german, "Der Umsatz stieg um 12,5 Prozent auf 3,2 Mrd. US-Dollar."),
        (.german, "Der Umsatz wuchs um 12,5 % auf 3,2 Milliarden Dollar."),
        (.german, "Der Umsatz lag bei 3.200 Millionen Dollar."),
        (.german, "Das Unternehmen schloss 300 Filialen und strich 1.500 Stellen."),
        (.german, "Der Gewinn ging um 4 Prozent zurück."),
        (.german, "Der Gewinn fiel um vier Prozent auf 416 Mio. Dollar oder 1,53 Dollar je Aktie."),
        (.german, "Rund zwei Drittel des Umsatzes kamen aus Europa."),
        (.german, "Die Kosten nahmen um einundzwanzig Prozent zu."),
        (.german, "Das Werk wurde am 15. März 2024 eröffnet, im 1. Quartal."),
        (.german, "Vierundzwanzigtausend Menschen arbeiten dort."),
        (.german, "In den letzten fünf Jahren änderte sich wenig."),
        (.spanish, "Los ingresos subieron un 12,5 % hasta 3.200 millones de dólares."),
        (.spanish, "Los ingresos crecieron un 12,5 por ciento, a 3,2 mil millones de dólares."),
        (.spanish, "La empresa cerró 300 tiendas y recortó 1.500 empleos."),
        (.spanish, "El beneficio cayó un 4 % hasta 416 millones de dólares."),
        (.spanish, "Unos dos tercios de las ventas llegaron de Europa."),
        (.spanish, "Los costes aumentaron un veintiuno por ciento."),
        (.spanish, "La planta abrió el 15 de marzo de 2024."),
        (.spanish, "En los últimos cinco años cambió poco."),
        (.french, "Les ventes ont augmenté de 12,5 % à 3,2 milliards de dollars."),
        (.french, "Les ventes atteignent 3 200 millions de dollars."),
        (.french, "Le groupe a fermé 300 magasins et supprimé 1 500 postes."),
        (.french, "Le bénéfice a reculé de 4 % à 416 millions de dollars, soit 1,53 dollar par action."),
        (.french, "Environ deux tiers des ventes viennent d’Europe."),
        (.french, "Les coûts ont progressé de vingt et un pour cent."),
        (.french, "L’usine a ouvert le 15 mars 2024."),
        (.french, "Depuis cinq ans, peu a changé."),
    ])
    func statedFiguresPass(_ language: Language, _ text: String) {
        #expect(strange(text, language, source: Self.english) == [])
        #expect(strange(text.decomposed, language, source: Self.english) == [])
    }

    @Test(arguments: [
        (Language.german, "Die Bewertung beträgt 96 von 100."), (.german, "Das sind 96 von 100 Punkten."),
        (.german, "Sie erhält 96 Punkte von 100."), (.spanish, "La puntuación es de 96 de 100."),
        (.spanish, "Obtiene una nota de 96 sobre 100."), (.french, "La lecture donne une note de 96 sur 100."),
        (.french, "Elle obtient 96 points sur 100."), (.english, "The score is 96 of 100."),
    ])
    func theScaleOfAScoreIsNoFigure(_ language: Language, _ text: String) {
        #expect(strange(text, language, source: "The score is 96.") == [])
        #expect(strange(text.replacing("96", with: "94"), language, source: "The score is 96.").count == 1)
        #expect(!strange(text.replacing("100", with: "400"), language, source: "The score is 96.").isEmpty)
    }

    /// Spanish has no word for a billion, and the others often do without it. English has, and is held to its digits.
    @Test(arguments: [
        (Language.german, "416.200 Millionen Dollar", "416.300 Millionen Dollar"),
        (.spanish, "416.200 millones de dólares", "416.000 millones de dólares"),
        (.french, "416 200 millions de dollars", "416 300 millions de dollars"),
    ])
    func millionsMayBeRoundedToATenthOfABillion(_ language: Language, _ right: String, _ wrong: String) {
        let source = "Revenue was $416,161 million."
        #expect(strange("\(right).", language, source: source) == [])
        #expect(strange("\(wrong).", language, source: source).count == 1)
    }

    @Test(arguments: [
        (Language.german, "Der Umsatz stieg um 13,5 Prozent.", "13,5 Prozent"),
        (.german, "Der Umsatz lag bei 32 Mrd. US-Dollar.", "32 Mrd. US-Dollar"),
        (.german, "Der Umsatz lag bei 3,2 Millionen Dollar.", "3,2 Millionen Dollar"),
        (.german, "Der Gewinn stieg um 4 Prozent.", "4 Prozent"),
        (.german, "Der Gewinn nahm um 4 Prozent zu.", "4 Prozent"),
        (.german, "Die Kosten nahmen um einundvierzig Prozent zu.", "einundvierzig Prozent"),
        (.german, "Es strich 15.000 Stellen.", "15.000"),
        (.german, "Neunhundert Filialen sollen schließen.", "Neunhundert"),
        (.spanish, "Los ingresos subieron un 13,5 %.", "13,5 %"),
        (.spanish, "Los ingresos llegaron a 32.000 millones de dólares.", "32.000 millones de dólares"),
        (.spanish, "El beneficio subió un 4 %.", "4 %"),
        (.spanish, "Los costes aumentaron un cuarenta y uno por ciento.", "cuarenta y uno por ciento"),
        (.spanish, "Cerrará novecientas tiendas.", "novecientas"),
        (.french, "Les ventes ont augmenté de 13,5 %.", "13,5 %"),
        (.french, "Les ventes atteignent 32 milliards de dollars.", "32 milliards de dollars"),
        (.french, "Le bénéfice a progressé de 4 %.", "4 %"),
        (.french, "Les coûts ont progressé de quatre-vingt-dix pour cent.", "quatre-vingt-dix pour cent"),
        (.french, "Le groupe supprimera 15 000 postes.", "15 000"),
    ])
    func inventedFiguresFail(_ language: Language, _ text: String, _ figure: String) {
        let found = strange(text, language, source: Self.english)
        #expect(found.count == 1 && found.first?.hasPrefix(figure) == true, "\(found)")
    }

    @Test(arguments: [
        ("Le groupe relève son dividende d'un cent, à 19 cents.", true), ("Il porte son dividende à 19 cents.", true),
        ("Il porte son dividende à 21 cents.", false), ("Il emploie trois cents personnes.", false),
    ]) func frenchCentsAreCoinsBehindDigits(_ text: String, _ passes: Bool) {
        let source = "The company raises its dividend by one cent to 19 cents a share."
        #expect(strange(text, .french, source: source).isEmpty == passes)
    }

    @Test(arguments: [
        (
            "Der Umsatz der Firma stieg im Jahr um 12,5 Prozent auf 3.200 Millionen Euro.",
            "Sales rose 12.5% to €3.2 billion."
        ),
        (
            "Las ventas de la empresa subieron un 12,5 % en el año hasta 3.200 millones de euros.",
            "Sales rose 12.5% to €3.2 billion."
        ),
        (
            "Les ventes de la société ont augmenté de 12,5 % à 3 200 millions d’euros.",
            "Sales rose 12.5% to €3.2 billion."
        ),
    ])
    func sourcesAreReadInTheirOwnLanguage(_ source: String, _ text: String) {
        #expect(strange(text, .english, source: source) == [])
    }

    @Test func numbersInWordsAreReadWhole() {
        let german: [(String, Double)] = [
            ("zweihundertfünfzig", 250), ("dreitausend", 3000), ("hundertzwanzig", 120), ("siebenundneunzig", 97),
            ("fünfhunderttausend", 500_000), ("dreißig", 30),
        ]
        for (word, value) in german {
            #expect(strange("Es sind \(word) Prozent.", .german, source: "It is \(Int(value))%.") == [], "\(word)")
            #expect(strange("Es sind \(word) Prozent.", .german, source: "It is \(Int(value) + 1)%.") != [], "\(word)")
        }
        let others: [(Language, String, Int)] = [
            (.spanish, "treinta y cinco", 35), (.spanish, "ciento veinte", 120),
            (.spanish, "doscientos cincuenta", 250),
            (.french, "soixante-dix-sept", 77), (.french, "quatre-vingt-douze", 92), (.french, "deux cent vingt", 220),
            (.french, "trente et un", 31),
        ]
        for (language, words, value) in others {
            let text = language == .spanish ? "Es el \(words) por ciento." : "C’est \(words) pour cent."
            #expect(strange(text, language, source: "It is \(value)%.") == [], "\(words)")
            #expect(strange(text, language, source: "It is \(value + 1)%.") != [], "\(words)")
        }
    }
}
