import Basics
import Testing

@testable import News

/// Made-up headlines of three stories.
let day: [StoryArticle] = [
    "Acme Rockets recalls 2,000 boosters after Nevada explosion", "Quorvia bank fined over Lisbon money laundering",
    "Nevada explosion: Acme Rockets boosters recalled", "Glacier Foods to buy Tundra Snacks for $3 billion",
    "Lisbon regulators fine Quorvia in laundering case", "Acme Rockets explosion in Nevada prompts booster recall",
    "Tundra Snacks agrees to Glacier Foods takeover", "Quorvia laundering fine shakes Lisbon",
    "Glacier Foods seals Tundra Snacks deal",
].enumerated().map { place, title in
    StoryArticle(
        id: "a\(place)", title: title, url: "https://example.com/\(place)", source: "Paper \(place)",
        publishedAt: Int64(place) * 60_000)
}

@Suite struct GroupingTests {
    func groups(_ grouper: StoryGrouper) -> [String: String] {
        Dictionary(uniqueKeysWithValues: day.map { ($0.id, grouper.story(of: $0.id)?.text ?? "none") })
    }

    @Test func headlinesOfOneStoryComeTogether() {
        var grouper = StoryGrouper()
        grouper.add(day)
        #expect(
            grouper.stories.map { $0.members.map(\.article.id) } == [
                ["a0", "a2", "a5"], ["a1", "a4", "a7"], ["a3", "a6", "a8"],
            ])
        #expect(grouper.stories.map(\.id.text) == ["a0", "a1", "a3"])
    }

    @Test(arguments: [1, 2, 4, 9]) func batchesOfAnySizeGiveTheSameGroups(size: Int) {
        var whole = StoryGrouper()
        whole.add(day)
        var parts = StoryGrouper()
        for start in stride(from: 0, to: day.count, by: size) {
            parts.add(Array(day[start..<min(start + size, day.count)]))
        }
        #expect(parts.stories == whole.stories)
    }

    @Test func theOrderOfABatchAndOfEqualTimesChangesNothing() {
        let sameTime = day.map { article in
            var article = article
            article.publishedAt = 0
            return article
        }
        var forwards = StoryGrouper()
        forwards.add(sameTime)
        var backwards = StoryGrouper()
        backwards.add(sameTime.reversed())
        #expect(forwards.stories == backwards.stories)
    }

    @Test func anArticleKeepsItsGroupExceptByAMerge() {
        var grouper = StoryGrouper()
        var home: [String: StoryID] = [:]
        for article in day {
            for change in grouper.add([article]) {
                switch change {
                case .began(let story, let id), .joined(let story, let id): home[id] = story
                case .merged(let lost, let kept):
                    for (id, story) in home where story == lost { home[id] = kept }
                }
            }
            for (id, story) in home { #expect(grouper.story(of: id) == story) }
        }
    }

    @Test func aMergeKeepsTheEarlierName() {
        var rules = GroupingRules()
        rules.join = 0.9
        rules.adopt = 0.4
        var grouper = StoryGrouper(rules: rules)
        let titles = ["Zyxal Qorbin", "Zyxal Qorbin Vantor Heluk"]
        let changes = grouper.add(
            titles.enumerated().map {
                StoryArticle(id: "m\($0)", title: $1, url: "", source: "", publishedAt: Int64($0))
            })
        #expect(
            changes == [
                .began(StoryID("m0"), article: "m0"), .began(StoryID("m1"), article: "m1"),
                .merged(StoryID("m1"), into: StoryID("m0")),
            ])
        #expect(grouper.stories.map(\.absorbed) == [[StoryID("m1")]])
    }

    @Test(arguments: [(1.0, ["o0", "o0", "o0"]), (0.1, ["o0", "o1", "o0"])])
    func oneSharedWordCountsForLess(oneWord: Double, expected: [String]) {
        var rules = GroupingRules()
        rules.oneWord = oneWord
        rules.adopt = 0.9
        var grouper = StoryGrouper(rules: rules)
        let titles = ["Zyxal Qorbin reviewed", "Vantor dealers queue for Zyxal", "Zyxal Qorbin: a second review"]
        grouper.add(
            titles.enumerated().map {
                StoryArticle(id: "o\($0)", title: $1, url: "", source: "", publishedAt: Int64($0))
            })
        #expect(titles.indices.map { grouper.story(of: "o\($0)")?.text } == expected)
    }

    @Test func anEarlyWordWeighsMoreThanALateOne() throws {
        let terms = TermReader(rules: GroupingRules()).terms(
            of: StoryArticle(
                id: "", title: "Quorvia fined over the Lisbon laundering of Tundra Glacier funds by Vantor",
                description: "Heluk",
                url: "", source: "", publishedAt: 0))
        let weights = Dictionary(uniqueKeysWithValues: terms.map { ($0.text, $0.weight) })
        let (first, later) = (try #require(weights["quorvia"]), try #require(weights["lisbon"]))
        #expect(first > later)
        #expect(try #require(weights["vantor"]) == 1)
        #expect(try #require(weights["heluk"]) < 1)
    }

    /// Measured in optimised builds by `StoryMeasure`; this test only distinguishes a slow day from a day that never
    /// ends.
    @Test(.timeLimit(.minutes(1))) func aDayOfManyArticlesIsGroupedOneByOne() {
        var grouper = StoryGrouper()
        for number in 0..<1500 {
            // A hundred stories of fifteen articles each, in turn: three names of the story and a word of its own.
            let story = number % 100
            grouper.add([
                StoryArticle(
                    id: "\(number)",
                    title: "Acme\(story)x Corp\(story)y hits Nevada\(story)z dealer\(number)q",
                    url: "", source: "", publishedAt: Int64(number))
            ])
        }
        #expect(grouper.stories.count == 100)
        #expect(grouper.stories.allSatisfy { $0.members.count == 15 && $0.absorbed.isEmpty })
    }

    @Test func aKnownArticleChangesNothing() {
        var grouper = StoryGrouper()
        grouper.add(day)
        #expect(grouper.add([day[3]]).isEmpty)
    }

    @Test func aTitleWithoutWordsIsAStoryOfItsOwn() {
        var grouper = StoryGrouper()
        let blanks = ["", "…", "the of and"].enumerated().map {
            StoryArticle(id: "b\($0)", title: $1, url: "", source: "", publishedAt: 0)
        }
        grouper.add(blanks)
        #expect(grouper.stories.count == 3)
    }

    @Test func embeddingsJoinTitlesThatShareNoWord() throws {
        let near = try #require(DenseVector([1, 0.1, 0]))
        let alike = try #require(DenseVector([1, 0.12, 0]))
        let far = try #require(DenseVector([0, 0, 1]))
        var rules = GroupingRules()
        rules.join = 0.17
        var grouper = StoryGrouper(rules: rules)
        let titles = ["Quorvia fined", "Penalty hits Lisbon lender", "Elephants dance"]
        grouper.add(
            titles.enumerated().map {
                StoryArticle(id: "\($0)", title: $1, url: "", source: "", publishedAt: Int64($0))
            }, embeddings: ["0": near, "1": alike, "2": far])
        #expect(grouper.story(of: "1") == StoryID("0"))
        #expect(grouper.story(of: "2") == StoryID("2"))
    }

    @Test(arguments: [
        ("Fed holds rates - Reuters", "Reuters", "Fed holds rates"),
        ("UPDATE 7-Oil sinks on weak data", "Agency", "Oil sinks on weak data"),
        ("Banana merger | The Daily Fruit", "Daily Fruit", "Banana merger"),
        ("A long way - and back", "Agency", "A long way - and back"),
        ("Bank holds rates (video)", "Agency", "Bank holds rates "),
        ("Profit at Apple (AAPL)", "Agency", "Profit at Apple (AAPL)"),
    ]) func thePublishersAdditionsAreRemoved(title: String, source: String, expected: String) {
        #expect(HeadlineCleaner.clean(title, source: source) == expected)
    }

    @Test(arguments: [
        ("\u{200F}Cor\u{AD}al\u{200B} Bank holds\u{202A} rates\u{202C}", "Coral Bank holds rates"),
        ("\u{2067}\u{FEFF}Rates held\u{2069}", "Rates held"), ("Coral\u{200D}Bank\u{200C}", "CoralBank"),
        (
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}",
            "\u{645}\u{6CC}\u{200C}\u{62E}\u{648}\u{627}\u{647}\u{645}"
        ),
        ("\u{915}\u{94D}\u{200D}\u{937}", "\u{915}\u{94D}\u{200D}\u{937}"),
        ("Shop \u{1F468}\u{200D}\u{1F33E} opens", "Shop \u{1F468}\u{200D}\u{1F33E} opens"),
    ]) func invisibleMarksAreRemovedAndTheJoinersOfAWordStay(title: String, expected: String) {
        let cleaned = HeadlineCleaner.clean(title, source: "Agency")
        #expect(Array(cleaned.utf8) == Array(expected.utf8))
    }

    @Test(arguments: [
        ("recalls", "recall"), ("recalled", "recall"), ("recalling", "recall"), ("companies", "company"),
        ("stopped", "stop"), ("prices", "pric"), ("price", "pric"), ("gas", "gas"), ("bus", "bus"),
    ]) func endingsAreRemoved(word: String, stem: String) {
        #expect(Stemmer.stem(word) == stem)
    }
}
