import Basics
import Testing

@testable import Prompts

/// The rules that hold an answer against its material, one sentence each.
@Suite struct GroundingTests {
    private func contradictions(_ text: String, _ language: Language, _ source: String) -> Int {
        ClaimRule(sources: [ParsedText(source)]).contradictions(in: ParsedText(text), language).count
    }

    private func causes(_ text: String, _ language: Language, _ source: String) -> Int {
        ClaimRule(sources: [ParsedText(source)]).strayCauses(in: ParsedText(text), language).count
    }

    @Test(arguments: [
        // What happened to nobody happened to no one, in whatever words.
        (Language.german, "Mehrere Menschen wurden verletzt.", "Two sofas were damaged; nobody was hurt."),
        (.french, "Plusieurs salariés ont été licenciés.", "The strike ended. Nobody was dismissed."),
        // What was not said is neither so nor not so.
        (
            .german, "Die Bank kündigte für Dezember eine weitere Senkung an.",
            "The bank did not say whether it will cut again in December."
        ),
        (
            .spanish, "La empresa anunció que cerrará centros de trabajo.",
            "The company did not say whether sites will close."
        ),
        // A price that fell did not rise.
        (.french, "L'essence a augmenté de 6 %.", "Petrol became 6 percent cheaper."),
        (.german, "Benzin wurde um 6 Prozent teurer.", "Petrol became 6 percent cheaper."),
        // What stays as it was did not change.
        (.german, "Die Firma senkte ihre Prognose.", "The company did not change its forecast."),
        // Another of a row.
        (.french, "C'est la cinquième baisse de suite.", "It was the second cut in a row."),
    ]) func whatTheMaterialDeniesOrLeavesOpenIsRefused(_ language: Language, _ text: String, _ source: String) {
        #expect(contradictions(text, language, source) == 1)
    }

    @Test(arguments: [
        (Language.german, "Verletzt wurde niemand.", "Two sofas were damaged; nobody was hurt."),
        (
            .german, "Ob sie im Dezember wieder senkt, sagte die Bank nicht.",
            "The bank did not say whether it will cut again in December."
        ),
        (.spanish, "La gasolina se abarató un 6 por ciento.", "Petrol became 6 percent cheaper."),
        (.french, "C'est la deuxième baisse de suite.", "It was the second cut in a row."),
        (
            .spanish, "Los precios crecen el doble de rápido de lo que quiere.",
            "Prices had grown by 4.1%, twice as fast as the bank wants. When less is spent, prices tend to rise more slowly."
        ),
        (.german, "Die Preise wuchsen schnell.", "Prices had grown fast. Then prices tend to rise more slowly."),
        (
            .english, "A network part had broken, and the spare did not start by itself, Visa said.",
            "A network part had broken, and the spare did not start by itself, Visa said. All payments work again."
        ),
    ]) func whatTheMaterialSaysPasses(_ language: Language, _ text: String, _ source: String) {
        #expect(contradictions(text, language, source) == 0)
    }

    @Test func aCauseThatNamesWhatTheMaterialDoesNotIsNotItsOwn() {
        let source = "Eggs cost 18 percent more. The strike ended after nine days. The dollar rose."
        #expect(causes("Der Streik endete, weil die Regierung vermittelt hat.", .german, source) == 1)
        #expect(causes("El dólar subió porque cayó el petróleo.", .spanish, source) == 1)
        let told = "The dollar rose because oil became cheaper."
        #expect(causes("El dólar subió porque cayó el petróleo.", .spanish, told) == 0)
    }

    @Test(arguments: [
        ("Die Behörden in Brüssel müssen zustimmen.", Language.german), ("Bruselas tiene que aprobarlo.", .spanish),
        ("Los expertos de Bruselas lo aprueban.", .spanish), ("Les experts de Bruxelles donnent leur accord.", .french),
        ("In Belgien muss man zustimmen.", .german),
    ]) func citiesHaveTheNamesOfEachLanguage(_ text: String, _ language: Language) {
        let rule = NameRule(material: [ParsedText("Regulators in Brussels must approve the deal.")], language: language)
        #expect(rule.strayName(in: ParsedText(text)) == nil)
    }

    @Test func oneCityOfACountryIsNotAnother() {
        let rule = NameRule(material: [ParsedText("It has plants in Lyon and Turin.")], language: .spanish)
        #expect(rule.strayName(in: ParsedText("Tiene plantas en Lyon y Milán.")) == "Milán")
        #expect(rule.strayName(in: ParsedText("Tiene plantas en Lyon y Turín, en Italia.")) == nil)
        let country = NameRule(material: [ParsedText("The government of Italy agreed.")], language: .spanish)
        #expect(country.strayName(in: ParsedText("El gobierno de Roma está de acuerdo.")) == nil)
    }

    @Test(arguments: [
        ("Zwei Hersteller von Bahntechnik werden zu einem", Language.german, true),
        ("Deux fabricants n'en font plus qu'un", .french, true), ("Erspartes bringt etwas mehr ein", .german, true),
        ("Die Bank gehört nun zu einem", .german, false), ("Le bénéfice a reculé à cause d'un", .french, false),
        (
            "Der Gewinn sank auf 310 Millionen, und die Firma sagte, dass höhere Preise für den Kakao und für die ein",
            .german, false
        ),
    ]) func aTextBreaksOffAtAnArticleThatIsNoNumberAndNoVerb(_ text: String, _ language: Language, _ isWhole: Bool) {
        #expect((CompletenessRule.brokenEnd(of: text, language) == nil) == isWhole)
    }

    @Test func aClauseThatTheMaterialHasInADenialIsStillRefused() {
        #expect(
            contradictions(
                "The bank will cut again in December.", .english,
                "The bank did not say whether it will cut again in December.") == 1)
    }
}
