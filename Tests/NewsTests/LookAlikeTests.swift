import Basics
import Foundation
import JSON
import Testing

@testable import News

/// Days of invented headlines that are alike in wording: results, recalls, layoffs, deals and notes of many companies.
///
/// The rules were tuned on `development.jsonl`. `held-out.jsonl` has other companies, wordings and days.
@Suite struct LookAlikeTests {
    struct Headline {
        var article: StoryArticle
        var day: String
        var label: String
        var companies: [String]
    }

    static func headlines(_ name: String) throws -> [Headline] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("LookAlikes/\(name).jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").enumerated().map { place, line in
            let value = try JSON(parsing: String(line))
            let article = StoryArticle(
                id: try #require(value["id"]?.string), title: try #require(value["title"]?.string), url: "",
                source: value["source"]?.string ?? "", publishedAt: Int64(place))
            return Headline(
                article: article, day: String(try #require(value["published_at"]?.string).prefix(10)),
                label: try #require(value["story"]?.string),
                companies: value["companies"]?.array?.compactMap(\.string) ?? [])
        }
    }

    private static func agreement(_ headlines: [Headline]) -> PairAgreement {
        PairAgreement(
            Dictionary(grouping: headlines, by: \.day).values.flatMap { day in
                var grouper = StoryGrouper()
                for headline in day { grouper.add([headline.article]) }
                return day.map { (grouper.story(of: $0.article.id)?.text ?? "", $0.label) }
            })
    }

    /// Without the rules for subjects the precision of pairs was 0.05 and 0.06 on the two halves of the first file.
    @Test(arguments: [("development", 0.93), ("held-out", 0.88), ("sectors", 0.97)])
    func storiesOfDifferentCompaniesStayApartAndOneEventsHeadlinesComeTogether(name: String, precision: Double) throws {
        let agreement = Self.agreement(try Self.headlines(name))
        #expect(agreement.precision >= precision)
        #expect(agreement.recall >= 0.95)
    }

    /// One event told by several publishers in their own words, and the same in German, French and Spanish. Before the
    /// glossaries the precision of pairs in the other languages was 0.17, and 56 of 100 companies were recognised.
    @Test(arguments: [
        ("publishers", 0.95, 0.95, 0.95), ("languages", 0.92, 0.93, 0.95), ("names", 0.7, 0.95, 0),
        // Everyday words that are names by their trade, and one company under two names.
        ("trades", 1, 0.95, 0.95),
        // Words that are a company's name in one headline and plain words in others. Before, precision was 0.43, and 0.84
        // on the second file, whose headlines the rules were not written with.
        ("words", 0.8, 0.95, 0.95), ("words-held-out", 0.95, 0.95, 0),
        // One company's several events of a day, told in other words. Before, precision was 0.19 and 0.29; the rules were
        // not written with the second file.
        ("events", 0.95, 0.95, 0.95), ("events-held-out", 0.95, 0.88, 0.88),
        // Central banks, institutions and companies under several names, beside headlines that share a word with them.
        // Before, pairs were 0.70, 0.53, and 0.55, 0.38 in the second file, which the rules were not written with.
        ("actors", 0.98, 0.95, 0), ("actors-held-out", 0.95, 0.9, 0),
        // Everyday names before verbs of business and elsewhere, each headline on a day of its own. Before, 17 of 43 and 18
        // of 30 companies were recognised; the rules were not written with the second file.
        ("verbs", 1, 1, 0.95), ("verbs-held-out", 1, 1, 0.9),
        // A day of decisions on rates, and of the markets that wait for them.
        ("markets", 0.95, 0.9, 0),
        // Five days of prices, jobs, sales and growth of several countries, some of which a headline does not name.
        ("figures", 1, 0.95, 0),
        // Inflation of thirty countries, markets, currencies and central banks, each on a day. Before, precision was 0.003.
        ("economies", 0.98, 0.75, 0),
    ])
    func reportsInOtherWordsAndLanguagesComeTogether(
        name: String, precision: Double, recall: Double, recognised: Double
    ) throws {
        let headlines = try Self.headlines(name)
        let agreement = Self.agreement(headlines)
        #expect(agreement.precision >= precision && agreement.recall >= recall, "\(agreement)")
        let named = headlines.filter { !$0.companies.isEmpty }
        let right = named.count { headline in
            let found = TickerRecognizer().tickers(in: headline.article.title).map(\.text)
            return headline.companies.contains(where: found.contains)
        }
        #expect(Double(right) >= recognised * Double(named.count), "\(right) of \(named.count)")
    }

    @Test(arguments: [
        "development", "held-out", "sectors", "publishers", "languages", "names", "markets", "figures", "economies",
        "trades", "words", "words-held-out", "events", "events-held-out", "actors", "actors-held-out",
        "verbs", "verbs-held-out",
    ])
    func noHeadlineOfAReadLanguageCountsAsUnread(name: String) throws {
        let unread = try Self.headlines(name).map(\.article.title).filter(HeadlineWords.isUnread)
        #expect(unread == [])
    }

    @Test(arguments: [
        ("Apple übertrifft mit Quartalszahlen die Erwartungen", ["AAPL"], EventKind.earnings),
        ("Le bénéfice trimestriel d'Apple bat le consensus", ["AAPL"], .earnings),
        ("Apple gana más de lo esperado en su trimestre fiscal", ["AAPL"], .earnings),
        ("Tesla ruft 1,8 Millionen Fahrzeuge wegen der Motorhaube zurück", ["TSLA"], .recall),
        ("Ford baut in Europa 4000 Stellen ab", ["F"], .layoffs),
        ("Meta écope d'une amende de 798 millions d'euros", ["META"], .court),
        ("Michelin ferme deux usines en France", ["MGDDY"], .closure),
        ("UBS stuft Tesla auf Verkaufen ab", ["TSLA"], .note),
        ("Pfizer to cut more than 13,000 jobs", ["PFE"], .layoffs),
        ("Nvidia target raised to $150 at Goldman", ["NVDA"], .note),
    ])
    func aHeadlineOfFourLanguagesTellsItsCompanyAndEvent(title: String, companies: [String], event: EventKind) {
        let reading = HeadlineReading(title: title)
        #expect(reading.companies.map(\.ticker.text) == companies)
        #expect(reading.events.contains(event))
    }

    @Test(arguments: [
        ("Netflix : hausse des prix de tous les abonnements", false), ("Disney annonce une hausse de ses prix", false),
        ("Carrefour boycotte PepsiCo pour cause de hausse des prix", false),
        ("France : la hausse des prix tombe à 1,2% sur un an", true),
        ("La hausse des prix ralentit encore en mai", true),
        ("Zone euro : hausse des prix de 2,1% en mai sur un an", true), ("La hausse des prix en Allemagne", true),
    ])
    func dearerGoodsOfACompanyAreNoInflation(title: String, isInflation: Bool) {
        let reading = HeadlineReading(
            StoryArticle(id: "a", title: title, url: "", source: "", publishedAt: 0), recognizer: TickerRecognizer())
        #expect(reading.events.contains(.inflation) == isInflation, "\(reading.events)")
        #expect(reading.events.contains(.pricing) != isInflation, "\(reading.events)")
    }

    @Test func dearerGoodsOfTwoCompaniesAreTwoStories() {
        var grouper = StoryGrouper()
        grouper.add(
            [
                "Netflix : hausse des prix de tous les abonnements", "Disney : hausse des prix de tous les abonnements",
                "Spotify : hausse des prix de tous les abonnements",
            ].enumerated().map { place, title in
                StoryArticle(
                    id: "\(place)", title: title, url: "u\(place)", source: "Journal \(place)",
                    publishedAt: Int64(place) * 60_000)
            })
        #expect(grouper.stories.count == 3)
    }

    /// Words that other languages share with English show no other language.
    @Test(arguments: [
        ("Die Hard returns to cinemas on Sunday", Language.english), ("Sale of the century at Macy's", .english),
        ("Siemens will bis zu 5000 Arbeitsplätze abbauen", .german), ("La BCE baisse ses taux", .french),
        ("El BCE baja los tipos", .spanish),
    ])
    func theLanguageOfAHeadlineIsKnown(title: String, language: Language) {
        #expect(HeadlineWords.of(title).language == language)
    }

    /// Of companies that no list knows: the capital of a first word shows no name, one behind "at" or "from" does.
    @Test(arguments: [
        ["Leadership change at Telmark as CEO departs", "Leadership change at Garrick as CEO departs"],
        ["Shoppers face higher prices at Halden", "Shoppers face higher prices at Brenvara"],
        ["Airline orders 60 planes from Norvane", "Airline orders 60 planes from Embraer"],
        ["Thousands of customer records stolen from Telmark", "Thousands of customer records stolen from Halden"],
    ])
    func aNameBehindAPrepositionKeepsHeadlinesApart(titles: [String]) {
        var grouper = StoryGrouper()
        grouper.add(
            titles.enumerated().map { place, title in
                StoryArticle(id: "\(place)", title: title, url: "", source: "", publishedAt: Int64(place))
            })
        #expect(grouper.story(of: "0") != grouper.story(of: "1"))
    }

    /// A word that names a company in one headline and nothing in the other.
    @Test(arguments: [
        ["Gap adds 60 stores in Canada", "Gap in pay between men and women widens"],
        ["Carnival raises its forecast", "Carnival opens in Rio"],
        ["CrowdStrike crash grounds flights", "Crash on M25 leaves two hurt"],
        ["Visa raises outlook", "Visa rules for students change"],
        ["Target misses estimates", "Target of 2% inflation missed"],
        ["Shell profit falls", "Shell found on beach"],
        ["Oracle outage delays payrolls", "Outage of street lights in Leeds annoys drivers"],
    ])
    func aPlainWordJoinsNothingToACompany(titles: [String]) {
        for order in [titles, titles.reversed()] {
            var grouper = StoryGrouper()
            grouper.add(
                order.enumerated().map { place, title in
                    StoryArticle(id: "\(place)", title: title, url: "", source: "", publishedAt: Int64(place))
                })
            #expect(grouper.story(of: "0") != grouper.story(of: "1"), "\(order)")
        }
    }

    @Test(arguments: [
        ("Target is laying off staff, memo shows", ["TGT"]), ("Shell investigates theft of customer records", ["SHEL"]),
        ("Delta and union reach deal to end strike", ["DAL"]), ("Gap in pay between men and women widens", []),
        ("Meta in talks to buy chip designer", ["META"]),
    ])
    func anEverydayNameIsKnownByWhatItsCompanyDoes(title: String, companies: [String]) {
        #expect(TickerRecognizer().tickers(in: title).map(\.text) == companies)
    }

    @Test func sixteenHeadlinesOfSixteenCompaniesAreSixteenStories() {
        let headlines = [
            ("Apple tops fourth-quarter earnings estimates", "AAPL"),
            ("Microsoft beats quarterly estimates as cloud grows", "MSFT"),
            ("Nvidia beats quarterly estimates", "NVDA"),
            ("Tesla misses quarterly estimates", "TSLA"), ("Boeing loses more than expected", "BA"),
            ("Intel loses money in fourth quarter", "INTC"), ("Ford recalls 90,000 vehicles", "F"),
            ("Toyota recalls 120,000 vehicles", "TM"), ("Walmart raises full-year forecast", "WMT"),
            ("Target cuts full-year forecast", "TGT"), ("Netflix price target raised at Goldman Sachs", "NFLX"),
            ("Disney names new CEO", "DIS"), ("Starbucks names new CEO", "SBUX"), ("Meta to cut 3,600 jobs", "META"),
            ("UPS to cut 20,000 jobs", "UPS"), ("Goldman Sachs profit beats estimates", "GS"),
        ]
        var grouper = StoryGrouper()
        grouper.add(
            headlines.enumerated().map {
                StoryArticle(
                    id: "h\($0)", title: $1.0, url: "", source: "Paper \($0)", publishedAt: Int64($0))
            })
        let stories = grouper.stories
        #expect(stories.count == 16)
        #expect(stories.map { StoryProfile(of: $0).subjects.map(\.text) } == headlines.map { [$0.1] })
    }

    @Test(arguments: [
        (["Microsoft to buy Activision for $69 billion", "Activision agrees to $69 billion Microsoft takeover"], 1),
        (["Apple sues Samsung over patents", "Samsung taken to court by Apple over patents"], 1),
        (["Apple beats quarterly estimates", "Apple recalls 12,000 chargers"], 2),
        (["Apple beats quarterly estimates", "Apple upgraded to buy at Citi"], 2),
        (["Citi upgrades Apple to buy", "Apple upgraded to buy by Citigroup"], 1),
        (["Apple upgraded to buy at Citi", "Apple upgraded to buy at Barclays"], 2),
        (["Zentrix beats quarterly estimates", "Orvano beats quarterly estimates"], 2),
        (["Ford, Toyota recall thousands of vehicles", "Toyota recalls 120,000 vehicles"], 2),
        (["Fed raises rates by a quarter point", "Bank of England raises rates by a quarter point"], 2),
        // A name that is an ordinary word is no name.
        (["Shell warns of weaker trading in gas unit", "Shell of abandoned mall to become apartments"], 2),
        (["Delta sues CrowdStrike over outage", "Delta variant studies shape new vaccine plans"], 2),
        (["Apple ordered to pay Masimo $250 million", "Apple growers in Washington face smaller harvest"], 2),
        (["Amazon to lay off 900 workers in podcast unit", "Amazon rainforest fires rise to decade high"], 2),
        // Names that begin alike are different companies, known or not.
        (["Southwest Airlines to cut 1,500 jobs", "Southwest Gas to cut 1,500 jobs"], 2),
        (["Pacific Orchid Foods raises outlook", "Pacific Orchid Shipping raises outlook"], 2),
        (["Dick's Sporting Goods raises outlook", "Dick's Sporting raises outlook after strong quarter"], 1),
        // A company's results are no news of the country it names.
        (["Nike profit slides as China sales weaken", "China's economy grows 4.6% in third quarter"], 2),
        (["Bank of Canada cuts key rate by half a point", "Canadian employment rises by 47,000"], 2),
        (["German inflation rises to 2.4%", "German shares reach record, DAX crosses 20,000"], 2),
        // One event in different words.
        (["Gold hits record above $2,750", "Bullion climbs to all-time high above $2,750"], 1),
        (["Bank of America profit falls on higher provisions", "BofA profit drops as interest income shrinks"], 1),
        (["DAX hits record high as autos gain", "German shares reach record, DAX crosses 20,000"], 1),
        (["RBA keeps cash rate on hold", "Australia's central bank leaves rates unchanged"], 1),
        // Notes and opinions are no news of the company.
        (["Morgan Stanley downgrades Intel to underweight", "Intel cut to underweight at Morgan Stanley"], 1),
        (
            [
                "Apple beats quarterly estimates on iPhone sales",
                "Analysts raise Apple price targets after iPhone beat",
            ], 2
        ),
        (["Apple beats quarterly estimates on iPhone sales", "Is Apple stock a buy after iPhone beat?"], 2),
        (["Coca-Cola tops quarterly estimates", "Coca-Cola rating kept at neutral by Specimen Research"], 2),
        (["Nvidia unveils new data center chip", "Analysts see upside for Nvidia after new data center chip"], 2),
        // What one buyer or seller does with two companies, and what a market does to one.
        (["Berkshire sells more Bank of America shares", "Berkshire Hathaway buys into Ulta"], 2),
        (["Crude surges as conflict threatens supply", "Exxon tops profit estimates despite lower crude"], 2),
        (["Fed cuts rates by half a point", "Fed, OCC fine Citigroup for failing to fix risk systems"], 2),
        // One subject and event in words of which none is the same.
        (
            ["GM raises annual profit guidance", "General Motors lifts full-year earnings forecast after truck sales"],
            1
        ),
        (["Apple dépasse les attentes grâce aux ventes d'iPhone", "LVMH déçoit avec un recul des ventes"], 2),
        // One company's different events.
        (["Meta to cut 5% of workforce", "Meta warns of sharply higher AI spending next year"], 2),
        (["Microsoft tops quarterly estimates", "Microsoft Teams and Outlook down for thousands of users"], 2),
        (["UPS profit beats estimates on cost cuts", "UPS buys Harbour Cold Freight for $1.9 billion"], 2),
        (["Tesla falls short of estimates as quarterly sales fall 3%", "Tesla opens a plant near Austin"], 2),
        (["Disney plans a park in Osaka", "Disney and YouTube TV end blackout"], 2),
        (["Microsoft opens data centre near Madrid", "Microsoft to build a plant in Ohio"], 2),
        (["Osaka to get a Disney resort", "Disney plans a park in Osaka"], 1),
        // An advertisement is no news.
        (["Amazon deals: 40 best gadgets under $50", "Amazon beats quarterly estimates"], 2),
        (["Save 30% on Apple AirPods", "Apple unveils AirPods"], 2),
        (["Bitcoin falls below $60,000", "BTC slides below $60,000"], 1),
        (["Bitcoin falls below $60,000", "Ethereum falls below $3,000"], 2),
        (["US inflation slows to 3.1%", "UK inflation slows to 3.1%"], 2),
        // Jobs and first claims are counted apart.
        (["US payrolls rise by 150,000 in October", "US jobless claims rise to 220,000"], 2),
        (["US jobless claims fall to 212,000", "US jobless claims drop to 212,000, fewest in a year"], 1),
        // A country that only one headline names.
        (["US inflation slows to 2.4% in October", "Inflation slows to 2.4% in October"], 1),
        (["US inflation slows to 2.4%", "Inflation rises to 3.9%"], 2),
        (["Inflation rises to 3.9%", "US inflation cools"], 2),
        (["Employers add 142,000 jobs as pay rises", "US economy adds 142,000 jobs, unemployment at 4.2%"], 1),
    ]) func subjectsAndEventsDecide(titles: [String], stories: Int) {
        var grouper = StoryGrouper()
        grouper.add(
            titles.enumerated().map {
                StoryArticle(id: "s\($0)", title: $1, url: "", source: "Paper \($0)", publishedAt: Int64($0))
            })
        #expect(grouper.stories.count == stories)
    }

    @Test(arguments: [
        ("Ford, Toyota recall thousands of vehicles", ["F", "TM"], HeadlineReading.Form.list),
        ("Stocks to watch: Apple, Target and Visa", ["AAPL", "TGT", "V"], .list),
        ("Netflix price target raised at Goldman Sachs", ["NFLX"], .note("goldman sachs")),
        ("Goldman Sachs cuts Best Buy price target", ["BBY"], .note("goldman sachs")),
        ("Goldman Sachs profit beats estimates", ["GS"], .event),
        ("Bank of America cuts Ford to underperform", ["F"], .note("bank of america")),
        ("Intel cut to underweight at Morgan Stanley", ["INTC"], .note("morgan stanley")),
        ("Starbucks names former Unilever executive as finance chief", ["SBUX"], .event),
        ("Lawsuit accuses Target of overcharging", ["TGT"], .event),
    ]) func aHeadlineTellsItsFormAndItsCompanies(title: String, companies: [String], form: HeadlineReading.Form) {
        let reading = HeadlineReading(title: title)
        #expect(reading.companies.map(\.ticker.text) == companies)
        #expect(reading.form == form)
    }

    @Test func pairsAreCounted() {
        // Groups {a, a, b} and {b}: one right pair of three grouped and of two labelled.
        let agreement = PairAgreement([("1", "a"), ("1", "a"), ("1", "b"), ("2", "b")])
        #expect(abs(agreement.precision - 1 / 3) < 1e-9)
        #expect(agreement.recall == 0.5)
        #expect(PairAgreement([]).precision == 1)
    }
}
