import Articles
import HTTP
import JSON
import Testing

@testable import Simulator

/// What a newcomer sees: a day of news, companies with prices, and texts that fit them.
@Suite struct SensibleTests {
    @Test func theDayHasAHundredArticlesOnThirtyCompaniesThatSayTheyAreSimulated() {
        let day = SimulatedStory.all
        #expect(day.count >= 100 && Set(day.flatMap(\.tickers)).count >= 30)
        #expect(day.allSatisfy { $0.title.hasSuffix("(simulated)") && !$0.paragraphs.isEmpty && $0.minutesAgo < 1440 })
        #expect(Set(day.map(\.slug)).count == day.count)
    }

    @Test func aQuestionOnTheWholeIsAnsweredByTheBeginningOfTheArticle() {
        func evidence(_ question: String, _ text: String) -> String? {
            let user =
                "What stands below is data (article).\n<A>\n\(text)\n</A>\nIt is data (question).\n<Q>\n\(question)\n</Q>"
            return Evidence(for: question, in: Material(instructions: "", texts: [user]))?.sentence
        }
        let text =
            "The bank left its rate unchanged. The vote was nine to one. This article is simulated. Dossier's simulator made it up."
        #expect(evidence("What happened?", text) == "The bank left its rate unchanged.")
        #expect(evidence("How was the vote?", text) == "The vote was nine to one.")
        #expect(evidence("Who made it up?", text)?.contains("made it up") != true)
    }

    @Test(arguments: [
        ("Should I buy Apple stock now?", true), ("Soll ich Apple kaufen?", true), ("What is a share?", false),
        ("Why do people hold bonds?", false), ("Is Exxon worth buying?", true), ("Is Nvidia a buy?", true),
        ("Is it a good time to sell?", true), ("What is a holding company?", false),
        ("Should I invest?", true), ("Soll ich jetzt Geld anlegen?", true), ("¿Debo invertir?", true),
    ]) func questionsForAdviceAreKnown(_ question: String, _ isForAdvice: Bool) {
        #expect(AdviceQuestion.matches(question) == isForAdvice)
    }

    @Test func aQuestionForAdviceGetsWhatIsKnownOfTheCompanyAndNoLessonOnBuying() throws {
        let user =
            "It is data (title).\n<A>\nValue investing\n</A>\nIt is data (p1).\n<B>\nValue investing means buying a part "
            + "of a business and waiting.\n</B>\nIt is data (title).\n<C>\nHarlow's quarter\n</C>\nIt is data (p2).\n<D>\n"
            + "What drove the quarter of Harlow. The revenue rose to $4.2 billion.\n</D>\nIt is data (question).\n<Q>\nShould I buy Harlow?\n</Q>"
        let answer = try Self.answer(
            user,
            [
                "known": ["type": "boolean", "description": "whether the passages answer the question"],
                "answer": ["type": "string", "description": "one to three short paragraphs"],
                "citations": [
                    "type": "array",
                    "items": ["type": "string", "description": "the id of a passage that the answer rests on"],
                ],
            ])
        let text = answer["answer"]?.string ?? ""
        #expect(text.contains("no advice") && text.contains("rose to $4.2 billion") && text.contains("what it owes"))
        #expect(!text.contains("buying") && answer["known"] == true && answer["citations"] == ["p2"], "\(answer)")
    }

    private static func answer(_ user: String, _ properties: JSON) throws -> JSON {
        var call = SimulatedCall(model: "m", maxTokens: 2000)
        call.turns = [SimulatedCall.Turn(isFromUser: true, parts: [.text(user)])]
        call.schema = [
            "type": "object", "properties": properties,
            "required": .array(properties.object?.keys.map { JSON($0) } ?? []),
        ]
        call.digest = String(repeating: "0", count: 64)
        return try JSON(parsing: ReplyComposer(call).reply(Reply.Usage(input: 0)).text)
    }

    @Test(arguments: [1, 2, 3, 7]) func aSummaryRepeatsTheArticleAndSaysNothingElse(sentences: Int) throws {
        let article = [
            "A small fault stopped the trains of the northern line for an hour.", "The operator replaced a worn cable.",
            "Two stations opened later than usual.", "Nobody was hurt.", "The line runs again.",
            "A report on the cable is due in spring.", "The city pays for half of the repair.",
        ].prefix(sentences)
        let user =
            "What stands below is data (title).\n<A>\nNorthern line stopped for an hour\n</A>\nIt is data (article).\n<B>\n"
            + article.joined(separator: " ") + "\n</B>"
        let summary: JSON = [
            "type": "array", "description": "two or three paragraphs of two to four sentences",
            "items": ["type": "string", "description": "two or three paragraphs of two to four sentences"],
        ]
        let answer = try Self.answer(user, ["paragraphs": summary])
        let paragraphs = try #require(answer["paragraphs"]?.array).compactMap(\.string)
        #expect((2...3).contains(paragraphs.count))
        var rest = paragraphs.joined(separator: " ")
        for own in article + ["This prose is simulated: no language model wrote it."] { rest.replace(own, with: "") }
        rest.replace("The headline of the article is “Northern line stopped for an hour”.", with: "")
        #expect(rest.allSatisfy { $0 == " " }, "\(paragraphs)")
    }

    @Test func whatIsNotKnownIsSaidInTheLanguageThatIsAskedFor() throws {
        let properties: JSON = [
            "known": ["type": "boolean", "description": "whether the passages answer the question"],
            "answer": ["type": "string", "description": "one to three short paragraphs"],
        ]
        func ask(_ question: String) throws -> String {
            let user =
                "What stands below is data (p1).\n<A>\nA bond pays interest each year.\n</A>\nIt is data (question).\n"
                + "<Q>\n\(question)\n</Q>\nWrite the answer in German, whatever language the material is in."
            return try Self.answer(user, properties)["answer"]?.string ?? ""
        }
        let unknown = try ask("Was ist ein Burggraben?")
        #expect(unknown.contains("simuliert") && unknown.hasSuffix("dazu nichts."), "\(unknown)")
        let own = try ask("Soll ich Apple kaufen?")
        #expect(own.contains("simuliert") && own.contains("entscheidet jeder selbst"), "\(own)")
    }

    /// The answer to a prompt of two concepts, or of a report's view, in a language.
    private static func foreign(_ language: String, _ properties: JSON) throws -> JSON {
        let user =
            "What stands below is data (text).\n<A>\nA bond pays interest each year. When rates rise, an old bond is worth "
            + "less. A share is a part of a company.\n</A>\nWrite the answer in \(language), whatever language the "
            + "material is in."
        return try answer(user, properties)
    }

    @Test(arguments: [("German", "dauerhafte"), ("Spanish", "duradero"), ("French", "durable")])
    func whatToWatchForIsInTheLanguageThatIsAskedFor(language: String, word: String) throws {
        let view: JSON = [
            "type": "array",
            "items": [
                "type": "object",
                "properties": [
                    "text": ["type": "string", "description": "the observation in words"],
                    "threshold": ["type": "string", "description": "a number to watch for"],
                ], "required": ["text", "threshold"],
            ],
        ]
        let report = try Self.foreign(language, ["what_would_change_the_view": view])
        let observations = try #require(report["what_would_change_the_view"]?.array)
        #expect(!observations.isEmpty)
        for observation in observations { #expect(observation["threshold"]?.string?.contains(word) == true) }
    }

    @Test(arguments: ["German", "Spanish", "French"])
    func theAnswerOfAQuestionIsOneOfItsOptionsInTheLanguageThatIsAskedFor(language: String) throws {
        let question: JSON = [
            "type": "object",
            "properties": [
                "type": ["type": "string", "enum": ["open", "mcq"]],
                "question": ["type": "string", "description": "one question"],
                "answer": [
                    "type": "string",
                    "description": "the right answer; of an mcq one of its options, copied word for word",
                ],
                "options": [
                    "type": "array", "description": "only for an mcq, four options", "items": ["type": "string"],
                ],
                "quote": ["type": "string", "description": "the passage of the text, copied word for word"],
            ], "required": ["type", "question", "answer", "quote"],
        ]
        let answer = try Self.foreign(
            language, ["questions": ["type": "array", "description": "three to five questions", "items": question]])
        let questions = try #require(answer["questions"]?.array)
        for question in questions {
            let text = question["answer"]?.string ?? ""
            #expect(!text.contains("bond") && !text.contains("share"), "\(text)")
            let options = question["options"]?.array ?? []
            #expect(options.isEmpty || options.contains(JSON(text)))
            #expect(Set(options).count == options.count, "\(options)")
        }
        #expect(Set(questions.compactMap { $0["question"]?.string }).count == questions.count)
    }

    @Test(arguments: [
        ("Apple unveils a new phone", true), ("Tesla recalls two million cars", true),
        ("Die EZB senkt den Leitzins", true), ("Is Microsoft a good company?", true),
        ("The cat sat on the mat", false), ("My grandmother bakes an apple pie on Sundays", false),
    ])
    func aShortTextOnACompanyIsWorthKnowing(text: String, isFinancial: Bool) throws {
        let user =
            "The title:\nIt is data (title).\n<T>\n\(text)\n</T>\nPublished by:\nIt is data (source).\n<S>\nUser Input\n</S>\n"
            + "The text:\nIt is data (text).\n<X>\n\(text)\n</X>"
        let answer = try Self.answer(
            user,
            [
                "is_financial": [
                    "type": "boolean", "description": "whether it bears on companies, markets, the economy or money",
                ],
                "importance_score": ["type": "integer", "description": "from 0 to 100"],
            ])
        #expect(answer["is_financial"] == .bool(isFinancial))
        #expect((answer["importance_score"]?.integer ?? 0 >= 40) == isFinancial)
    }

    @Test(arguments: [
        ("www.federalreserve.gov/feeds/press_all.xml", "Simulated Central Bank"),
        ("www.ecb.europa.eu/rss/press.html", "Simulated European Central Bank"),
    ]) func theFeedOfAnOfficeHasItsStatementsAlone(address: String, publisher: String) async throws {
        try await Harness.run { harness async throws in
            let url = "\(harness.url)/web/mirror/\(address)"
            let response = try await harness.client.send(HTTPRequest(.get, url))
            let feed = try FeedReader.read(response.body, url: url)
            #expect(feed.items.count == 1 && feed.items.first?.publisher == publisher)
        }
    }

    @Test func aFeedInThePlaceOfARealOneHasTheArticlesOfItsCategory() async throws {
        try await Harness.run { harness async throws in
            let url = "\(harness.url)/web/mirror/feeds.bbci.co.uk/news/health/rss.xml"
            let response = try await harness.client.send(HTTPRequest(.get, url))
            let titles = try FeedReader.read(response.body, url: url).items.compactMap(\.title)
            #expect(Set(titles) == Set(SimulatedStory.all.filter { $0.category == "health" }.map(\.title)))
        }
    }

    @Test(arguments: InventedCompany.all.map(\.ticker)) func anInventedCompanyHasFilingsAndAPrice(ticker: String) throws
    {
        let company = try #require(CompanyFile.all.first { $0.ticker == ticker })
        #expect(company.name.hasSuffix("(simulated)"))
        #expect(company.filings.count { $0.form == "10-K" } == 8 && company.filings.count { $0.form == "10-Q" } == 6)
        let quote = try #require(FMPMarket.records("quote", symbol: ticker, now: 0)?.first)
        #expect(quote["simulated"] == true && (quote["price"]?.double ?? 0) > 0)
        let figures = company.companyFacts["facts"]?["us-gaap"]
        for concept in ["Revenues", "NetIncomeLoss", "Assets", "StockholdersEquity"] {
            #expect(figures?[concept]?["units"]?["USD"]?.array?.isEmpty == false, "\(concept)")
        }
    }

    /// A coin has a quote and no chart.
    @Test(arguments: [("VOO", true), ("AAPL", true), ("BTCUSD", false)])
    func aFundHasAChartAsAShareHas(symbol: String, hasChart: Bool) throws {
        let bars = FMPMarket.prices("historical-price-eod/full", symbol: symbol, (nil, nil), now: 1_764_000_000)
        #expect((bars?.isEmpty == false) == hasChart)
    }

    private static func report(_ reader: String, verdict: String) throws -> JSON {
        let prompt = """
            You read the company as \(reader) would, by the checklist.
            The next block is data (scorecard). It is data.
            <m>
            {"score": 71, "confidence": 90, "verdict": "\(verdict)", "walk_aways": [], "items": [
              {"question": "Does it earn well?", "weight": 60, "score": 9.5, "value": "Median gross margin: 40.4%"},
              {"question": "Is debt low?", "weight": 40, "score": 2, "value": "Debt for each unit of equity: 2.1 times"}]}
            </m>
            The next block is data (facts). It is data.
            <n>
            [price] Share price (simulated): 231.50 USD (fmp)
            [revenue] Revenue: 416,161 million USD (FY2025, 10-K)
            </n>
            """
        var call = SimulatedCall(model: "m", maxTokens: 100_000)
        call.turns = [SimulatedCall.Turn(isFromUser: true, parts: [.text(prompt)])]
        call.schema = Sample.schema
        call.digest = String(repeating: "1", count: 64)
        return try JSON(parsing: ReplyComposer(call).reply(Reply.Usage(input: 0)).text)
    }

    @Test func aReportNamesItsReaderTheVerdictAndWhatDroveIt() throws {
        let fits = try #require(try Self.report("Ann Example", verdict: "fits")["summary"]?.string)
        for part in ["Ann Example", "fits", "71 of 100", "median gross margin", "debt for each unit of equity"] {
            #expect(fits.contains(part), "\(part): \(fits)")
        }
        let other = try #require(try Self.report("Bob Sample", verdict: "does_not_fit")["summary"]?.string)
        #expect(other.contains("Bob Sample") && other.contains("does not fit"))
        let valuation = try #require(try Self.report("Ann Example", verdict: "fits")["valuation"]?.string)
        #expect(valuation.contains("231.50 USD") && valuation.contains("simulated"))
    }

    @Test func wrongOptionsAreSentencesThatTheSourceContradicts() {
        let source = """
            When rates rise, a bond that pays less than new ones do is worth less.
            When rates fall, it is worth more, because its payments are higher. Sales were $12 billion and $15 billion.
            """
        let passage = "When rates rise, a bond that pays less than new ones do is worth less."
        let wrong = Distractors.beside(passage, in: source, .shared)
        #expect(wrong.count >= 3 && Set(wrong).count == wrong.count && !wrong.contains(passage))
        #expect(wrong.first == "When rates fall, a bond that pays less than new ones do is worth less.")
        #expect(wrong.allSatisfy { !source.contains($0) })
    }

    private static func assessment(_ verdict: String, _ items: [JSON]) throws -> Assessment {
        let card: JSON = ["verdict": JSON(verdict), "items": .array(items)]
        let user =
            "It is data (scorecard).\n<A>\n\(card.compact)\n</A>\nMarket facts:\n"
            + "[price] Share price (simulated): 231.50 USD\n[market_cap] Market value: 3,426,200 million USD"
        return try #require(Assessment(Material(instructions: "", texts: [user]), .shared))
    }

    private static let items: [JSON] = [
        ["value": "Yearly revenue growth: 8.7%", "score": 2.6, "weight": 22],
        ["value": "Years with a profit: 100.0%", "score": 10, "weight": 10],
        ["value": "What a retained unit of earnings added: 12.5%", "score": 7, "weight": 5],
    ]

    @Test(arguments: [("does_not_fit", "got better"), ("fits", "did not last")])
    func whatWouldChangeTheViewPointsAwayFromTheVerdict(verdict: String, way: String) throws {
        let assessment = try Self.assessment(verdict, Self.items)
        let changes = (0..<(assessment.count("change") ?? 0)).compactMap {
            assessment.paragraphs("change", at: $0)?.joined().joined()
        }
        #expect(!changes.isEmpty && changes.allSatisfy { $0.contains(way) }, "\(changes)")
    }

    @Test func sentencesOnFiguresAreGrammatical() throws {
        let assessment = try Self.assessment("fits", Self.items)
        let texts = [("summary", nil), ("thesis", nil), ("valuation", nil), ("risk", 1), ("thesis", 0)].compactMap {
            assessment.paragraphs($0, at: $1)?.joined().joined(separator: " ")
        }.joined(separator: "\n")
        #expect(texts.contains("most are the years with a profit (100.0%), which count 10.0 of 10"), "\(texts)")
        #expect(texts.contains("Years with a profit stand at 100.0%"), "\(texts)")
        #expect(texts.contains("leans on what a retained unit of earnings added (12.5%)"), "\(texts)")
        #expect(texts.contains("This point keeps its weight") && texts.contains("3.43 trillion USD"), "\(texts)")
    }
}
