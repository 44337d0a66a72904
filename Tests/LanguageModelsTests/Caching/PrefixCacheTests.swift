import Basics
import HTTP
import JSON
import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import LanguageModels

/// Calls through the router to a provider that keeps marked prefixes.
@Suite struct PrefixCacheTests {
    private let clock = ManualClock()

    /// A question about a company: about 20,000 bytes that all personas share, 6,000 of one persona's, and a repair.
    private static func request(company: String = "a", persona: String = "p", repair: String? = nil) -> ModelRequest {
        var parts: [ModelMessage.Part] = [
            .text(String(repeating: company, count: 20_000)), .cacheMark(CacheMark("company")),
            .text(String(repeating: persona, count: 6000)), .cacheMark(CacheMark("draft")),
        ]
        if let repair { parts.append(.text(repair)) }
        return ModelRequest(
            system: SystemPrompt(stable: "Write calmly."), messages: [ModelMessage(role: .user, parts: parts)],
            effort: .medium)
    }

    private static let shared = ["company": 2.0]
    private static let repairs = ["company": 2.0, "draft": 0.5]

    /// The documents of a fleet, in memory.
    private final class Documents: DocumentRepository {
        private let kept = Mutex<[String: CachedDocument]>([:])
        private let words = Mutex(0)

        /// Waits until the processes have said as much.
        func waitForWords(_ count: Int) async { while words.withLock(\.self) < count { await Task.yield() } }

        func documents(_ keys: [String]) async throws(StoreError) -> [CachedDocument] {
            kept.withLock { kept in keys.compactMap { kept[$0] } }
        }

        func store(_ document: CachedDocument) async throws(StoreError) {
            kept.withLock { kept in
                if let before = kept[document.key], before.storedAt > document.storedAt { return }
                kept[document.key] = document
            }
            words.withLock { $0 += 1 }
        }

        func deleteDocuments(keptUntilBefore timestamp: Timestamp, limit: Int) async throws(StoreError) -> Int { 0 }
    }

    private func router(
        _ server: CachingClaude, documents: Documents? = nil,
        onMiss: @escaping @Sendable (CacheMiss) -> Void = { _ in },
        onCall: @escaping @Sendable (CallRecord) -> Void = { _ in }
    ) throws -> ModelRouter {
        let sonnet = try Fixture.sonnet()
        return ModelRouter(
            ModelCatalogue(models: [sonnet.id: sonnet], tiers: ["deep": [sonnet.id]]),
            configuration: ModelsConfiguration(claude: .init(key: Fixture.key, baseURL: "https://claude.example")),
            transport: server, clock: clock.waitingSource, documents: documents, onCacheMiss: onMiss, onCall: onCall)
    }

    private func ask(
        _ router: ModelRouter, _ request: ModelRequest, _ reads: [String: Double] = [:]
    ) async throws -> TokenUsage {
        try await router.respond(to: request, tier: "deep", caller: CallContext(expectedReads: reads)).usage
    }

    private static func marks(_ call: CachingClaude.Call) -> [Bool] {
        (call.body["messages"]?[0]?["content"]?.array ?? []).map { $0["cache_control"] != nil }
    }

    @Test func aRepairReadsTheDraftsPromptAndTheNextPersonaTheCompany() async throws {
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let router = try router(server)
        let draft = try await ask(router, Self.request(), Self.repairs)
        #expect(draft.cacheRead == 0 && draft.input == 0 && draft.cacheWrite5m > 6000)
        let repair = try await ask(router, Self.request(repair: "Again."))
        #expect(repair.cacheRead == draft.cacheWrite5m && repair.cacheWrite5m == 0)
        let next = try await ask(router, Self.request(persona: "q"), Self.shared)
        #expect(next.cacheRead > 4900 && next.cacheRead < draft.cacheWrite5m)
        let other = try await ask(router, Self.request(company: "b"), Self.shared)
        #expect(other.cacheRead == 0)
    }

    @Test func aCallTellsItsMarksAndWhatItsCostIsComparedWith() async throws {
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let records = Mutex<[CallRecord]>([])
        let router = try router(server, onCall: { record in records.withLock { $0.append(record) } })
        _ = try await ask(router, Self.request(), Self.repairs)
        _ = try await ask(router, Self.request(repair: "Again."))
        let calls = records.withLock(\.self)
        let (draft, repair) = (calls[0].details, calls[1].details)
        #expect(draft.marks?.map(\.wasRead) == [false, false] && repair.marks?.map(\.wasRead) == [true, true])
        #expect(draft.marks?.map(\.hash) == repair.marks?.map(\.hash))
        let prices = try #require(Fixture.sonnet().prices?.rows.first)
        for (call, details) in zip(calls, [draft, repair]) {
            let (usage, cost) = (try #require(call.usage), try #require(call.cost).rawValue)
            let list = usage.prompt * prices.input.picodollars + usage.output * prices.output.picodollars
            #expect(details.listMicroDollars == (list + 500_000) / 1_000_000)
            let write = try #require(prices.cacheWrite5m).picodollars - prices.input.picodollars
            #expect(details.writeMicroDollars == (usage.cacheWrite5m * write + 500_000) / 1_000_000)
            let read = try prices.input.picodollars - #require(prices.cacheRead).picodollars
            let saved = usage.cacheRead * read / 1_000_000 - details.writeMicroDollars
            #expect(abs(try #require(details.listMicroDollars) - cost - saved) <= 1)
        }
    }

    @Test func nothingIsMarkedThatNoCallIsExpectedToRead() async throws {
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let usage = try await ask(router(server), Self.request(), ["company": 0.2, "draft": 0.2])
        #expect(usage.cacheWrite5m == 0 && usage.cacheRead == 0)
        #expect(server.calls.map(Self.marks) == [[false, false]])
        #expect(server.calls[0].body["messages"]?[0]?["content"]?.array?.count == 2, "the blocks stay the same")
    }

    @Test func ofManyCallsAtOnceOneWritesAndTheOthersRead() async throws {
        let began = Signal()
        let held = Signal()
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource) { call in
            guard call == 0 else { return }
            began.fire()
            await held.wait()
        }
        let router = try router(server)
        let usages = try await withThrowingTaskGroup(of: TokenUsage.self) { group in
            for persona in ["p", "q", "r", "s", "t"] {
                group.addTask { try await self.ask(router, Self.request(persona: persona), Self.shared) }
            }
            await began.wait()
            await self.untilWaiting(4)
            #expect(server.began == 1, "the others wait")
            held.fire()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(usages.count { $0.cacheWrite5m > 0 } == 1)
        #expect(usages.count { $0.cacheRead > 4900 } == 4)
    }

    @Test func anotherProcessWaitsForTheOneThatWritesAndReads() async throws {
        let began = Signal()
        let held = Signal()
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource) { call in
            guard call == 0 else { return }
            began.fire()
            await held.wait()
        }
        let documents = Documents()
        let (one, two) = (try router(server, documents: documents), try router(server, documents: documents))
        async let first = ask(one, Self.request(), Self.shared)
        await began.wait()
        async let second = ask(two, Self.request(persona: "q"), Self.shared)
        let look = clock.now.offset + FleetPrefixes.pause
        while !clock.deadlines.contains(look) { await Task.yield() }
        #expect(server.began == 1, "the other process waits")
        held.fire()
        #expect(try await first.cacheWrite5m > 0)
        // That it begins, and that the provider has it.
        await documents.waitForWords(2)
        clock.advance(by: FleetPrefixes.pause)
        let usage = try await second
        #expect(usage.cacheRead > 4900 && usage.cacheWrite5m == 0)
    }

    @Test func whatOneProcessHasWrittenAnotherOneReads() async throws {
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let documents = Documents()
        let (one, two) = (try router(server, documents: documents), try router(server, documents: documents))
        _ = try await ask(one, Self.request(), Self.repairs)
        await documents.waitForWords(3)
        clock.advance(by: .seconds(200))
        #expect(try await ask(two, Self.request(persona: "q")).cacheRead > 4900, "though it expects no other reads")
        await documents.waitForWords(4)
        clock.advance(by: .seconds(100))
        #expect(try await ask(one, Self.request(persona: "r")).cacheRead > 4900, "the read has made it young again")
        let three = try router(server, documents: documents)
        #expect(try await ask(three, Self.request(company: "b")).cacheRead == 0)
    }

    @Test func theOthersWaitThreeSecondsAtMost() async throws {
        let began = Signal()
        let held = Signal()
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource) { call in
            guard call == 0 else { return }
            began.fire()
            await held.wait()
        }
        let router = try router(server)
        async let first = ask(router, Self.request(), Self.shared)
        await began.wait()
        async let second = ask(router, Self.request(persona: "q"), Self.shared)
        await untilWaiting(1)
        clock.advance(by: .seconds(3))
        #expect(try await second.cacheWrite5m > 0, "it writes itself")
        held.fire()
        _ = try await first
    }

    /// Until as many calls wait for the one that writes: each has a timer of three seconds.
    private func untilWaiting(_ count: Int) async {
        let deadline = clock.now.offset + .seconds(3)
        while clock.deadlines.count(where: { $0 == deadline }) < count { await Task.yield() }
    }

    @Test func aPrefixIsKnownToBeWarmForFourMinutesAndAHalf() async throws {
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let router = try router(server)
        let sonnet = try Fixture.sonnet()
        _ = try await ask(router, Self.request(), Self.shared)
        let tokens = router.warm(Self.request(persona: "z"), sonnet)
        #expect(tokens > 4900)
        clock.advance(by: .seconds(269))
        #expect(router.warm(Self.request(persona: "z"), sonnet) == tokens)
        clock.advance(by: .seconds(1))
        #expect(router.warm(Self.request(persona: "z"), sonnet) == 0)
        #expect(router.warm(Self.request(company: "b"), sonnet) == 0)
    }

    @Test func aPrefixThatIsNotReadTwiceInARowCountsAsColdAndIsReported() async throws {
        let misses = Collector<CacheMiss>()
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let router = try router(server, onMiss: misses.add)
        let sonnet = try Fixture.sonnet()
        _ = try await ask(router, Self.request(), Self.shared)
        server.forget()
        _ = try await ask(router, Self.request(persona: "q"))
        #expect(misses.values.isEmpty && router.warm(Self.request(), sonnet) > 0)
        _ = try await ask(router, Self.request(persona: "r"))
        #expect(router.warm(Self.request(), sonnet) == 0)
        let miss = try #require(misses.values.first)
        #expect(misses.values.count == 1 && miss.mark == "company" && miss.model == "claude-sonnet-5-5")
        #expect(miss.hash == PrefixKey.all(of: Self.request(), for: sonnet)[0].hash)
    }

    @Test func theCostsAreTheSumOverTheClassesOfTokensRoundedOnceACall() async throws {
        let records = Collector<CallRecord>()
        let server = try CachingClaude(Fixture.sonnet(), clock: clock.waitingSource)
        let router = try router(server, onCall: records.add)
        var random = SeededRandom(seed: 7)
        for _ in 0..<60 {
            let company = ["a", "b", "c"].randomElement(using: &random) ?? "a"
            let persona = ["p", "q", "r"].randomElement(using: &random) ?? "p"
            let repair: String? = Bool.random(using: &random) ? "Again." : nil
            _ = try await ask(
                router, Self.request(company: company, persona: persona, repair: repair),
                Bool.random(using: &random) ? Self.repairs : Self.shared)
            clock.advance(by: .seconds(Int64.random(in: 0...120, using: &random)))
        }
        let billed = server.calls.map { ($0.price + 500_000) / 1_000_000 }
        #expect(records.values.map { Int128($0.cost?.rawValue ?? 0) } == billed)
        #expect(records.values.map(\.usage) == server.calls.map(\.usage))
        #expect(server.calls.contains { $0.usage.cacheRead > 0 && $0.usage.cacheWrite5m > 0 })
    }
}
