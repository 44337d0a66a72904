import Basics
import JSON
import JobQueue
import TestSupport
import Testing

@testable import News

/// The general feed's items.
@Suite struct SignalTests {
    @Test func aSignalHasEveryMemberOfTheDocument() throws {
        let story = try #require(Samples.story(tickers: [("AAPL", true)]))
        let json = Signal(of: story).json
        #expect(
            json.object?.keys.map { String($0) } == [
                "id", "url", "title", "source", "published_at", "verdict", "why", "action", "horizon",
                "opportunity_type", "opportunity_note", "confidence", "importance_score", "judged_by",
            ])
        #expect(json["judged_by"] == "rule")
        #expect(json["id"] == "https://example.com/a" && json["url"] == json["id"])
        #expect(json["published_at"] == "2026-01-04T09:45:40Z")
        #expect(json["verdict"] == "aware" && json["why"]?.array?.count == 3)
        #expect(json["why"]?[0] == "It concerns AAPL: news of products and services")
        #expect(json["action"] == "Understand the context")
        #expect(json["importance_score"] == 60)
    }

    @Test(arguments: [
        (ImpactLevel.high, 20, 92), (.high, 1, 80), (.moderate, 9, 68), (.low, 1, 40), (.low, 99, 52),
        (.veryLow, 9, 28), (.veryLow, 0, 20),
    ])
    func importanceStaysInTheBandOfItsLevel(_ impact: ImpactLevel, _ articles: Int, _ score: Int) {
        #expect(SignalScore.importance(impact: impact, articles: articles) == score)
    }

    @Test func newsWithoutConcernForInvestorsIsIgnoredHoweverWidespread() throws {
        let articles = (0..<9).map { place in
            Samples.article("\(place)", title: "Outsiders win the cup after penalties", source: "Paper \(place)")
        }
        let story = try #require(
            Samples.story(impact: .low, title: "Outsiders win the cup after penalties", articles: articles))
        let json = Signal(of: story).json
        #expect(json["verdict"] == "ignore" && json["action"] == "No action needed")
        #expect(json["importance_score"] == 39 && json["horizon"] == .null)
        #expect(json["opportunity_type"] == "none" && json["opportunity_note"] == "")
        #expect(json["why"]?[0] == "It does not concern companies or markets")
        #expect(json["why"]?[2] == "9 publishers tell it")
    }

    @Test(arguments: [
        "美联储宣布加息25个基点", "ФРС повысила ставку на четверть пункта", "البنك المركزي يرفع سعر الفائدة",
        "La Borsa di Milano chiude in rialzo dopo i dati sull'inflazione della zona euro",
        "Banco Central mantém juros e não vê pressa para mudar a taxa em uma nova reunião",
        "Beurs sluit hoger nadat de bank de rente niet heeft veranderd, ondanks een hogere inflatie",
    ])
    func aHeadlineThatNoRuleReadsIsSaidToBeUnread(_ title: String) throws {
        let story = try #require(Samples.story(title: title, articles: [Samples.article("f", title: title)]))
        let why = try #require(Signal(of: story).json["why"]?.array)
        #expect(why[0] == "Its headline is in a language that is not read here")
        #expect(why.count == 3 && why[1].string?.contains("not known here") == true)
        let named = try #require(
            Samples.story(title: title, tickers: [("AAPL", true)], articles: [Samples.article("f", title: title)]))
        let reasons = Signal(of: named, held: ["AAPL"]).json["why"]
        #expect(reasons?[0]?.string?.hasPrefix("You hold AAPL") == true && reasons?[1] == why[0])
    }

    @Test(arguments: [
        "Van Gogh museum in Het Park: de Young opens", "Uma Thurman and Dos Equis star in an advert",
        "Die EZB hält die Zinsen und sieht keine Eile", "El Banco de España ve más inflación en dos años",
        "La Banque de France voit une croissance plus forte pour la zone euro",
    ])
    func aHeadlineOfAReadLanguageIsNotCalledUnread(_ title: String) {
        #expect(!HeadlineWords.isUnread(title))
    }

    @Test func smallNewsOfAHoldingIsImportant() throws {
        let story = try #require(
            Samples.story(impact: .veryLow, confidence: .low, tickers: [("AAPL", true), ("MSFT", false)]))
        #expect(Signal(of: story).json["verdict"] == "ignore")
        let json = Signal(of: story, held: ["MSFT", "AAPL"]).json
        #expect(json["verdict"] == "aware" && json["action"] == "Read the source")
        #expect(json["why"]?[0] == "You hold AAPL: news of products and services")
        let named = Signal(of: story, held: ["MSFT"]).json
        #expect(named["why"]?[0] == "You hold MSFT, which the story names")
    }

    @Test func aMarketsStorySpeaksOfWhatTheReaderHolds() throws {
        let story = try #require(
            Samples.story(title: "Fed raises rates", articles: [Samples.article("f", title: "Fed raises rates")]))
        #expect(
            Signal(of: story, holdings: ["AAPL", "F"]).json["why"]?[0]
                == "It concerns markets as a whole, and so AAPL and F with them: a decision on interest rates")
    }

    @Test(arguments: [
        (["JPM", "AAPL"], "You hold JPM (bank shares): a bank in trouble"),
        (["AAPL"], "It concerns markets as a whole, and so AAPL with them: a bank in trouble"),
        ([], "It concerns markets as a whole: a bank in trouble"),
    ]) func aBanksRescueSpeaksToHoldersOfBanks(holdings: [String], reason: String) throws {
        let title = "Government rescues lender after run on deposits"
        let story = try #require(
            Samples.story(impact: .high, title: title, articles: [Samples.article("b", title: title)]))
        let json = Signal(of: story, holdings: holdings).json
        #expect(json["why"]?[0]?.string == reason)
        #expect(json["verdict"] == "aware" && json["importance_score"] == 80)
        #expect(json["why"]?[1]?.string?.hasPrefix("A bank's trouble") == true)
    }

    @Test(arguments: [
        (
            "Bitcoin tumbles 15% in a day", ["BTC"],
            "You hold BTC (crypto assets): a move of prices (15% in the headline)"
        ),
        (
            "Brent crude slides 7%", ["XOM", "SPY"],
            "You hold XOM (energy shares): a move of prices (7% in the headline)"
        ),
        (
            "Russia invades Ukraine, sending oil above $100", ["SPY"],
            "It concerns markets as a whole, and so SPY with them: war or an armed conflict ($100 in the headline)"
        ),
    ]) func holdingsOfEveryKindAreSpokenTo(title: String, holdings: [String], reason: String) throws {
        let story = try #require(Samples.story(title: title, articles: [Samples.article("k", title: title)]))
        #expect(Signal(of: story, holdings: holdings).json["why"]?[0]?.string == reason)
    }

    @Test func aRivalsStorySaysWhatIsHeldOfItsKind() throws {
        let title = "Nvidia tops forecasts"
        let story = try #require(
            Samples.story(title: title, tickers: [("NVDA", true)], articles: [Samples.article("n", title: title)]))
        #expect(
            Signal(of: story, holdings: ["AMD"]).json["why"]?[0]
                == "It concerns NVDA: better results; you hold AMD (shares of chip makers)")
    }

    /// Every event has three different reasons in every language, none of them empty.
    @Test(arguments: Language.allCases) func noReasonIsEmpty(language: Language) throws {
        let titles = [
            "Bank collapses after run on deposits", "Rebels fire missile at tanker",
            "Argentina defaults on foreign debt",
            "Trump announces tariffs on imports", "WeWork files for bankruptcy", "Founder charged with fraud",
            "FDA approves drug", "Hackers steal data", "Earthquake halts factories", "Boeing halts deliveries",
            "Arm prices its IPO", "Walmart raises its dividend", "HSBC to close 114 branches", "Lakers beat Celtics",
            "Deere lays off 200 workers", "Ford recalls cars", "Pilots walk out", "Netflix down for users",
            "Citi downgrades Nike", "Apple profit rises", "Fed raises rates", "Exxon to acquire Pioneer",
            "Jury orders Bayer to pay", "Gold edges up", "Apple unveils new iPad", "Disney ousts its chief executive",
        ]
        for title in titles {
            let story = try #require(Samples.story(title: title, articles: [Samples.article("t", title: title)]))
            for holdings in [[], ["AAPL"], ["JPM", "BTC", "SPY"]] {
                let why = Signal(of: story, holdings: holdings, language: language).json["why"]?.array ?? []
                let reasons = why.compactMap(\.string)
                #expect(Set(reasons).count == 3 && reasons.allSatisfy { $0.count > 10 }, "\(title)")
            }
        }
    }

    @Test func aGraveEventIsNoGain() throws {
        let title = "Oil jumps as missiles hit Saudi refinery"
        let story = try #require(Samples.story(title: title, articles: [Samples.article("w", title: title)]))
        #expect(Signal(of: story, holdings: ["XOM"]).json["opportunity_type"] == "none")
    }

    @Test func confidenceIsAScaleWithinTheBandOfItsLevel() throws {
        func confidence(_ level: ConfidenceLevel, _ titles: [String], from sources: [String]) throws -> Int64 {
            let articles = zip(titles, sources).enumerated().map {
                Samples.article("\($0)", title: $1.0, source: $1.1)
            }
            let story = try #require(Samples.story(confidence: level, articles: articles))
            return try #require(Signal(of: story).json["confidence"]?.integer)
        }
        let one = try confidence(.low, ["Apple opens a store"], from: ["Wire"])
        let hedged = try confidence(.low, ["Apple may open a store"], from: ["Wire"])
        let two = try confidence(.medium, ["Apple opens a store", "Apple opens store"], from: ["Wire", "Post"])
        #expect(hedged < one && one < two)
        #expect((30...59).contains(one) && (60...79).contains(two))
    }

    @Test func noActionAsksForATrade() {
        #expect(
            SignalAction.allCases.map(\.rawValue) == [
                "Understand the context", "Keep it in mind", "Read the source", "No action needed",
            ])
    }

    @Test func theToneOfTheHeadlinesIsAnOpportunityOnlyWhenTheyAgree() throws {
        func type(_ titles: String...) throws -> JSON? {
            let articles = titles.enumerated().map { Samples.article("\($0)", title: $1) }
            let story = try #require(Samples.story(tickers: [("AAPL", true)], articles: articles))
            return Signal(of: story).json["opportunity_type"]
        }
        #expect(try type("Apple profit beats forecasts", "Apple results out") == "positive")
        #expect(try type("Apple recalls a charger") == "negative")
        #expect(try type("Apple profit rises", "Apple shares fall after results") == "none")
        #expect(try type("Apple shares fall although profit rises") == "none")
        // Cases, rates and slower losses: who gains is not in the verb.
        #expect(try type("Masimo wins $250 million patent verdict against Apple") == "none")
        #expect(try type("Bank of England cuts rates", "BoE cuts rates by a quarter point") == "none")
        #expect(try type("Novo Nordisk narrows outlook as Wegovy growth slows") == "none")
        #expect(try type("Zynterra narrows quarterly loss") == "none")
        #expect(try type("Inflation in Germany rises to 2.4%") == "none")
    }

    @Test func aStoryOfTwoCompaniesIsNoGainOfEither() throws {
        let articles = [Samples.article("a", title: "Boeing gains as Airbus jet is grounded")]
        let story = try #require(Samples.story(tickers: [("BA", true), ("EADSY", true)], articles: articles))
        #expect(Signal(of: story, held: ["EADSY"]).json["opportunity_type"] == "none")
    }

    @Test(arguments: [
        ("Meta to cut 5% of workforce", "You hold META: job cuts (5% in the headline)"),
        ("Apple rating kept at neutral by Specimen Research", "You hold META: an analyst's opinion"),
        ("Microsoft Teams and Outlook down for thousands of users", "You hold META: an outage"),
        (
            "Pfizer to buy Northwind Biologics for $7.4 billion",
            "You hold META: news of a deal ($7.4 billion in the headline)"
        ),
    ]) func theEventOfTheHeadlinesIsNamed(title: String, reason: String) throws {
        let story = try #require(
            Samples.story(tickers: [("META", true)], articles: [Samples.article("a", title: title)]))
        #expect(Signal(of: story, held: ["META"]).json["why"]?[0]?.string == reason)
    }

    @Test func resultsOfAnUnknownCompanyAreNotTheMarkets() throws {
        let title = "Halvorsen Foods revenue falls short"
        let story = try #require(
            Samples.story(title: title, tickers: [], articles: [Samples.article("a", title: title)]))
        #expect(Signal(of: story, holdings: ["UPS"]).json["why"]?[0] == "It names nothing that you hold")
    }

    @Test(arguments: [
        (Language.german, "Sie halten AAPL: Neues zu Produkten und Diensten"),
        (.spanish, "Usted tiene AAPL: noticias de productos y servicios"),
        (.french, "Vous détenez AAPL : des produits et des services"),
    ]) func rulesSpeakTheReadersLanguage(language: Language, reason: String) throws {
        let story = try #require(Samples.story(tickers: [("AAPL", true)]))
        let english = Signal(of: story, held: ["AAPL"]).json["why"]?.array ?? []
        let json = Signal(of: story, held: ["AAPL"], language: language).json
        #expect(json["why"]?[0]?.string == reason)
        #expect(zip(english, json["why"]?.array ?? []).allSatisfy { $0 != $1 })
    }

    @Test func aModelsInterpretationReplacesOnlyTheInterpretation() throws {
        let story = try #require(Samples.story(impact: .low, tickers: [("AAPL", true)]))
        let interpretation: JSON = [
            "id": "text://9", "title": "another", "verdict": "ignore", "why": ["x", "y", "z"],
            "action": "No action needed", "horizon": "long", "opportunity_type": "none", "opportunity_note": "",
            "confidence": 11, "importance_score": 12,
        ]
        let json = Signal(of: story, interpretation: interpretation).json
        #expect(json["verdict"] == "ignore" && json["why"] == ["x", "y", "z"] && json["horizon"] == "long")
        #expect(json["confidence"] == 11 && json["importance_score"] == 12)
        #expect(json["judged_by"] == "model")
        #expect(json["title"] == JSON(story.lead.title) && json["id"] == JSON(story.lead.url))
    }

    @Test func aRatingFromBeforeDoesNotHideNewsOfAHolding() throws {
        let story = try #require(Samples.story(impact: .veryLow, tickers: [("AAPL", true)]))
        let rating: JSON = ["verdict": "ignore", "why": ["x", "y", "z"], "importance_score": 12]
        let held = Signal(of: story, held: ["AAPL"], holdings: ["AAPL"], interpretation: rating).json
        #expect(held["verdict"] == "aware" && held["why"]?[0]?.string?.hasPrefix("You hold AAPL") == true)
        #expect(held["judged_by"] == "rule")
        #expect(Signal(of: story, interpretation: rating).json["verdict"] == "ignore")
    }

    @Test func theFirstArticleRepresentsItsStory() throws {
        let articles = (0..<15).map { Samples.article("a\($0)") }
        var group = Samples.group(articles: articles)
        // It is the least similar of all.
        group.story.members[0].similarity = 1
        let known = Dictionary(articles.map { ($0.id, $0) }) { first, _ in first }
        #expect(group.shownArticles.count == FeedStory.articleLimit && group.shownArticles.last == "a0")
        let story = try #require(FeedStory(group, articles: known))
        #expect(story.lead.id == "a0" && story.articles.count == FeedStory.articleLimit)
        #expect(FeedStory(group, articles: [:]) == nil)
    }

    @Test func publishersAreCountedUpToTheArticlesRead() throws {
        let articles = (0..<15).map { Samples.article("a\($0)", source: "Paper \($0)") }
        let many = try #require(Samples.story(articles: articles))
        #expect(Signal(of: many).json["why"]?[2] == "It shows over months; at least 10 publishers tell it")
        let one = try #require(Samples.story())
        #expect(Signal(of: one).json["why"]?[2] == "It shows over months; one publisher tells it so far: Wire")
    }
}
