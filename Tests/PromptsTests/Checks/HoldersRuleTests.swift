import Basics
import JSON
import Testing

@testable import Prompts

/// Parts of an explanation that speak to those who hold the same.
@Suite struct HoldersRuleTests {
    private func problem(_ holding: String, _ name: String, _ text: String, _ language: Language) -> String? {
        let holders = [HoldersRule.Holder(["id": JSON(holding), "name": JSON(name), "required": false])].compactMap(
            \.self)
        let part: JSON = ["holding": JSON(holding), "text": JSON(text)]
        return HoldersRule.problems(with: [("for_holders[0]", part)], holders: holders, language).first?.problem
    }

    @Test(arguments: [
        (Language.english, "stocks", "Since you hold stocks, this means little."),
        (.english, "bank shares", "Since you hold bank shares, rates matter to you."),
        (.german, "Aktien", "Da Sie Aktien halten, gehört Ihnen ein kleiner Teil von Unternehmen."),
        (.german, "Bankaktien", "Da Sie Bankaktien halten, sind Zinsen für Sie wichtig."),
        (.german, "Aktien von Chipherstellern", "Weil Sie Aktien von Chipherstellern besitzen, lohnt der Blick."),
        (.spanish, "acciones", "Como usted tiene acciones, una parte de las empresas es suya."),
        (.spanish, "acciones de bancos", "Como usted tiene acciones de bancos, los tipos le importan."),
        (.french, "des actions", "Comme vous détenez des actions, une part des entreprises est à vous."),
        (.french, "des actions bancaires", "Comme vous détenez des actions bancaires, les taux comptent."),
    ])
    func aGroupIsNamedInTheLanguageOfTheAnswer(language: Language, name: String, text: String) {
        #expect(problem("stocks", name, text, language) == nil)
    }

    @Test(arguments: [
        (Language.german, "Aktien", "Da Sie stocks halten, gehört Ihnen ein kleiner Teil von Unternehmen."),
        (.german, "Bankaktien", "Da Sie bank shares halten, sind Zinsen für Sie wichtig."),
        (.german, "Bankaktien", "Wer Bankaktien hält, für den sind Zinsen wichtig."),
        (.german, "Bankaktien", ""),
        (.spanish, "acciones", "Como usted tiene stocks, una parte de las empresas es suya."),
        (.french, "des actions", "Comme vous détenez stocks, une part des entreprises est à vous."),
        (.english, "stocks", "If you hold stocks, this means little."),
    ])
    func anotherNameOrNoStatementIsRefused(language: Language, name: String, text: String) {
        #expect(problem("stocks", name, text, language) != nil, "\(text)")
    }

    @Test func theHoldersOfATickerAreNamedByItInEachLanguage() {
        #expect(problem("AAPL", "AAPL", "Da Sie AAPL halten, ändert sich wenig.", .german) == nil)
        #expect(problem("AAPL", "AAPL", "Da Sie Aktien halten, ändert sich wenig.", .german) != nil)
        #expect(problem("AAPL", "AAPL", "Comme vous détenez MSFT, peu change.", .french) != nil)
    }
}
