import Basics
import Testing

@testable import Prompts

/// The rules that an answer says what its material tells, and the verdict that was computed.
@Suite struct ToldRuleTests {
    private static let source = """
        The central bank raised its key rate by 0.25 percentage points on Wednesday. It was the fifth rise in 12 months. \
        Prices had grown by 4.1% over the year, twice as fast as the bank wants. Higher rates make loans dearer, so people \
        and firms borrow less. When less is borrowed, less is spent, and prices tend to rise more slowly. Banks raised what \
        they pay on savings on the same day.
        """

    private func strange(_ text: String, _ language: Language = .english, source: String = Self.source) -> String? {
        ClaimRule(sources: [ParsedText(source)]).strangeSentence(in: ParsedText(text), language)
    }

    @Test(arguments: [
        "Savers may find this a fitting week to move money out of shares and into deposits.",
        "Revenue of 970,149 million USD is expected for the coming year.",
        "Chief economist Philip Lane called the pause sensible.",
    ]) func aSentenceOnSomethingElseIsStrange(_ sentence: String) {
        #expect(strange("The central bank raised its key rate. " + sentence) == sentence)
    }

    @Test(arguments: [
        "Borrowing becomes more expensive, which tends to slow spending.",
        "For the fifth time within a year, money from the central bank costs more.",
        "The article does not say whether shares of builders fell.",
        "That is for you to decide together with somebody you trust.",
        "This prose is simulated: no language model wrote it.",
        "Much is open.",
    ]) func whatTheSourceSpeaksOfIsNot(_ sentence: String) {
        #expect(strange(sentence) == nil)
    }

    @Test(arguments: [
        "This is no advice: what to own is a decision of one's own.",
        "Whether to sell shares is a choice that every reader makes for himself.",
    ]) func decliningAdviceIsNot(_ sentence: String) {
        #expect(strange("The bank raised its key rate. " + sentence) == nil)
        let look = " What a business earns, what it owes and what its shares ask for can be looked at."
        #expect(strange(sentence + look) == nil)
        #expect(strange("The bank raised its key rate." + look) != nil)
    }

    @Test(arguments: [
        "Neither buying nor holding is something that I can judge, and I cannot recommend either.",
        "We do not give any personal advice, so the shares are left to whoever holds them.",
        "No recommendation to trade: everybody has other aims.",
        "An assistant like this makes no judgement, and this is not investment advice.",
    ]) func aRefusalToAdviseIsNot(_ sentence: String) {
        #expect(strange("The bank raised its key rate. " + sentence) == nil)
    }

    @Test(arguments: [
        "Hardly a broker would not recommend the shares of builders this month.",
        "No fewer than nine brokers recommend shares of builders.",
        "It does not recommend selling shares of builders.",
        "Selling shares of builders is not recommended now.",
        "No recommendation came from the brokers of London builders.",
        "Not many builders follow the advice of their lenders.",
    ]) func theAdviceOfOthersIsNoRefusal(_ sentence: String) {
        #expect(!DeclinedAdvice.isDeclined(sentence))
    }

    @Test func aSentenceOnTheAdviceOfOthersIsStrange() {
        let sentence = "It does not recommend selling shares of builders."
        #expect(strange("The central bank raised its key rate. " + sentence) == sentence)
    }

    @Test(arguments: [
        "Eine Empfehlung kann ich nicht geben", "Ich kann Ihnen dazu nicht raten", "Dies ist keine Anlageempfehlung",
        "No puedo recomendarle nada", "Esto no es una recomendación de compra", "Yo no doy consejos",
        "Je ne peux pas vous conseiller", "Il ne s'agit pas d'un conseil", "Ce n'est pas une recommandation d'achat",
        "Not financial advice",
    ]) func refusalsOfFourLanguagesAreKnown(_ sentence: String) {
        #expect(DeclinedAdvice.isDeclined(sentence))
    }

    @Test(arguments: [
        "Nicht wenige Fachleute empfehlen die Aktie", "Die Bank gibt keine Empfehlung ab",
        "No pocos analistas recomiendan la acción", "No se aconseja vender ahora",
        "Pas moins de dix courtiers donnent ce conseil", "La banque ne recommande pas la vente",
    ]) func theAdviceOfOthersIsNoRefusalInAnyLanguage(_ sentence: String) {
        #expect(!DeclinedAdvice.isDeclined(sentence))
    }

    @Test(arguments: [
        ("Das ist keine Beratung: Ob jemand Aktien kauft, entscheidet jeder selbst und in Ruhe.", Language.german),
        ("Esto no es un consejo: comprar acciones o venderlas lo decide cada persona por su cuenta.", .spanish),
        ("Ceci n’est pas un conseil : acheter ou vendre des actions, chacun en décide pour lui-même.", .french),
    ]) func decliningAdviceInAnotherLanguageIsNot(_ text: String, _ language: Language) {
        #expect(!ClaimRule(sources: [ParsedText(Self.source)]).isStrange(answer: [ParsedText(text)], language))
        #expect(LanguageDetector.language(ofQuestion: "Soll ich die Aktie kaufen?") == .german)
    }

    @Test func anotherLanguageAndAShortSourcePass() {
        #expect(strange("Los años cómodos del crédito barato han quedado atrás.", .spanish) == nil)
        #expect(strange("The comfortable years seem to be behind us.", source: "The bank raised its rate.") == nil)
    }

    @Test(arguments: [
        (
            "Die Lage bleibt ruhig. Fachleute sehen keinen Anlass zur Sorge, und wer mag, liest in Ruhe weiter.",
            Language.german
        ),
        (
            "Todo sigue tranquilo. Los expertos no ven motivos de inquietud, y quien quiera puede seguir leyendo.",
            .spanish
        ),
        (
            "Tout reste calme. Les spécialistes ne voient aucune raison de se faire du souci, et chacun peut lire la suite.",
            .french
        ),
    ]) func anAnswerInAnotherLanguageThatSharesNothingIsStrange(_ text: String, _ language: Language) {
        let rule = ClaimRule(sources: [ParsedText(Self.source)])
        #expect(rule.isStrange(answer: [ParsedText(text)], language))
        #expect(!rule.isStrange(answer: [ParsedText(text)], .english))
    }

    @Test(arguments: [
        (
            "Kredite werden teurer, und die Banken zahlen mehr auf Erspartes. Wer leiht, überlegt es sich nun zweimal.",
            Language.german
        ),
        ("Los tipos más altos encarecen los préstamos, así que la gente y las empresas piden menos dinero.", .spanish),
        ("Le crédit devient plus cher, si bien que les ménages et les entreprises empruntent moins d'argent.", .french),
    ]) func oneThatSpeaksOfTheSameIsNot(_ text: String, _ language: Language) {
        #expect(!ClaimRule(sources: [ParsedText(Self.source)]).isStrange(answer: [ParsedText(text)], language))
    }

    @Test(arguments: [
        ("Read this way it fits, with a score of 96 of 100.", "fits", false),
        ("Read this way it does not fit, with a score of 96 of 100.", "fits", true),
        ("Apple fits this way of investing.", "does_not_fit", true),
        ("The reader walks away, because interest is not covered.", "mixed", true),
        ("The reading abstains.", "abstains", false),
        ("The verdict is mixed.", "fits", true),
        ("It would fit if the margin were higher.", "mixed", false),
        ("The business fits only in part.", "mixed", false),
        ("What fits is the margin; what does not is the price.", "mixed", false),
        ("The result fits in one sentence.", "mixed", false),
    ]) func theVerdictIsTheOneThatWasComputed(_ text: String, _ verdict: String, _ isWrong: Bool) {
        #expect((VerdictRule.problem(in: text, verdict: verdict) != nil) == isWrong)
    }

    @Test func aTradeNameWithASmallLetterIsAName() {
        let rule = NameRule(material: [ParsedText("The company makes phones and 5 kWh batteries.")], language: .english)
        #expect(rule.strayName(in: ParsedText("Most of it comes from the iPhone.")) == "iPhone")
        #expect(rule.strayName(in: ParsedText("The batteries hold 5 kWh each.")) == nil)
    }
}
