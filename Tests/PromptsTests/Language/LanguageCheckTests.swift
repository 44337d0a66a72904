import Basics
import JSON
import Testing

@testable import Prompts

/// Checks that know the language of an answer.
@Suite struct LanguageCheckTests {
    private static let texts: [(Language, String)] = [
        (.english, "The central bank lowered its rate, and the company said that it will keep its plans for the year."),
        (.german, "Die Notenbank senkte den Zins, und das Unternehmen bleibt bei seinen Plänen für das Jahr."),
        (.spanish, "El banco central bajó los tipos, y la empresa mantiene sus planes para el resto del año."),
        (.french, "La banque centrale a baissé son taux, et le groupe garde ses projets pour le reste de l’année."),
    ]

    private func failures(_ text: String, asked: Language?, otherwise: Language? = nil) -> [CheckFailure] {
        let input: JSON = asked.map { ["language": JSON($0.englishName)] } ?? [:]
        return Check(.language(otherwise: otherwise)).failures(in: CheckContext(output: text, input: input))
    }

    @Test func eachLanguageIsRecognised() {
        for (language, text) in Self.texts {
            #expect(LanguageDetector(text).language == language)
            #expect(LanguageDetector(text.decomposed).language == language)
            for (asked, _) in Self.texts {
                #expect(failures(text, asked: asked).isEmpty == (asked == language), "\(asked): \(text)")
            }
        }
    }

    @Test(arguments: [
        "O banco central baixou a taxa, e a empresa disse que não vai mudar os seus planos para o ano.",
        "La banca centrale ha abbassato i tassi, e la società non cambia i suoi piani per il resto dell’anno.",
        "De centrale bank heeft de rente verlaagd, en het bedrijf houdt zich aan zijn plannen voor dit jaar.",
        "Bank centralny obniżył stopy procentowe, a spółka podtrzymuje swoje plany na ten rok oraz prognozę zysku.",
        "Центральный банк снизил ставку, а компания сохраняет свои планы на этот год и прогноз прибыли на квартал.",
    ])
    func otherLanguagesAreNone(_ text: String) {
        for language in Language.allCases { #expect(!failures(text, asked: language).isEmpty, "\(language)") }
        #expect(LanguageDetector(text).language == nil || text.hasPrefix("O ") == false)
    }

    @Test(arguments: [
        ("Was ist ein KGV?", Language.german), ("Wer ist Warren Buffett?", .german), ("Was kostet das?", .german),
        ("¿Cómo funciona un fondo?", .spanish), ("¿Qué es una acción?", .spanish),
        ("Qu'est-ce qu'une action ?", .french),
        ("Pourquoi les taux montent-ils ?", .french), ("What is a moat?", .english),
        ("Was the profit of the bank higher than in the year before?", .english),
    ])
    func shortQuestionsTellTheirLanguage(question: String, language: Language) {
        #expect(LanguageDetector.language(ofQuestion: question) == language)
    }

    @Test(arguments: ["Was Apple profitable?", "Bitcoin halving", "Comment on Apple", "??", "EBITDA?"])
    func questionsThatDoNotTellAreTakenForNoOtherLanguage(question: String) {
        let found = LanguageDetector.language(ofQuestion: question)
        #expect(found == nil || found == .english)
    }

    @Test func oneSentenceInAnotherLanguageFails() {
        let text = Self.texts[1].1 + " The company said that it will keep its plans for the rest of the year."
        #expect(failures(text, asked: .german).count == 1)
    }

    @Test func namesAndQuotedHeadlinesDoNot() {
        let text = """
            Apple, Microsoft, Nvidia, Alphabet, Amazon und Meta legten ihre Zahlen vor. Der Bericht trägt den Titel „Big \
            Tech Earnings Season“ und nennt für die Cloud-Sparten ein Wachstum wie im Vorjahr.
            """
        #expect(failures(text, asked: .german).isEmpty)
        #expect(failures("AAPL, MSFT", asked: .french).isEmpty)
    }

    @Test func withoutALanguageAskedThatOfTheSourceHolds() throws {
        let check = Check(.language(otherwise: nil, sources: [try #require(OutputPath("text"))]))
        for (language, source) in Self.texts {
            for (other, text) in Self.texts {
                let found = check.failures(in: CheckContext(output: text, input: ["text": JSON(source)]))
                #expect(found.isEmpty == (language == other), "\(language): \(text)")
            }
        }
        #expect(check.failures(in: CheckContext(output: Self.texts[1].1, input: ["text": "Rates"])).isEmpty)
    }

    @Test func withoutALanguageAskedTheDefaultHolds() {
        #expect(failures(Self.texts[1].1, asked: nil).isEmpty)
        #expect(!failures(Self.texts[1].1, asked: nil, otherwise: .english).isEmpty)
    }

    @Test func aCheckCanBeBoundToLanguages() throws {
        let pattern = try #require(CompiledPattern("but"))
        let check = Check(.regex(pattern, isNegated: true), languages: [.english])
        let english: JSON = ["language": "English"]
        let french: JSON = ["language": "French"]
        #expect(!check.failures(in: CheckContext(output: "Calm, but late.", input: english)).isEmpty)
        #expect(check.failures(in: CheckContext(output: "Le but est simple.", input: french)).isEmpty)
    }

    /// The log has no word of an answer, so the place is all that it can say; quotes stay as their filing has them.
    @Test func aTextOfAReportInAnotherLanguageIsNamedByItsPlace() throws {
        let prompt = try #require(try RepositoryBundle.load().prompts["research"])
        let checks = prompt.checks.filter { $0.name == "language" }
        let (german, english) = (Self.texts[1].1, Self.texts[0].1)
        let report: JSON = [
            "summary": JSON(german), "risks": [["title": "Ein Risiko", "detail": JSON(german)]],
            "what_would_change_the_view": [["text": JSON(german), "threshold": JSON(english)]],
            "claims": [["text": JSON(german), "quote": JSON(english)]],
        ]
        let found = checks.failures(in: CheckContext(output: report.compact, input: ["language": "German"]))
        #expect(found.map(\.label) == ["language at what_would_change_the_view[0].threshold"])
    }

    @Test func longSentencesOfSpanishAndFrenchHaveAFifthMoreWords() {
        let words = Array(repeating: "mot", count: 23).joined(separator: " ") + "."
        let check = Check(.averageSentenceWords(.init(max: 19.9)))
        func passes(_ language: String) -> Bool {
            check.failures(in: CheckContext(output: words, input: ["language": .string(language)])).isEmpty
        }
        #expect(passes("French") && passes("Spanish") && !passes("German") && !passes("English"))
    }

    /// Newspaper prose of one difficulty has about one grade in all four languages.
    @Test func readingLevelsAreComparable() {
        let grades = Self.texts.map { Prose($0.1).readingGrade(in: $0.0) }
        #expect(grades.allSatisfy { (3.5...15).contains($0) }, "\(grades)")
        let hard =
            "Betriebswirtschaftliche Unternehmensbewertungsverfahren berücksichtigen Kapitalkostensatzveränderungen."
        #expect(Prose(hard).readingGrade(in: .german) > 20)
    }

    @Test(arguments: [
        ("German", "Da Sie AAPL halten, gehört Ihnen ein Teil davon.", true),
        ("German", "Da Sie MSFT halten, gehört Ihnen ein Teil davon.", false),
        ("German", "Das Unternehmen liefert weiter Telefone.", false),
        ("Spanish", "Como usted tiene AAPL, una parte es suya.", true),
        ("Spanish", "Como tiene AAPL, una parte es suya.", true),
        ("Spanish", "La empresa sigue vendiendo teléfonos.", false),
        ("French", "Comme vous détenez AAPL, une part vous appartient.", true),
        ("French", "Comme vous possédez MSFT, une part vous appartient.", false),
    ])
    func holdingsAreNamedInEachLanguage(_ language: String, _ text: String, _ passes: Bool) throws {
        let input: JSON = ["language": .string(language), "holdings": ["AAPL"]]
        let check = Check(.holdingsNamed(try #require(OutputPath("holdings"))))
        #expect(check.failures(in: CheckContext(output: text, input: input)).isEmpty == passes)
    }

    @Test(arguments: [
        ("German", "Da Sie die Aktie halten, betrifft es Sie."), ("German", "Ihre Aktien sind davon betroffen."),
        ("French", "Vos actions sont concernées."), ("Spanish", "Como accionista, le concierne."),
    ])
    func unknownHoldingsAreNotSupposed(_ language: String, _ text: String) throws {
        let input: JSON = ["language": .string(language), "holdings": []]
        let check = Check(.holdingsNamed(try #require(OutputPath("holdings"))))
        #expect(!check.failures(in: CheckContext(output: text, input: input)).isEmpty)
    }

    @Test func germanOrdinalsAndAbbreviationsEndNoSentence() {
        let text = """
            Am 15. März legte der Konzern Zahlen vor. Im 3. Quartal stieg der Umsatz auf 3,2 Mrd. Euro. Das gilt z. B. \
            für Deutschland.
            """
        #expect(Sentences.split(text).count == 3)
    }
}
