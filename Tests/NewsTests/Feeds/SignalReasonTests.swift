import Basics
import JSON
import JobQueue
import Testing

@testable import News

/// What the reasons of a signal say: what happened, how far it reaches what is held, and who tells it.
@Suite struct SignalReasonTests {
    @Test(arguments: [
        ("Federal Reserve leaves its benchmark rate unchanged", "a decision on interest rates"),
        ("Consumer prices rise 2.6% over the year", "figures on inflation (2.6% in the headline)"),
        ("Employers add 142,000 jobs", "figures on jobs (142,000 in the headline)"),
    ]) func whatConcernsMarketsIsNamed(title: String, event: String) throws {
        let story = try #require(Samples.story(title: title, articles: [Samples.article("m", title: title)]))
        let why = Signal(of: story, holdings: ["AAPL"]).json["why"]?[0]?.string
        #expect(why == "It concerns markets as a whole, and so AAPL with them: \(event)")
    }

    @Test(arguments: [
        ("Microsoft tops estimates as quarterly sales rise 14%", "14%"), ("Intel loses $853 million", "$853 million"),
        ("Ford recalls 312,000 pickup trucks", "312,000"), ("Gewinn steigt um 14 Prozent", "14 Prozent"),
        ("Inflation bei 2,6 %, sagt das Amt", "2,6 %"), ("Fine of €1.2bn,", "€1.2bn"), ("A 5G test", nil),
        ("Q3 results in 2026", nil),
        ("iPhone 17 sells out", nil), ("Shares (up 3%) gain", "3%"),
    ]) func theAmountIsTheHeadlinesOwn(title: String, amount: String?) {
        #expect(HeadlineAmount.first(in: title) == amount)
    }

    @Test func theSecondReasonSaysHowFarTheEventReaches() throws {
        func second(_ held: [String], _ holdings: [String]) throws -> String? {
            let title = "Nvidia tops forecasts"
            let story = try #require(
                Samples.story(title: title, tickers: [("NVDA", true)], articles: [Samples.article("n", title: title)]))
            return Signal(of: story, held: held, holdings: holdings).json["why"]?[1]?.string
        }
        #expect(try second(["NVDA"], ["NVDA"])?.hasSuffix("expects to earn") == true)
        #expect(try second([], ["AMD"])?.hasSuffix("; others of its kind often meet the same") == true)
        #expect(try second([], ["XOM"])?.hasSuffix("; it is not among your holdings") == true)
        #expect(try second([], [])?.hasSuffix("expects to earn") == true)
    }

    @Test func theThirdReasonSaysHowSoonItShowsAndWhatItRestsOn() throws {
        func third(_ title: String, _ language: Language = .english) throws -> String? {
            let articles = [
                Samples.article("1", title: title, source: "Wire"), Samples.article("2", title: title, source: "Post"),
            ]
            let story = try #require(
                Samples.story(impact: .low, title: title, tickers: [("F", true)], articles: articles))
            return Signal(of: story, held: ["F"], holdings: ["F"], language: language).json["why"]?[2]?.string
        }
        #expect(try third("Ford recalls 3,200 Mustangs") == "It shows over months; Wire and Post tell it")
        #expect(try third("Ford beats quarterly estimates") == "It shows within weeks; Wire and Post tell it")
        #expect(try third("Ford to buy Rivian", .german) == "Es zeigt sich über Jahre; Wire und Post berichten es")
        #expect(try third("Ford to buy Rivian", .spanish) == "Se nota a lo largo de años; Wire y Post lo cuentan")
        #expect(try third("Ford to buy Rivian", .french) == "Cela se voit au fil des ans ; Wire et Post en parlent")
    }
}
