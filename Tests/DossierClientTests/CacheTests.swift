import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DossierClient

/// Tiers, policies, single flight, `ETag`, files.
@Suite(.timeLimit(.minutes(2))) struct CacheTests {
    private final class Clock: Sendable {
        private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        var now: Date { time.withLock { $0 } }
        func advance(by seconds: Double) { time.withLock { $0 += seconds } }
    }

    private let clock = Clock()
    private let credits = #"{"granted":10,"remaining":9,"held":0,"used":1}"#

    private func dossier(
        _ transport: ScriptedTransport, user: String = "1", cache: ResponseCache? = nil
    ) -> Dossier {
        Dossier.scripted(transport, authentication: DevelopmentAuthentication(user: user)) { [clock] in
            $0.now = { clock.now }
            $0.cache = cache ?? ResponseCache(directory: nil, now: { clock.now })
            $0.retryPolicy = .never
        }
    }

    /// Counts up with each answer.
    private func counting() -> ScriptedTransport {
        ScriptedTransport { _, number in .data(#"{"granted":\#(number),"remaining":0,"held":0,"used":0}"#) }
    }

    @Test(arguments: [
        (0.0, Freshness.fresh), (299.999, .fresh), (300, .warm), (1799, .warm), (1800, .stale), (21_599, .stale),
        (21_600, .critical), (-0.001, .critical), (1e9, .critical),
    ])
    func tiersBeginAtTheirAge(_ seconds: Double, _ tier: Freshness) {
        #expect(FreshnessPolicy.standard.freshness(atAge: .milliseconds(Int64(seconds * 1000))) == tier)
        #expect(FreshnessPolicy(lifetime: .seconds(300)) == .standard)
        #expect(FreshnessPolicy.never.freshness(atAge: .zero) == .critical)
    }

    @Test func freshValuesComeFromTheCache() async throws {
        let transport = counting()
        let dossier = dossier(transport)
        let first = try await dossier.read(.credits)
        #expect(first.source == .network && first.granted == 1)
        clock.advance(by: 59)
        let second = try await dossier.read(.credits)
        #expect(second.source == .cache && second.freshness == .fresh && !second.isRevalidating)
        #expect(second.storedAt == first.storedAt)
        #expect(transport.requests.count == 1)
    }

    @Test func warmAndStaleValuesAreRefreshedInTheBackground() async throws {
        let transport = counting()
        let dossier = dossier(transport)
        _ = try await dossier.read(.credits)
        for (age, tier) in [(60.0, Freshness.warm), (360, .stale), (1e6, .critical)] {
            clock.advance(by: age)
            var values = dossier.values(of: .credits).makeAsyncIterator()
            let old = try #require(try await values.next())
            #expect(old.freshness == tier && old.isRevalidating && old.source == .cache)
            let new = try #require(try await values.next())
            #expect(new.granted == old.granted + 1 && new.freshness == .fresh && new.source == .network)
        }
    }

    @Test func criticalValuesWaitForTheNetworkAndStandInForIt() async throws {
        let isDown = Locked(false)
        let transport = ScriptedTransport { [credits] _, _ in
            if isDown.withLock({ $0 }) { throw DossierError(.offline) }
            return .data(credits)
        }
        let dossier = dossier(transport)
        _ = try await dossier.read(.credits)
        clock.advance(by: 72 * 60)
        #expect(try await dossier.read(.credits).source == .network)
        clock.advance(by: 72 * 60)
        isDown.withLock { $0 = true }
        let old = try await dossier.read(.credits)
        #expect(old.source == .cache && old.freshness == .critical)
        let policies: [(CachePolicy, DossierError.Code?)] = [
            (.networkFirst, nil), (.cacheOnly, nil), (.networkOnly, .offline),
            (.staleWhileRevalidate(maximumAge: .seconds(60)), .offline),
        ]
        for (policy, expected) in policies {
            let code: DossierError.Code?
            do {
                _ = try await dossier.read(.credits, policy: policy)
                code = nil
            } catch {
                code = (error as? DossierError)?.code
            }
            #expect(code == expected, "\(policy)")
        }
        let error = await #expect(throws: DossierError.self) { try await dossier.read(.personas, policy: .cacheOnly) }
        #expect(error?.code == .notCached)
    }

    @Test func aRefusalIsNeverCoveredUp() async throws {
        let transport = ScriptedTransport { [credits] _, number in
            number == 1 ? .data(credits) : .failure(403, "AUTH_1003")
        }
        let dossier = dossier(transport)
        _ = try await dossier.read(.credits)
        clock.advance(by: 1e6)
        for policy in [CachePolicy.cacheFirst, .networkFirst] {
            await #expect(throws: DossierError.self) { try await dossier.read(.credits, policy: policy) }
        }
    }

    @Test func equalReadsAtTheSameTimeAreOneRequest() async throws {
        let signal = Signal()
        let transport = ScriptedTransport { [credits] _, _ in
            await signal.wait()
            return .data(credits)
        }
        let dossier = dossier(transport)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await dossier.read(.credits).remaining } }
            group.addTask {
                #expect(await eventually { transport.requests.count == 1 })
                signal.fire()
                return 9
            }
            for try await remaining in group { #expect(remaining == 9) }
        }
        #expect(transport.requests.count == 1)
    }

    @Test func anUnchangedAnswerRenewsTheAge() async throws {
        let transport = ScriptedTransport { [credits] request, _ in
            request.headers["If-None-Match"] == "\"a\""
                ? .dossier(304, "", headers: ["ETag": "\"a\""]) : .data(credits, headers: ["ETag": "\"a\""])
        }
        let dossier = dossier(transport)
        _ = try await dossier.read(.credits)
        clock.advance(by: 1e5)
        let renewed = try await dossier.read(.credits)
        #expect(renewed.remaining == 9 && renewed.freshness == .fresh && renewed.storedAt == clock.now)
        #expect(transport.requests.count == 2)
        #expect(try await dossier.read(.credits).source == .cache)
    }

    @Test func aWriteRemovesWhatItMakesWrong() async throws {
        let item = #"{"ticker":"AAPL","name":null,"added_at":"2026-01-04T15:16:46.000Z"}"#
        let slow = Signal()
        let begun = Signal()
        let transport = ScriptedTransport { request, number in
            if request.method == .put { return .data(item) }
            if number == 2 {
                begun.fire()
                await slow.wait()
                return .data("[]")
            }
            return .data(number == 1 ? "[]" : "[\(item)]")
        }
        let dossier = dossier(transport)
        #expect(try await dossier.read(.watchlist).value.isEmpty)
        // A read that was under way must not bring the old list back.
        async let late = dossier.read(.watchlist, policy: .networkOnly)
        await begun.wait()
        try await dossier.addToWatchlist("AAPL")
        #expect(try await dossier.read(.watchlist).value.map(\.ticker) == ["AAPL"])
        slow.fire()
        #expect(try await late.value.isEmpty)
        #expect(try await dossier.read(.watchlist).value.map(\.ticker) == ["AAPL"])
    }

    @Test func accountsAreSeparate() async throws {
        let cache = ResponseCache(directory: nil, now: { [clock] in clock.now })
        let transport = counting()
        #expect(try await dossier(transport, user: "ann", cache: cache).read(.credits).granted == 1)
        let bob = dossier(transport, user: "bob", cache: cache)
        #expect(try await bob.read(.credits).granted == 2)
        try await bob.forgetLocalData()
        #expect(await cache.value(for: .credits, account: "bob") == nil)
        #expect(await cache.value(for: .credits, account: "ann")?.granted == 1)
    }

    // MARK: Files

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    private func files(_ folder: URL) -> [URL] { StoredFiles.list(folder).map(\.file) }

    @Test func storedValuesOutliveTheProcess() async throws {
        try await withFolder { folder in
            let value = [Persona(id: "buffett", name: "B", summary: "s", version: 1, voice: nil, thresholds: nil)]
            await ResponseCache(directory: folder, now: { [clock] in clock.now }).store(
                value, for: .personas, account: "a")
            let again = ResponseCache(directory: folder, now: { [clock] in clock.now })
            #expect(await again.value(for: .personas, account: "a")?.value == value)
            #expect(await again.value(for: .personas, account: "b") == nil)
            for file in files(folder) { try Data("{".utf8).write(to: file) }
            let third = ResponseCache(directory: folder, now: { [clock] in clock.now })
            #expect(await third.value(for: .personas, account: "a") == nil, "a broken file is a miss")
        }
    }

    @Test func namesOfFilesShowNothing() async throws {
        try await withFolder { folder in
            let cache = ResponseCache(directory: folder)
            await cache.store([StockMatch](), for: .stockSearch("my secret"), account: "ann@example.com")
            let names = files(folder).map(\.path)
            #expect(names.count == 1)
            #expect(!names.contains { $0.contains("secret") || $0.contains("ann") || $0.contains("search") })
        }
    }

    @Test func whatIsLeastRecentlyUsedGoesFirstAndKeptValuesStay() async throws {
        try await withFolder { folder in
            let cache = ResponseCache(directory: folder, memoryLimit: 0, diskLimit: 3000)
            let text = String(repeating: "x", count: 700)
            let persona = Persona(id: "p", name: text, summary: text, version: 1, voice: nil, thresholds: nil)
            await cache.store([persona], for: .personas)
            for number in 0..<8 {
                let resource = Resource<[StockMatch]>.stockSearch("\(number)")
                await cache.store([StockMatch(ticker: text, name: "", cik: "")], for: resource)
                for (index, file) in files(folder.appending(path: "Answers")).enumerated() where index == 0 {
                    #expect(FileManager.default.fileExists(atPath: file.path))
                }
            }
            let sizes = StoredFiles.list(folder.appending(path: "Answers")).map(\.size)
            #expect(sizes.reduce(0, +) <= 3000 && !sizes.isEmpty)
            #expect(await cache.value(for: .stockSearch("7")) != nil)
            #expect(await cache.value(for: .personas) != nil)
        }
    }

    @Test func someAnswersAreNeverStored() async throws {
        let cache = ResponseCache(directory: nil)
        await cache.store(Health(status: "ok"), for: .health)
        #expect(await cache.value(for: .health) == nil)
        let unfinished = try JSONDecoder.dossier.decode(
            Report.self,
            from: Data(#"{"report_id":"r","status":"pending","progress":1,"created_at":"2026-01-04T15:16:46Z"}"#.utf8))
        await cache.store(unfinished, for: .report("r"))
        #expect(await cache.value(for: .report("r")) == nil)
    }

    // MARK: Lists

    @Test func itemsThatMoveBetweenPagesComeOnce() async throws {
        let transport = ScriptedTransport { request, number in
            let jobs = number == 1 ? ["a", "b"] : number == 2 ? ["b", "c"] : ["d"]
            let next = number < 3 ? "\"c\(number)\"" : "null"
            let more = number < 3
            return .dossier(
                200,
                """
                {"success":true,"data":[\(jobs.map { jobJSON($0) }.joined(separator: ","))],"pagination":\
                {"page":\(number),"has_next":\(more),"next_cursor":\(next),"total_items":5}}
                """)
        }
        let dossier = dossier(transport)
        var ids: [String] = []
        for try await job in dossier.items(of: .jobs(status: .failed, pageSize: 2)) { ids.append(job.id.rawValue) }
        #expect(ids == ["a", "b", "c", "d"])
        #expect(
            transport.requests.compactMap(\.url.query) == [
                "per_page=2&status=failed", "cursor=c1&per_page=2&status=failed", "cursor=c2&per_page=2&status=failed",
            ])
    }
}
