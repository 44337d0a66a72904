import JobQueue
import Testing
import TestSupport

extension ConformanceSuite {
    /// The search in passages and articles.
    package static let searching: [ConformanceCase] = [
        ConformanceCase("a passage is found by any of its terms, and only by users who may read it") { harness in
            let own = passage("mine", owner: 1, terms: "appl margin")
            let other = passage("yours", owner: 2, terms: "appl revenu")
            let common = passage("everybody", terms: "margin safety", kind: .document)
            try await keep([own, other, common], harness)
            func found(_ terms: [String], _ user: UserID) async throws -> Set<String> {
                Set(try await harness.store.passages(holding: terms, for: user, limit: 9).map(\.source))
            }
            #expect(try await found(["appl"], 1) == ["mine"])
            #expect(try await found(["appl", "revenu"], 2) == ["yours"])
            #expect(try await found(["margin", "appl"], 1) == ["mine", "everybody"])
            #expect(try await found(["margin", "appl", "revenu"], 3) == ["everybody"])
            #expect(try await found(["marg", "apple", "é", "*", "\" OR \"appl", "'"], 1) == [])
            #expect(try await found([], 1) == [])
            #expect(
                try await harness.store.passages(holding: ["margin", "appl"], for: 1, limit: 1).map(\.source) == [
                    "mine"
                ])
            #expect(try await harness.store.passages(holding: ["safety"], for: 1, limit: 9) == [common])
        },
        ConformanceCase("a passage that is written again is found by its new terms and keeps its owner") {
            harness in
            try await keep([passage("report", owner: 1, terms: "old")], harness)
            var again = passage("report", owner: 1, terms: "ärger ½ 東京")
            again.text = "New."
            try await keep([again], harness)
            #expect(try await harness.store.passages(holding: ["old"], for: 1, limit: 9).isEmpty)
            for term in ["ärger", "東京"] {
                #expect(try await harness.store.passages(holding: [term], for: 1, limit: 9) == [again], "\(term)")
            }
            try await keep([passage("report", owner: 2, terms: "stolen"), passage("report", terms: "opened")], harness)
            #expect(try await harness.store.passages(holding: ["stolen", "opened"], for: 2, limit: 9).isEmpty)
            #expect(try await harness.store.passages(holding: ["ärger"], for: 1, limit: 9) == [again])
        },
        ConformanceCase("the common passages are replaced as a whole, the others stay") { harness in
            try await keep(
                [passage("mine", owner: 1, terms: "x", kind: .document), passage("news", terms: "x")], harness)
            func pages(_ names: String...) -> [Passage] { names.map { passage($0, terms: "x", kind: .document) } }
            func found() async throws -> Set<String> {
                Set(try await harness.store.passages(holding: ["x"], for: 1, limit: 9).map(\.source))
            }
            try await harness.store.replaceCommonPassages(of: .document, with: pages("a", "b"))
            #expect(try await found() == ["mine", "news", "a", "b"])
            try await harness.store.replaceCommonPassages(of: .document, with: pages("b", "c"))
            try await harness.store.replaceCommonPassages(of: .document, with: pages("b", "c"))
            #expect(try await found() == ["mine", "news", "b", "c"])
            try await harness.store.replaceCommonPassages(of: .document, with: [])
            #expect(try await found() == ["mine", "news"])
        },
        ConformanceCase("articles are found by the words of their titles, descriptions and texts") { harness in
            var first = NewsArticle.sample("a", published: 10, category: "science")
            first.title = "Astronomers measured a Planet's vapour"
            first.description = "An O'Brien story; Größe"
            var second = NewsArticle.sample("b", published: 20)
            second.text = "The planets move.\n\nTelescopes see them."
            var copy = NewsArticle.sample("c", published: 30, duplicateOf: "b")
            copy.text = "The planets move."
            try await harness.keep([.article(first), .article(second), .article(copy)])
            func found(_ words: String..., category: String? = nil) async throws -> [String] {
                let articles = try await harness.store.articles(holding: words, category: category, offset: 0, limit: 9)
                #expect(try await harness.store.articleCount(holding: words, category: category) == articles.count)
                return articles.map(\.id)
            }
            #expect(try await found("planet") == ["b", "a"])
            #expect(try await found("planets", category: "science") == ["a"])
            #expect(try await found("measuring", "vapour") == ["a"])
            #expect(try await found("planet", "telescope") == ["b"])
            #expect(try await found("größe") == ["a"])
            #expect(try await found("planet", "nowhere") == [])
            #expect(try await found("\" OR \"planet", "*", "(") == [])
            #expect(try await found() == [])
            #expect(
                try await harness.store.articles(holding: ["planet"], category: nil, offset: 1, limit: 1).map(\.id) == [
                    "a"
                ])
            let any = try await harness.store.articles(holdingAnyOf: ["telescopes", "vapour", "nowhere"], limit: 9)
            #expect(Set(any.map(\.id)) == ["a", "b"])
            #expect(try await harness.store.articles(holdingAnyOf: ["&", "a:*"], limit: 9).isEmpty)
        },
        ConformanceCase("an article is found by a later text, and not after its deletion") { harness in
            try await harness.keep([.article(.sample("a", fetched: 1)), .article(.sample("b", fetched: 5))])
            var fuller = NewsArticle.sample("a", fetched: 1)
            fuller.text = "Tin is mined here."
            try await harness.keep([.article(fuller), .article(fuller)])
            func found(_ words: String...) async throws -> [String] {
                try await harness.store.articles(holding: words, category: nil, offset: 0, limit: 9).map(\.id)
            }
            #expect(try await found("tin", "title") == ["a"])
            try await harness.keep([.newsRetention(NewsRetention(arrivedBefore: 4, storiesBefore: "", limit: 9))])
            #expect(try await found("tin") == [])
            #expect(try await found("title") == ["b"])
            try await harness.keep([.article(.sample("a", fetched: 9))])
            #expect(try await found("tin") == [])
            #expect(try await found("title") == ["b", "a"])
        },
    ]

    private static func passage(
        _ source: String, owner: UserID? = nil, terms: String, kind: Passage.Kind = .report
    ) -> Passage {
        Passage(
            kind: kind, source: source, part: 0, owner: owner, title: "T",
            url: owner == nil ? nil : "https://a.example",
            text: "Text.", terms: terms, writtenAt: 5)
    }

    private static func keep(_ passages: [Passage], _ harness: StoreHarness) async throws {
        try await harness.keep(passages.map { .passage($0) })
    }
}

extension ConformanceSuite {
    /// Vectors of passages and articles.
    package static let vectors: [ConformanceCase] = [
        ConformanceCase("a passage's vector is found only by users who may read the passage") { harness in
            let passages = [
                passage("mine", "Mine.", owner: 1, at: 7), passage("yours", "Yours.", owner: 2, at: 9),
                passage("page", "Page.", kind: .document, at: 0), passage("story", "Story.", kind: .story, at: 8),
            ]
            try await harness.keep(passages.map { .passage($0) })
            func lacking(_ user: UserID, _ limit: Int = 9) async throws -> [String] {
                let digests = try await harness.store.digestsWithoutVector(of: "m", for: user, among: limit)
                let found = try await harness.store.passages(ofDigests: digests, for: user)
                return digests.compactMap { found[$0]?.source }
            }
            #expect(try await lacking(1) == ["page", "story", "mine"])
            #expect(try await lacking(2) == ["page", "yours", "story"])
            #expect(try await lacking(3) == ["page", "story"])
            #expect(try await lacking(1, 1) == ["page", "mine"])

            let all = try await digests(of: passages, harness)
            let values: [Float] = [0.5, -1.25, .leastNonzeroMagnitude]
            try await harness.keep(
                all.values.map { .passageVector(PassageVector(digest: $0, model: "m", values: values)) })
            func seen(_ user: UserID, _ limit: Int = 9) async throws -> [String?] {
                try await harness.store.passageVectors(of: "m", for: user, among: limit).map { vector in
                    #expect(vector.values == values && vector.model == "m")
                    return all.first { $0.value == vector.digest }?.key
                }
            }
            #expect(try await seen(1) == ["page", "story", "mine"])
            #expect(try await seen(2) == ["page", "yours", "story"])
            #expect(try await seen(3) == ["page", "story"])
            #expect(try await seen(2, 1) == ["page", "yours"])
            #expect(try await lacking(1) == [])
            #expect(try await harness.store.passageVectors(of: "other", for: 1, among: 9).isEmpty)
            #expect(try await harness.store.digestsWithoutVector(of: "other", for: 1, among: 9).count == 3)
            #expect(try await harness.store.passages(ofDigests: Array(all.values), for: 3).count == 2)
            #expect(try await harness.store.passages(ofDigests: [], for: 1).isEmpty)
            #expect(try await harness.store.passages(ofDigests: ["", "x"], for: 1).isEmpty)
        },
        ConformanceCase("a digest covers a passage's title and text only") { harness in
            var own = passage("mine", "Text é 東京.", owner: 1, at: 5)
            own.title = "T 😀"
            try await harness.keep([.passage(own)])
            let digest = "dbc332b6d07724c811e1cf904e1001ce69059af3c18b928898be164b4fa6b0c3"
            #expect(try await harness.store.digestsWithoutVector(of: "m", for: 1, among: 9) == [digest])
            #expect(try await harness.store.passages(ofDigests: [digest], for: 1) == [digest: own])
            #expect(try await harness.store.passages(ofDigests: [digest], for: 2).isEmpty)
        },
        ConformanceCase("two users with the same text share its vector, and neither reads the other's passage") {
            harness in
            let passages = [passage("mine", "Same.", owner: 1, at: 5), passage("yours", "Same.", owner: 2, at: 5)]
            try await harness.keep(passages.map { .passage($0) })
            let digest = try #require(
                await harness.store.digestsWithoutVector(of: "m", for: 1, among: 9).first)
            let vector = PassageVector(digest: digest, model: "m", values: [1])
            try await harness.keep([.passageVector(vector)])
            try await harness.keep([.passageVector(PassageVector(digest: digest, model: "m", values: [2]))])
            for (user, source) in [(1, "mine"), (2, "yours")] as [(UserID, String)] {
                #expect(try await harness.store.passageVectors(of: "m", for: user, among: 9) == [vector])
                let found = try await harness.store.passages(ofDigests: [digest], for: user)
                #expect(found[digest]?.source == source && found.count == 1)
            }
            #expect(try await harness.store.passageVectors(of: "m", for: 3, among: 9).isEmpty)
        },
        ConformanceCase("a replaced page keeps the vector of its text until the text changes") { harness in
            func pages(_ texts: String...) -> [Passage] {
                texts.enumerated().map { place, text in
                    var page = passage("page", text, kind: .document, at: 0)
                    page.part = Int64(place)
                    return page
                }
            }
            func counts() async throws -> [Int] {
                let made = try await harness.store.passageVectors(of: "m", for: 1, among: 9)
                let lacking = try await harness.store.digestsWithoutVector(of: "m", for: 1, among: 9)
                return [made.count, lacking.count]
            }
            try await harness.store.replaceCommonPassages(of: .document, with: pages("A.", "B."))
            let digests = try await harness.store.digestsWithoutVector(of: "m", for: 1, among: 9)
            try await harness.keep(
                digests.map { .passageVector(PassageVector(digest: $0, model: "m", values: [1])) })
            #expect(try await counts() == [2, 0])
            try await harness.store.replaceCommonPassages(of: .document, with: pages("A.", "B."))
            #expect(try await counts() == [2, 0])
            // Another passage has the same text.
            try await harness.store.replaceCommonPassages(of: .document, with: pages("B.", "New.", "A."))
            #expect(try await counts() == [2, 1])
            try await harness.store.replaceCommonPassages(of: .document, with: pages("New.", "C."))
            #expect(try await counts() == [0, 2])
            // A deleted text leaves no vector.
            try await harness.store.replaceCommonPassages(of: .document, with: pages("A.", "B."))
            #expect(try await counts() == [0, 2])
        },
        ConformanceCase("a vector of a text without passage is not kept") { harness in
            let digest = String(repeating: "0", count: 64)
            try await harness.keep([.passageVector(PassageVector(digest: digest, model: "m", values: [1]))])
            try await harness.keep([.passage(passage("mine", "Text.", owner: 1, at: 5))])
            #expect(try await harness.store.passageVectors(of: "m", for: 1, among: 9).isEmpty)
        },
        ConformanceCase("a later passage is kept") { harness in
            let late = passage("7", "Late.", kind: .story, at: 9)
            try await harness.keep([.passage(late)])
            try await harness.keep([.passage(passage("7", "Early.", kind: .story, at: 8))])
            #expect(try await harness.store.passages(holding: ["x"], for: 1, limit: 9) == [late])
        },
        ConformanceCase("passages of old stories are deleted with the explanations, and their vectors too") { harness in
            let kept = [
                passage("2", "New.", kind: .story, at: 20), passage("r", "Report.", owner: 1, at: 5),
                passage("page", "Page.", kind: .document, at: 0),
            ]
            let all = kept + [passage("1", "Old.", kind: .story, at: 5)]
            try await harness.keep(all.map { .passage($0) })
            let digests = try await digests(of: all, harness)
            try await harness.keep(
                digests.values.map { .passageVector(PassageVector(digest: $0, model: "m", values: [1])) })
            #expect(try await harness.store.passageVectors(of: "m", for: 1, among: 9).count == 4)
            #expect(try await harness.store.deleteExplanations(createdBefore: 10, limit: 1) == 0)
            let left = try await harness.store.passages(holding: ["x"], for: 1, limit: 9)
            #expect(Set(left.map(\.source)) == ["2", "r", "page"])
            #expect(try await harness.store.passageVectors(of: "m", for: 1, among: 9).count == 3)
            try await harness.keep([.passage(passage("1", "Old.", kind: .story, at: 30))])
            #expect(try await harness.store.digestsWithoutVector(of: "m", for: 1, among: 9) == [digests["1"]])
        },
        ConformanceCase("the vectors of the latest articles belong to one model and to no duplicate") { harness in
            let articles = [
                NewsArticle.sample("a", published: 1), .sample("b", published: 2), .sample("c", published: 3),
                .sample("d", published: 4, duplicateOf: "c"), .sample("e", published: 5), .sample("f", published: 5),
            ]
            try await harness.keep(articles.map { .article($0) })
            func vector(_ id: String, _ model: String) -> RecordChange {
                .articleVector(ArticleVector(article: id, model: model, values: [0.5]))
            }
            try await harness.keep([
                vector("a", "m"), vector("c", "m"), vector("d", "m"), vector("e", "other"), vector("f", "m"),
            ])
            func found(_ limit: Int) async throws -> [String] {
                let vectors = try await harness.store.latestArticleVectors(of: "m", among: limit)
                #expect(vectors.allSatisfy { $0.values == [0.5] })
                return vectors.map(\.article)
            }
            #expect(try await found(9) == ["f", "c", "a"])
            #expect(try await found(3) == ["f", "c"])
            #expect(try await found(0) == [])
        },
        ConformanceCase("the group of a story for all users is found by the story") { harness in
            let story = NewsStory(
                key: "s", day: "2026-11-21", title: "S", impact: .low, confidence: .low,
                tickers: [StoryTicker(symbol: "AAPL", isSubject: true)],
                members: [StoryMember(article: "s", url: "https://a.example", similarity: 1, addedAt: 1)], createdAt: 1,
                updatedAt: 1)
            try await harness.keep([.article(.sample("s", day: "2026-11-21")), .story(story)])
            let group = try #require(await harness.store.globalGroups(on: "2026-11-21", limit: 9).first)
            #expect(group.ticker == nil)
            #expect(try await harness.store.globalGroup(ofStory: "s") == group.id)
            #expect(try await harness.store.globalGroup(ofStory: "nothing") == nil)
        },
    ]

    private static func passage(
        _ source: String, _ text: String, owner: UserID? = nil, kind: Passage.Kind = .report, at timestamp: Timestamp
    ) -> Passage {
        Passage(
            kind: kind, source: source, part: 0, owner: owner, title: "T", text: text, terms: "x", writtenAt: timestamp)
    }

    /// The digests of passages by their sources.
    private static func digests(of passages: [Passage], _ harness: StoreHarness) async throws -> [String: String] {
        var digests: [String: String] = [:]
        for user in Set(passages.compactMap(\.owner)) {
            let missing = try await harness.store.digestsWithoutVector(of: "m", for: user, among: 99)
            for (digest, passage) in try await harness.store.passages(ofDigests: missing, for: user) {
                digests[passage.source] = digest
            }
        }
        return digests
    }
}
