import Basics
import Testing

@testable import News

@Suite struct SuggestedQuestionsTests {
    private func questions(_ title: String, _ text: String = "", _ language: Language = .english) -> [String] {
        SuggestedQuestions(title: title, text: text, tickers: [], language: language).all
    }

    @Test(arguments: [
        ("Federal Reserve holds interest rates steady", "What did the central bank decide?"),
        ("Ford recalls 312,000 pickup trucks over rear cameras", "What does the recall cost Ford?"),
        ("Consumer prices rise 2.6% as rents cool", "What got dearer or cheaper?"),
        ("Pfizer to buy Northwind Biologics for $7.4 billion", "Who still has to agree?"),
        ("Intel posts a loss as quarterly sales fall 6%", "What does Intel expect next?"),
        ("Workers at four Amazon warehouses walk out for a day", "How many people does it concern?"),
        ("EZB senkt Leitzins überraschend", "What did the central bank decide?"),
    ]) func theEventOfAnArticleSuggestsItsQuestions(_ title: String, _ question: String) {
        let all = questions(title, "It said 3 things.")
        #expect(all.contains(question) && all.count == 4 && all.first == "What happened?", "\(all)")
    }

    @Test func aNameThatEndsWithAnApostropheKeepsIt() {
        #expect(questions("Lowe's beats quarterly estimates").contains { $0.contains("Lowe's") })
        #expect(questions("Apple's quarterly profit beats estimates").allSatisfy { !$0.contains("Apple's") })
    }

    @Test func articlesOnDifferentEventsHaveDifferentQuestions() {
        let titles = [
            "Ford recalls 3,200 Mustangs", "Fed cuts rates", "Tesla beats quarterly estimates",
            "Old cinema opens again",
        ]
        #expect(Set(titles.map { questions($0) }).count == titles.count)
    }

    @Test func questionsAreInTheReadersLanguage() {
        for (language, first) in [
            (Language.german, "Was ist geschehen?"), (.spanish, "¿Qué ha pasado?"), (.french, "Que s'est-il passé ?"),
        ] {
            for event in ["Fed cuts rates", "Ford recalls 3,200 Mustangs", "Old cinema opens again"] {
                let all = questions(event, "Er sagte \"ja\" zu 5 Fragen.", language)
                #expect(
                    all.first == first && Set(all).isDisjoint(with: questions(event, "Er sagte \"ja\" zu 5 Fragen.")))
            }
        }
    }

    @Test func anArticleWithoutAnEventAsksWhatItMeansForItsCompany() {
        let all = SuggestedQuestions(title: "A look at the river", text: "", tickers: ["AAPL"]).all
        #expect(
            all == ["What happened?", "What does it mean for AAPL?", "Why does it matter?", "What is not known yet?"])
    }
}
