import Basics
import JSON
import Testing

@testable import Prompts

/// Each term of the lists of jargon, in a sentence that has to explain it and in two that do.
@Suite struct JargonTermsTests {
    /// A sentence with a term, without an explanation of it.
    private static func bare(_ term: String, _ language: Language) -> String {
        switch language {
        case .english: "Last year \(term) changed for the firm."
        case .german: "Im vergangenen Jahr hat sich \(term) verändert."
        case .spanish: "El año pasado cambió \(term) en la empresa."
        case .french: "L'an dernier, \(term) a changé pour la société."
        }
    }

    private static func explained(_ term: String, _ language: Language) -> [String] {
        switch language {
        case .english:
            ["Last year \(term) (a number of the firm) changed.", "It watches a number called \(term)."]
        case .german:
            [
                "Im vergangenen Jahr hat sich \(term) (eine Kennzahl der Firma) verändert.",
                "Sie achtet auf \(term), also auf eine Kennzahl der Firma.",
                "Sie achtet auf \(term). Das ist eine Kennzahl der Firma.",
            ]
        case .spanish:
            [
                "El año pasado cambió \(term) (una cifra de la empresa).",
                "La empresa mira \(term), es decir, una cifra propia.",
                "La empresa mira \(term). Eso es una cifra propia.",
            ]
        case .french:
            [
                "L'an dernier, \(term) (un chiffre de la société) a changé.",
                "La société suit \(term), c'est-à-dire un chiffre à elle.",
                "La société suit \(term). C'est un chiffre à elle.",
            ]
        }
    }

    private static func found(_ text: String, _ language: Language) -> [String] {
        var known: Set<String> = []
        return Jargon.unexplained(in: text, language, known: &known)
    }

    /// French terms are listed without apostrophes, by which words end.
    private static func written(_ term: String) -> String { term.replacing(" d ", with: " d'") }

    @Test(arguments: Language.allCases) func eachTermIsFlaggedAndItsExplanationPasses(_ language: Language) {
        let terms = JargonWords.of(language).terms
        #expect(terms.count >= 80 && Set(terms).count == terms.count)
        for term in terms.map(Self.written) {
            #expect(Self.found(Self.bare(term, language), language).map { $0.lowercased() } == [term])
            for sentence in Self.explained(term, language) {
                #expect(Self.found(sentence, language) == [], "\(sentence)")
            }
        }
    }

    @Test(arguments: [
        (Language.german, "Die Fed hob den Zins um 25 Basispunkte an.", ["Basispunkte"]),
        (.german, "Die EBITDA-Marge stieg.", ["EBITDA-Marge"]),
        (.german, "Das operative Ergebnis wuchs, die operativen Margen nicht.", ["operativen Margen"]),
        (.spanish, "El banco subió el tipo en 25 puntos básicos.", ["puntos básicos"]),
        (.spanish, "El flujo de caja libre bajó.", ["flujo de caja libre"]),
        (.french, "La banque a relevé son taux de 25 points de base.", ["points de base"]),
        (.french, "Les marges brutes ont reculé.", ["marges brutes"]),
        (.french, "L'EBITDA a progressé.", ["EBITDA"]),
        // Words that only look like terms.
        (.german, "Ein Hedgefonds hat gewonnen.", []), (.german, "Der Gewinn stieg, die Dividende auch.", []),
        (.spanish, "El beneficio subió y el dividendo también.", []),
        (.french, "De multiples raisons l'expliquent.", []), (.french, "Le bénéfice a progressé.", []),
    ]) func termsAreFoundInTheFormsOfTheirLanguage(_ language: Language, _ text: String, _ expected: [String]) {
        #expect(Self.found(text, language) == expected)
    }

    @Test(arguments: [
        (Language.german, "Die Quote ist gestiegen. EBITDA ist gestiegen."),
        (.spanish, "El EBITDA es bueno para la empresa."), (.french, "Le PIB est bon pour tous."),
        (.french, "Le taux monte de 25 points de base. C'est la cinquième hausse en douze mois."),
        (.german, "Der Zins stieg um 25 Basispunkte. Das ist die fünfte Erhöhung in zwölf Monaten."),
        (.english, "The rate rose by 25 basis points. It is the fifth rise in twelve months."),
    ]) func aStatementOnATermIsNoExplanation(_ language: Language, _ text: String) {
        #expect(Self.found(text, language).count == 1)
    }

    @Test func theLanguageOfTheAnswerDecidesOnTheTerms() {
        let output = #"{"a": "Die Zinskurve ist flach, und die Nachfrage nach Krediten war gering."}"#
        func failures(_ language: String) -> [CheckFailure] {
            Check(.jargon).failures(in: CheckContext(output: output, input: ["language": .string(language)]))
        }
        #expect(failures("German").first?.message.contains("\"Zinskurve\"") == true)
        #expect(failures("English").isEmpty)
    }
}
