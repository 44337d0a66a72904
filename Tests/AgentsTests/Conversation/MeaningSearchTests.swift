import JSON
import JobQueue
import Prompts
import SQLiteStore
import SQLSupport
import TestSupport
import Testing

@testable import Agents

/// Questions whose answers are found by meaning.
@Suite struct MeaningSearchTests {
    /// Shares no word with the page on the margin of safety.
    private static let question = "How do I leave room for being mistaken?"
    private static let margin = passage(
        "margin", "Margin of safety", "The distance between value and a lower price, such as 30%.")

    private static func passage(
        _ source: String, _ title: String, _ text: String, owner: UserID? = nil, kind: Passage.Kind = .document
    ) -> Passage {
        Passage(
            kind: kind, source: source, part: 0, owner: owner, title: title, text: text,
            terms: ContentWords(title + " " + text).terms, writtenAt: 0)
    }

    /// Pages on other subjects.
    private static let others = (0..<30).map { passage("page\($0)", "Page \($0)", "Debt has to be served.") }

    /// Gives the question and texts near it one vector, and all other texts another.
    private static func embeddings(_ words: String...) -> ScriptedEmbeddings {
        ScriptedEmbeddings { text in
            let isNear = words.contains { text.text.contains($0) } || text.text == question
            return isNear ? [1, 0.1] : [0.1, 1]
        }
    }

    private func answer(_ text: String, _ citations: [String] = ["p1"], known: Bool = true) -> JSON {
        ["known": .bool(known), "answer": JSON(text), "citations": JSON(citations)]
    }

    private func run(_ pages: [Passage] = others + [margin], _ body: (ConversationFixture) async throws -> Void)
        async throws
    {
        try await ConversationFixture.run { fixture in
            try await fixture.store.replaceCommonPassages(of: .document, with: pages)
            try await body(fixture)
        }
    }

    private func ask(
        _ model: ScriptedModel, _ embeddings: ScriptedEmbeddings?, _ question: String = question, user: UserID = 1,
        in fixture: ConversationFixture
    ) async throws -> JSON {
        let meaning = try embeddings?.meaning(over: fixture.store)
        return try await fixture.finish(
            "education", ["question": JSON(question)], user: user, try fixture.education(model, meaning: meaning))
    }

    @Test func questionInOtherWordsFindsItsPassageOnlyWithVectors() async throws {
        try await run { fixture in
            let unasked = ScriptedModel()
            let without = try await ask(unasked, nil, in: fixture)
            #expect(without["known"] == false && unasked.requests.isEmpty)
            let embeddings = Self.embeddings("Margin of safety")
            let model = ScriptedModel(.json(answer("You pay less than it is worth.")))
            let with = try await ask(model, embeddings, in: fixture)
            #expect(with["known"] == true && with["citations"]?.array?.map { $0["id"] } == ["margin"])
            #expect(!model.prompt(0).contains("Debt has to be served"))
            let call = try #require(embeddings.calls.first)
            #expect(embeddings.calls.count == 1 && call.count == 33)
            #expect(call[0] == ScriptedEmbeddings.Text(text: Self.question, purpose: "RETRIEVAL_QUERY"))
            #expect(call[1] == ScriptedEmbeddings.Text(text: Self.question, purpose: "CLUSTERING"))
            #expect(call.dropFirst(2).allSatisfy { $0.purpose == "RETRIEVAL_DOCUMENT" })
            #expect(call.contains { $0.text == "\(Self.margin.title)\n\(Self.margin.text)" })
        }
    }

    @Test func passageOfAnotherUserIsNeverFoundByMeaning() async throws {
        try await run(Self.others) { fixture in
            let report = Self.passage(
                "job-1", "Report on Apple Inc.", "Its price leaves a cushion.", owner: 1, kind: .report)
            let job = try await fixture.base.job("education", ["question": "x"])
            try await fixture.store.complete(job.lease, with: 1, effects: [.record(.passage(report))])
            let embeddings = Self.embeddings("Report on Apple")
            let mine = try await ask(ScriptedModel(.json(answer("It leaves one."))), embeddings, in: fixture)
            #expect(mine["citations"]?[0]?["id"] == "job-1")
            // Its vector is stored now and equals the question's.
            let unasked = ScriptedModel()
            let theirs = try await ask(unasked, embeddings, user: 2, in: fixture)
            #expect(theirs["known"] == false && theirs["citations"] == [] && unasked.requests.isEmpty)
            let calls = embeddings.calls
            #expect(calls.count == 2 && calls[1].map(\.purpose) == ["RETRIEVAL_QUERY", "CLUSTERING"])
        }
    }

    @Test func anotherUsersPassageIsNotSentToTheEmbedder() async throws {
        try await run(Self.others) { fixture in
            let report = Self.passage("job-1", "Report on Apple Inc.", "Secret.", owner: 1, kind: .report)
            let job = try await fixture.base.job("education", ["question": "x"])
            try await fixture.store.complete(job.lease, with: 1, effects: [.record(.passage(report))])
            let embeddings = Self.embeddings("Report on Apple")
            _ = try await ask(ScriptedModel(), embeddings, user: 2, in: fixture)
            #expect(embeddings.calls[0].count == 32 && !embeddings.calls[0].contains { $0.text.contains("Secret") })
        }
    }

    @Test func articleIsFoundByTheVectorThatIngestMade() async throws {
        try await run([]) { fixture in
            var changes: [RecordChange] = []
            for place in 0..<30 {
                let id = "n\(place)"
                changes.append(
                    .article(
                        NewsArticle(
                            id: id, url: "https://news.example/\(id)", title: "Cushions \(place)",
                            description: "Prices fell below worth.", source: "Wire",
                            publishedAt: Timestamp(milliseconds: Int64(place)),
                            fetchedAt: 1)))
                changes.append(
                    .articleVector(
                        ArticleVector(
                            article: id, model: "gemini-embedding-001", values: place == 7 ? [1, 0.1] : [0.1, 1])))
            }
            let job = try await fixture.base.job("education", ["question": "x"])
            try await fixture.store.complete(job.lease, with: 1, effects: changes.map { .record($0) })
            let model = ScriptedModel(.json(answer("They fell below what they were worth.")))
            let result = try await ask(model, Self.embeddings(), in: fixture)
            #expect(result["citations"]?.array?.map { $0["id"] } == ["n7"])
            #expect(result["citations"]?[0]?["kind"] == "article")
        }
    }

    @Test func passagesFoundByWordsStayBesideThoseFoundByMeaning() async throws {
        let debt = Self.passage("debt", "Leverage", "Leverage is what a business owes.")
        try await run(Self.others + [Self.margin, debt]) { fixture in
            let embeddings = ScriptedEmbeddings { text in
                text.text.contains("Margin of safety") || text.text.contains("What is leverage")
                    ? [1, 0.1] : [0.1, 1]
            }
            let model = ScriptedModel(.json(answer("What is owed.")))
            _ = try await ask(model, embeddings, "What is leverage?", in: fixture)
            #expect(model.prompt(0).contains("what a business owes"))
            #expect(model.prompt(0).contains("a lower price, such as 30%"))
        }
    }

    @Test func questionWithoutOutliersIsUnknownAndNoModelIsAsked() async throws {
        try await run { fixture in
            let model = ScriptedModel()
            let result = try await ask(model, Self.embeddings("Nothing"), "What is the capital of France?", in: fixture)
            #expect(result["known"] == false && model.requests.isEmpty)
        }
        // A reliable threshold needs more texts.
        try await run(Array(Self.others.prefix(18)) + [Self.margin]) { fixture in
            let model = ScriptedModel()
            let result = try await ask(model, Self.embeddings("Margin of safety"), in: fixture)
            #expect(result["known"] == false && model.requests.isEmpty)
        }
    }

    @Test func questionWithoutWordsOfItsOwnIsNotSent() async throws {
        try await run { fixture in
            let embeddings = Self.embeddings("Margin")
            let result = try await ask(ScriptedModel(), embeddings, "What does it mean?", in: fixture)
            #expect(result["known"] == false && embeddings.calls.isEmpty)
        }
    }

    @Test func vectorsAreMadeOnceAndInFullCalls() async throws {
        let pages = (0..<120).map { Self.passage("page\($0)", "Page \($0)", "Debt.") }
        try await run(pages) { fixture in
            let embeddings = Self.embeddings("Nothing")
            for _ in 0..<3 { _ = try await ask(ScriptedModel(), embeddings, in: fixture) }
            #expect(embeddings.calls.map(\.count) == [100, 24, 2])
            let sent = embeddings.calls.flatMap { $0.dropFirst(2).map(\.text) }
            #expect(Set(sent).count == 120)
        }
    }

    @Test func failedVectorCallLeavesTheSearchToWordsAndIsJournalled() async throws {
        try await run { fixture in
            let embeddings = ScriptedEmbeddings(failing: 503)
            let model = ScriptedModel(.json(answer("It is a distance of 30%.")))
            let store = fixture.store
            let job = try await fixture.base.job("education", ["question": "What is a margin of safety?"])
            let agent = try fixture.education(model, meaning: embeddings.meaning(over: store))
            let result = try await fixture.base.result(job, agent)
            #expect(result.body["citations"]?[0]?["id"] == "margin")
            let journal = try await store.journal(of: job.lease.job)
            #expect(journal.map(\.name) == ["embed", "search", "answer"])
            #expect(journal[0].output["problem"]?.string?.isEmpty == false && journal[0].output["question"] == nil)
            #expect(try await store.passageVectors(of: "gemini-embedding-001", for: 1, among: 9).isEmpty)
        }
    }

    @Test func callIsPaidOnceWhateverDiesAfterIt() async throws {
        try await run { fixture in
            let embeddings = Self.embeddings("Margin of safety")
            let model = ScriptedModel(.json(answer("You pay less.")))
            let test = fixture.base.test
            let agent = try fixture.education(model, meaning: embeddings.meaning(over: test.store))
            let job = try await fixture.base.job("education", ["question": JSON(Self.question)])
            let first = try await fixture.base.result(job, agent)
            let cost = try await test.spent()
            let answered = first.body["provenance"]?["cost_micro_dollars"]?.integer ?? 0
            #expect(cost > answered && answered > 0)
            try await test.rescue("w1")
            let again = try await fixture.base.result(try await fixture.base.claim(by: "w9"), agent)
            #expect(again.body == first.body && embeddings.calls.count == 1 && model.requests.count == 1)
            #expect(try await test.spent() == cost)
        }
    }

    /// `prompts case --from-job` has no embedder.
    @Test func journalIsReplayedWithoutAnEmbedder() async throws {
        try await run { fixture in
            let model = ScriptedModel(.json(answer("You pay less.")))
            let store = fixture.store
            let meaning = try Self.embeddings("Margin of safety").meaning(over: store)
            let job = try await fixture.base.job("education", ["question": JSON(Self.question)])
            let first = try await fixture.base.result(job, try fixture.education(model, meaning: meaning))
            let kind = try #require(fixture.base.bundle.kinds["education"])
            let journal = Journal(replaying: try await store.journal(of: job.lease.job))
            let again = try await fixture.education(ScriptedModel()).run(
                JobContext(job: job, kind: kind, bundle: fixture.base.bundle, journal: journal, isLive: { true }) {
                    _, _ in
                })
            #expect(again.body == first.body)
        }
    }
}
