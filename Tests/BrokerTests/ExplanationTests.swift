import Basics
import HTTP
import JSON
import JobQueue
import Observability
import SQLSupport
import SQLiteStore
import TestSupport
import Testing

@testable import Broker

/// Explanations of stories: shared while they are written, then stored, and queued for readers.
@Suite struct ExplanationTests {
    private static let explained: JSON = ["what_happened": "It is calm.", "sources_summary": []]

    private func post(_ service: TestService, _ input: JSON, user: String = "1") async throws -> Answer {
        try await service.ask(
            .post, "/api/v1/jobs", ["kind": "explanation", "input": input], headers: ["X-User-ID": user])
    }

    @Test func equalRequestsShareOneJobAndEachUserPaysACredit() async throws {
        try await TestService.with { service in
            let group = try await service.keepStory()
            var jobs: [JobID] = []
            for user in ["1", "2"] {
                let answer = try await post(service, ["story_id": JSON(group)], user: user)
                try #require(answer.status == 202, "\(answer.text)")
                #expect(answer["data"]?["blocked_by"]?["reason"] == "shared")
                #expect(answer["data"]?["subject"] == "A story")
                jobs.append(try #require(answer["data"]?["id"]?.string.flatMap(JobID.init)))
                #expect(try await service.credits(user: user) == "10 granted, 9 left, 1 held, 0 used")
            }
            let worker = try await FakeWorker(service)
            let claimed = try await service.store.claim(for: worker.id, upTo: [.interactive: 9, .background: 9]).jobs
            let sharedJob = try #require(claimed.first)
            #expect(claimed.count == 1 && sharedJob.user == .system && sharedJob.kind == "explanation")
            #expect(sharedJob.input == ["story_id": JSON(group), "holdings": []])
            try await worker.report(sharedJob.lease, 40)
            let poll = try await service.ask(.get, "/api/v1/jobs/\(jobs[1])", headers: ["X-User-ID": "2"])
            #expect(poll["data"]?["status"] == "processing" && poll["data"]?["progress"] == 40)
            try await worker.complete(sharedJob.lease, with: ["explanation": Self.explained])
            for (job, user) in zip(jobs, ["1", "2"]) {
                let result = try await service.ask(.get, "/api/v1/jobs/\(job)/result", headers: ["X-User-ID": user])
                #expect(result["data"]?["explanation"] == Self.explained)
                #expect(try await service.credits(user: user) == "10 granted, 9 left, 0 held, 1 used")
            }
        }
    }

    @Test func aStoredExplanationIsAnsweredAtOnceForNothing() async throws {
        try await TestService.with { service in
            let group = try await service.keepStory(explained: Self.explained)
            let answer = try await post(service, ["story_id": JSON(group)])
            #expect(answer.status == 202 && answer["data"]?["status"] == "completed")
            let id = answer["data"]?["id"]?.string ?? ""
            let result = try await service.ask(.get, "/api/v1/jobs/\(id)/result")
            #expect(result["data"]?["explanation"] == Self.explained && result["data"]?["holdings"] == [])
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func theReadersHoldingsAreUsedUnlessTheRequestNamesOthers() async throws {
        try await TestService.with { service in
            let group = try await service.keepStory()
            let own = PreferencesChange(holdings: [Holding(ticker: "BRK.B"), Holding(ticker: "XOM")])
            _ = try await service.store.change(preferencesOf: 1, own)
            let worker = try await FakeWorker(service)
            for (input, named) in [
                (["story_id": JSON(group)], ["BRK-B"]), (["story_id": JSON(group), "holdings": []], []),
                (["story_id": JSON(group), "holdings": ["aapl", "TSLA", "BRK.B", "AAPL"]], ["AAPL", "BRK-B"]),
            ] as [(JSON, JSON)] {
                #expect(try await post(service, input).status == 202)
                let claimed = try await service.store.claim(for: worker.id, upTo: [.interactive: 9]).jobs
                #expect(claimed.map { $0.input["holdings"] } == [named])
            }
        }
    }

    @Test(
        arguments: [
            ([:], 422), (["story_id": 5], 404), (["story_id": 0], 422), (["story_id": "x"], 422),
            (["story_id": 1, "articles": [["title": "t", "source": "s", "url": "u", "text": "t"]]], 422),
        ] as [(JSON, Int)])
    func anUnknownStoryIsRefusedAndCostsNothing(_ input: JSON, _ status: Int) async throws {
        try await TestService.with { service in
            let answer = try await post(service, input)
            #expect(answer.status == status, "\(answer.text)")
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func explanationsOfGivenArticlesAreNotShared() async throws {
        try await TestService.with { service in
            let input: JSON = ["articles": [["title": "t", "source": "s", "url": "u", "text": "t"]]]
            let answer = try await post(service, input)
            #expect(answer.status == 202 && answer["data"]?["blocked_by"] == .null)
        }
    }

    // MARK: For readers

    private func explanations(
        _ service: TestService, plans: CurrentPlans = CurrentPlans()
    ) async throws -> Explanations {
        Explanations(
            store: service.store, records: service.store, stories: RepositoryStoryReader(service.store),
            bundle: try await CurrentBundle(SampleBundle.bundle(), storedIn: service.store),
            holdings: { _ throws(StoreError) in [] },
            gate: SpendGate(
                store: service.store, plans: plans, now: { Timestamp(milliseconds: service.time.now) }),
            allowance: SharedWorkAllowance(
                plans: plans, records: service.store, now: { Timestamp(milliseconds: service.time.now) }),
            now: { Timestamp(milliseconds: service.time.now) }, logger: .silent)
    }

    private func queued(_ service: TestService) async throws -> [ClaimedJob] {
        let worker = try await FakeWorker(service)
        return try await service.store.claim(for: worker.id, upTo: [.interactive: 99, .background: 99]).jobs
    }

    @Test func aReaderGetsStoredExplanationsAndMissingOnesAreQueuedOnce() async throws {
        try await TestService.with { service in
            let group = try await service.keepStory(explained: Self.explained)
            let material = try #require(await RepositoryStoryReader(service.store).story(ofGroup: group))
            let explanations = try await explanations(service)
            let shown = [Explanations.ShownStory(group: group, material: material)]
            let common = try await explanations.find(shown, for: 1, holdings: ["XOM"])
            #expect(common[group]?.body == Self.explained && common[group]?.isCurrent == true)
            #expect(try await queued(service).isEmpty)
            // A holder of the story's subject gets the same: it costs no further call.
            let own = try await explanations.find(shown, for: 1, holdings: ["AAPL"])
            #expect(own[group]?.body == Self.explained && own[group]?.isCurrent == true)
            #expect(try await queued(service).isEmpty)
            let other = [
                Explanations.ShownStory(
                    group: 77, material: StoryContext(story: "z", title: "t", tickers: ["AAPL"], articles: ["z"]))
            ]
            for _ in 0..<2 { #expect(try await explanations.find(other, for: 1, holdings: ["AAPL"]).isEmpty) }
            let jobs = try await queued(service)
            #expect(jobs.map(\.user) == [.system])
            #expect(jobs.first?.input == ["story_id": 77, "holdings": []])
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
            // After a failure it is queued again only after a pause.
            let worker = try await FakeWorker(service)
            try await worker.fail(try #require(jobs.first?.lease))
            _ = try await explanations.find(other, for: 1, holdings: ["AAPL"])
            #expect(try await queued(service).isEmpty)
            service.time.stop(at: service.time.now + 16 * 60_000)
            _ = try await explanations.find(other, for: 1, holdings: ["AAPL"])
            #expect(try await queued(service).count == 1)
        }
    }

    @Test("Each reader gets the part on what they hold, and no reader gets another's")
    func eachReaderGetsTheirOwnPart() async throws {
        try await TestService.with { service in
            let explained: JSON = [
                "what_happened": "It is calm.", "why_it_matters_now": "It is context.", "sources_summary": [],
                "for_holders": [
                    ["holding": "AAPL", "text": "Since you hold AAPL, it is known."],
                    ["holding": "banks", "text": "Since you hold bank shares, it is far away."],
                ],
            ]
            let group = try await service.keepStory(explained: explained)
            let material = try #require(await RepositoryStoryReader(service.store).story(ofGroup: group))
            let explanations = try await explanations(service)
            let shown = [Explanations.ShownStory(group: group, material: material)]
            func body(_ holdings: [String]) async throws -> JSON? {
                try await explanations.find(shown, for: 1, holdings: holdings)[group]?.body
            }
            #expect(try await body(["AAPL"])?["why_it_matters_now"] == "Since you hold AAPL, it is known.")
            let banker = try await body(["JPM"])
            #expect(banker?["for_your_holdings"] == "Since you hold JPM (bank shares), it is far away.")
            let nobody = try await body([])
            #expect(nobody?["for_your_holdings"] == nil && nobody?["why_it_matters_now"] == "It is context.")
            for body in [banker, nobody] {
                #expect(body?["for_holders"] == nil && body?.compact.contains("AAPL") == false)
            }
            #expect(try await queued(service).isEmpty)
        }
    }

    @Test func everyLanguageHasExplanationsOfItsOwn() async throws {
        try await TestService.with { service in
            let group = try await service.keepStory(explained: Self.explained)
            let material = try #require(await RepositoryStoryReader(service.store).story(ofGroup: group))
            let german = try await explanations(service).reading(in: .german)
            let shown = [Explanations.ShownStory(group: group, material: material)]
            // The English one is there, and is not shown to a reader of German.
            for _ in 0..<2 { #expect(try await german.find(shown, for: 1, holdings: []).isEmpty) }
            let jobs = try await queued(service)
            #expect(jobs.map(\.input) == [["story_id": JSON(group), "holdings": [], "language": "de"]])
            let written: JSON = ["what_happened": "Der Umsatz stieg."]
            try await service.write([
                .storyExplanation(
                    StoryExplanation(
                        material.key(for: [], in: .german), body: written.compact, provenance: "{}", createdAt: 1))
            ])
            let holder = try await german.find(shown, for: 1, holdings: ["AAPL"])
            #expect(holder[group]?.body == written && holder[group]?.isCurrent == true)
            #expect(try await german.find(shown, for: 1, holdings: [])[group]?.isCurrent == true)
            #expect(try await german.reading(in: nil).find(shown, for: 1, holdings: [])[group]?.body == Self.explained)
            #expect(try await german.reading(in: .french).find(shown, for: 1, holdings: []).isEmpty)
        }
    }

    @Test func queueingIsLimitedPerRequestAndByTheDailySpend() async throws {
        try await TestService.with { service in
            let stories = (0..<9).map { number in
                Explanations.ShownStory(
                    group: Int64(number + 1),
                    material: StoryContext(story: "s\(number)", title: "t", tickers: [], articles: ["a\(number)"]))
            }
            let explanations = try await explanations(service)
            #expect(try await explanations.find(stories, for: 1, holdings: []).isEmpty)
            #expect(try await queued(service).count == 5)
            _ = try await explanations.find(stories, for: 1, holdings: [])
            #expect(try await queued(service).count == 4)
            var plans = Plans()
            plans.service.freeSpendPerDay = 0
            let poor = try await self.explanations(service, plans: CurrentPlans(plans))
            _ = try await poor.find(stories, for: 1, holdings: [])
            #expect(try await queued(service).isEmpty)
        }
    }

    @Test("One user's reading sets off a bounded number of explanations a day, at all brokers together")
    func aReaderHasAnAllowanceOfSharedWork() async throws {
        try await TestService.with { service in
            var plans = Plans()
            plans.standard.sharedWorkPerDay = 3
            let stories = (0..<9).map { number in
                Explanations.ShownStory(
                    group: Int64(number + 1),
                    material: StoryContext(story: "s\(number)", title: "t", tickers: [], articles: ["a\(number)"]))
            }
            let one = try await explanations(service, plans: CurrentPlans(plans))
            _ = try await one.find(Array(stories[..<2]), for: 1, holdings: [])
            let other = try await explanations(service, plans: CurrentPlans(plans))
            _ = try await other.find(stories, for: 1, holdings: [])
            #expect(try await queued(service).count == 3)
            // Another user has an allowance of their own, and the first one has a new one the next day.
            _ = try await other.find(Array(stories[5...6]), for: 2, holdings: [])
            #expect(try await queued(service).count == 2)
            service.time.stop(at: service.time.now + 86_400_000)
            _ = try await one.find(Array(stories[7...]), for: 1, holdings: [])
            #expect(try await queued(service).count == 2)
        }
    }

    @Test func anOlderExplanationIsShownUntilTheNewVersionIsWritten() async throws {
        try await TestService.with { service in
            let group = try await service.keepStory(explained: Self.explained)
            let reader = RepositoryStoryReader(service.store)
            var material = try #require(await reader.story(ofGroup: group))
            material.articles += ["c"]
            let explanations = try await explanations(service)
            let same = try await explanations.find([.init(group: group, material: material)], for: 1, holdings: [])
            #expect(same[group]?.isCurrent == true)
            material.articles += ["d"]
            let grown = try await explanations.find([.init(group: group, material: material)], for: 1, holdings: [])
            #expect(grown[group]?.body == Self.explained && grown[group]?.isCurrent == false)
            #expect(try await queued(service).count == 1)
        }
    }
}

extension TestService {
    /// Stores a story of two articles about Apple and Berkshire, with a common explanation where one is given, and
    /// returns the number of its group.
    func keepStory(explained: JSON? = nil) async throws -> Int64 {
        let worker = try await FakeWorker(self, "keeper")
        let lease = try await worker.claim(try await submit("note", input: [:]))
        let story = NewsStory(
            key: "a", day: "2026-11-21", title: "A story", impact: .high, confidence: .medium,
            tickers: [StoryTicker(symbol: "AAPL", isSubject: true), StoryTicker(symbol: "BRK-B", isSubject: true)],
            members: ["a", "b"].map {
                StoryMember(article: $0, url: "https://x.example/\($0)", similarity: 1, addedAt: 1)
            },
            createdAt: 1, updatedAt: 1)
        var records = [RecordChange.story(story)]
        if let explained {
            let key = StoryContext(story).key(for: [])
            records.append(
                .storyExplanation(
                    StoryExplanation(key, body: explained.compact, provenance: "{}", createdAt: 1)))
        }
        try await store.complete(lease, with: 1, effects: records.map { .record($0) })
        return try #require(await store.globalGroups(on: "2026-11-21", limit: 1).first?.id)
    }
}
