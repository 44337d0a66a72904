import JobQueue
import TestSupport
import Testing

extension ConformanceSuite {
    /// Passages that answers rest on, and the search in articles.
    package static let searching: [ConformanceCase] = [
        ConformanceCase("a passage is found by any of its terms, by whoever may see it") { harness in
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
        ConformanceCase("a passage that is written again is found by its new terms, and changes hands never") {
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
        ConformanceCase("the passages of everybody are replaced as a whole, others stay") { harness in
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
        ConformanceCase("an article's text that comes later is found too, and nothing of one that is gone") { harness in
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
