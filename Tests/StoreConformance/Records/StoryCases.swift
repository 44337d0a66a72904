import JobQueue
import JSON
import Testing
import TestSupport

extension ConformanceSuite {
    /// Stories and their groups.
    package static let stories: [ConformanceCase] = [
        ConformanceCase("a story is listed for all users, and under each ticker that it is about") { harness in
            let story = NewsStory.sample(
                "a", .high, members: ["a", "b"],
                tickers: [
                    StoryTicker(symbol: "AAPL", isSubject: true), StoryTicker(symbol: "MSFT", isSubject: false),
                    StoryTicker(symbol: "BRK-B", isSubject: true),
                ])
            try await harness.keep([.story(story)])
            let global = try await harness.store.globalGroups(on: today, limit: 5)
            #expect(global.map(\.story) == [story])
            #expect(global.first?.ticker == nil && global.first?.mergedInto == nil)
            let held = try await harness.store.tickerGroups(
                on: today, tickers: ["MSFT", "BRK-B", "", "AAPL"], limit: 5)
            #expect(held.map(\.ticker) == ["BRK-B", "AAPL"])
            #expect(held.map(\.story) == [story, story])
            #expect(Set((global + held).map(\.id)).count == 3)
            for group in global + held { #expect(try await harness.store.storyGroup(id: group.id) == group) }
            #expect(try await harness.store.stories(on: today) == [story])
            #expect(try await harness.store.globalGroups(on: "2026-11-20", limit: 5).isEmpty)
            #expect(try await harness.store.storyGroup(id: 1 << 40) == nil)
        },
        ConformanceCase("stories are listed by impact, then by the latest change, then by number") { harness in
            for (place, (key, impact, updated)) in [
                ("a", ImpactLevel.low, 5), ("b", .high, 3), ("c", .high, 4), ("d", .high, 4), ("e", .veryLow, 9),
            ].enumerated() {
                var story = NewsStory.sample(
                    key, impact, members: [key], tickers: [StoryTicker(symbol: place < 4 ? "X" : "Y", isSubject: true)])
                story.updatedAt = Timestamp(milliseconds: Int64(updated))
                try await harness.keep([.story(story)])
            }
            let global = try await harness.store.globalGroups(on: today, limit: 4)
            #expect(global.map(\.story.key) == ["d", "c", "b", "a"])
            let held = try await harness.store.tickerGroups(on: today, tickers: ["Y", "X", "Y"], limit: 3)
            #expect(held.map(\.story.key) == ["e", "d", "c", "b"])
        },
        ConformanceCase("a story that grows keeps its numbers and the time at which it began") { harness in
            try await harness.keep([.story(.sample("a", .low, members: ["a"], tickers: .subject("X")))])
            let before = try await harness.groups()
            var grown = NewsStory.sample("a", .high, members: ["a", "b", "c"], tickers: .subject("Y"))
            (grown.createdAt, grown.updatedAt, grown.title) = (50, 50, "Another title")
            try await harness.keep([.story(grown)])
            let after = try await harness.groups()
            var expected = grown
            expected.createdAt = 1
            #expect(after.map(\.story) == [expected, expected])
            #expect(after.map(\.ticker) == [nil, "Y"] && after.first?.id == before.first?.id)
            // The story is about the first ticker again.
            try await harness.keep([.story(.sample("a", .low, members: ["a"], tickers: .subject("X")))])
            #expect(try await harness.groups().map(\.id) == before.map(\.id))
        },
        ConformanceCase("the impact that a model judged takes the place of the rule's while the story grows") {
            harness in
            try await harness.keep([
                .story(.sample("a", .low, members: ["a"])), .story(.sample("b", .moderate, members: ["b"])),
            ])
            let rating = StoryImpactRating(story: "a", impact: .high, articles: 1)
            try await harness.keep([
                .storyImpact(rating), .storyImpact(.init(story: "none", impact: .low, articles: 1)),
            ])
            let groups = try await harness.groups()
            #expect(groups.map(\.story.key) == ["a", "b"])
            #expect(groups.map(\.story.impact) == [.high, .moderate])
            #expect(groups.map(\.story.ratedArticles) == [1, nil])
            try await harness.keep([.story(.sample("a", .veryLow, members: ["a", "c"]))])
            let grown = try #require(try await harness.store.stories(on: today).first { $0.key == "a" })
            #expect(grown.impact == .high && grown.ratedArticles == 1 && grown.members.count == 2)
            try await harness.keep([.storyImpact(.init(story: "a", impact: .veryLow, articles: 2))])
            #expect(try await harness.groups().map(\.story.key) == ["b", "a"])
            let id = try #require(groups.first?.id)
            #expect(try await harness.store.storyGroup(id: id)?.story.ratedArticles == 2)
        },
        ConformanceCase("merged stories are one story, which all their numbers find") { harness in
            try await harness.keep([
                .story(.sample("a", .low, members: ["a"])),
                .story(.sample("b", .low, members: ["b", "c"], tickers: .subject("X"))),
                .story(.sample("d", .low, members: ["d"], tickers: .subject("Y"))),
            ])
            let before = try await harness.groups()
            var one = NewsStory.sample("b", .low, members: ["b", "c", "d"], tickers: .subject("X"))
            one.absorbed = ["d"]
            try await harness.keep([.story(one)])
            var all = NewsStory.sample("a", .high, members: ["a", "b", "c", "d"], tickers: .subject("X"))
            all.absorbed = ["b", "d"]
            try await harness.keep([.story(all)])
            #expect(try await harness.store.stories(on: today) == [all])
            let after = try await harness.groups()
            #expect(after.map(\.story) == [all, all] && after.map(\.ticker) == [nil, "X"])
            for old in before where old.story.key != "a" {
                let group = try #require(try await harness.store.storyGroup(id: old.id))
                #expect(group.story.key == old.story.key && group.story.members.isEmpty)
                #expect(group.mergedInto == after[old.ticker == "X" ? 1 : 0].id)
            }
        },
        ConformanceCase("old stories are deleted, up to a limit, and their numbers are not used again") {
            harness in
            for day in 18...21 {
                try await harness.keep([.story(.sample("k\(day)", .low, members: ["m\(day)"], day: "2026-11-\(day)"))])
            }
            let last = try #require(try await harness.store.globalGroups(on: today, limit: 1).first)
            let old = RecordChange.newsRetention(NewsRetention(arrivedBefore: 0, storiesBefore: "2026-11-22", limit: 3))
            try await harness.keep([old])
            #expect(try await harness.store.stories(on: today).count == 1)
            #expect(try await harness.store.stories(on: "2026-11-20").isEmpty)
            try await harness.keep([old])
            #expect(try await harness.store.storyGroup(id: last.id) == nil)
            try await harness.keep([.story(.sample("new", .low, members: ["m21"]))])
            let new = try #require(try await harness.store.globalGroups(on: today, limit: 1).first)
            #expect(new.id > last.id)
        },
    ]
}

private let today = "2026-11-21"

extension [StoryTicker] {
    fileprivate static func subject(_ symbol: String) -> [StoryTicker] {
        [StoryTicker(symbol: symbol, isSubject: true)]
    }
}

extension NewsStory {
    fileprivate static func sample(
        _ key: String, _ impact: ImpactLevel, members: [String], tickers: [StoryTicker] = [], day: String = today
    ) -> NewsStory {
        NewsStory(
            key: key, day: day, title: "Title of \(key)", impact: impact, confidence: .medium, tickers: tickers,
            members: members.enumerated().map { place, id in
                StoryMember(
                    article: id, url: "https://example.com/\(id)?“x”", similarity: 9999 - place,
                    addedAt: Timestamp(milliseconds: Int64(10 - place)))
            }, createdAt: 1, updatedAt: 2)
    }
}

extension StoreHarness {
    /// Today's groups for all users, then those of the tickers X and Y.
    fileprivate func groups() async throws -> [NewsStoryGroup] {
        let common = try await store.globalGroups(on: today, limit: 100)
        return common + (try await store.tickerGroups(on: today, tickers: ["X", "Y"], limit: 100))
    }
}

extension ConformanceSuite {
    /// Explanations of stories.
    package static let explanations: [ConformanceCase] = [
        ConformanceCase("an explanation is found by its story, version and holdings in any order") {
            harness in
            let own = Self.explanation("s1", "v1", ["MSFT", "aapl", "AAPL"], "{\"what_happened\": \"é 😀 \\u0000\"}")
            let common = Self.explanation("s1", "v1", [], "b")
            try await harness.keep([own, common, Self.explanation("s2", "v1", [], "c")])
            let key = ExplanationKey(story: "s1", version: "v1", holdings: ["AAPL", "MSFT"])
            #expect(try await harness.store.explanation(key) == own)
            let both = try await harness.store.explanations([key, common.key, key])
            #expect(Set(both) == [own, common])
            for stranger in [
                ExplanationKey(story: "s1", version: "v1", holdings: ["AAPL"]),
                ExplanationKey(story: "s3", version: "v1"), ExplanationKey(story: "", version: ""),
            ] { #expect(try await harness.store.explanations([stranger]).isEmpty) }
            #expect(try await harness.store.explanations([]).isEmpty)
        },
        ConformanceCase("a version without explanation gets the latest one of another version") { harness in
            let old = Self.explanation("s", "v1", [], "old", at: 1000)
            let new = Self.explanation("s", "v2", [], "new", at: 2000)
            try await harness.keep([old, new])
            let next = ExplanationKey(story: "s", version: "v3")
            #expect(try await harness.store.explanations([next]) == [new])
            #expect(try await harness.store.explanation(next) == nil)
            #expect(try await harness.store.explanations([old.key]) == [old])
            #expect(try await harness.store.explanation(old.key) == old)
        },
        ConformanceCase("the later of two explanations of one key is kept") { harness in
            let late = Self.explanation("s", "v", [], "late", at: 2000)
            try await harness.keep([late])
            try await harness.keep([Self.explanation("s", "v", [], "early", at: 1000)])
            #expect(try await harness.store.explanation(late.key) == late)
        },
        ConformanceCase("the completion of a shared job keeps the explanation and settles its subscribers") { harness in
            let job = try await harness.submitSharing()
            let lease = try await harness.claimOne(try await harness.worker()).lease
            let made = Self.explanation("s", "v", [], "b")
            try await harness.store.complete(lease, with: ["x": 1], effects: [.record(.storyExplanation(made))])
            #expect(try await harness.store.explanation(made.key) == made)
            #expect(try await harness.job(job.id).status == .completed)
        },
        ConformanceCase("old explanations are deleted, up to a limit") { harness in
            try await harness.keep(
                (0..<5).map { Self.explanation("s\($0)", "v", [], "b", at: Timestamp(milliseconds: Int64($0))) })
            #expect(try await harness.store.deleteExplanations(createdBefore: 4, limit: 3) == 3)
            #expect(try await harness.store.deleteExplanations(createdBefore: 4, limit: 3) == 1)
            let keys = (0..<5).map { ExplanationKey(story: "s\($0)", version: "v") }
            #expect(try await harness.store.explanations(keys).map(\.story) == ["s4"])
        },
    ]

    private static func explanation(
        _ story: String, _ version: String, _ holdings: [String], _ body: String, at timestamp: Timestamp = 1000
    ) -> StoryExplanation {
        StoryExplanation(
            ExplanationKey(story: story, version: version, holdings: holdings), body: body, provenance: "{}",
            createdAt: timestamp)
    }
}

extension StoreHarness {
    /// Writes explanations by a job.
    fileprivate func keep(_ explanations: [StoryExplanation]) async throws {
        try await keep(explanations.map { RecordChange.storyExplanation($0) })
    }
}
