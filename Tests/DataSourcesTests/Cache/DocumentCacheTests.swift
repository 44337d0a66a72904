import DataSources
import JSON
import JobQueue
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct DocumentCacheTests {
    @Test func aDocumentIsFetchedOnceInItsLifetime() async throws {
        let fixture = CacheFixture()
        let first = try await fixture.ask()
        #expect(first.number == 1 && first.origin == .source && !first.isHit && !first.isStale)
        fixture.advance(seconds: 59)
        let second = try await fixture.ask()
        #expect(second.number == 1 && second.origin == .memory && second.isHit && !second.isStale)
        #expect(second.storedAt == CacheFixture.start)
        #expect(try await fixture.ask(CacheKey(.quote, "SNOW")).number == 2)
        #expect(fixture.cache.statistics["quote"]?.counts == [.miss: 2, .hit: 1])
    }

    @Test func aStaleDocumentIsReturnedWhileItIsFetchedAgainOnce() async throws {
        let fixture = CacheFixture()
        _ = try await fixture.ask()
        _ = await fixture.nextStored()
        fixture.advance(seconds: 60)
        let gate = Gate()
        for _ in 0..<5 {
            let stale = try await fixture.ask(at: gate)
            #expect(stale.number == 1 && stale.isStale && stale.isHit)
        }
        await gate.waitForArrivals(1)
        await gate.open()
        #expect(await fixture.nextStored()?.storedAt.milliseconds == CacheFixture.start + 60_000)
        #expect(fixture.asked == 2)
        let fresh = try await fixture.ask()
        #expect(fresh.number == 2 && !fresh.isStale)
    }

    @Test func beyondItsGraceADocumentIsNotReturned() async throws {
        let fixture = CacheFixture()
        _ = try await fixture.ask()
        fixture.advance(seconds: 300)
        #expect(try await fixture.ask().number == 2)
        fixture.advance(seconds: 300)
        fixture.breakSource()
        await #expect(throws: SourceFailure.broken(3)) { try await fixture.ask() }
    }

    @Test func manyCallersShareOneFetch() async throws {
        let fixture = CacheFixture()
        let gate = Gate()
        let values = try await withThrowingTaskGroup(of: CachedValue.self) { group in
            for _ in 0..<50 { group.addTask { try await fixture.ask(at: gate) } }
            await gate.waitForArrivals(1)
            await gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values.count == 50 && values.allSatisfy { $0.number == 1 })
        #expect(fixture.asked == 1)
    }

    @Test func anotherProcessFindsTheStoredDocument() async throws {
        let documents = FakeDocuments()
        _ = try await CacheFixture(documents).ask()
        #expect(documents.all["quote:AAPL"]?.text == #"{"answer":1}"#)
        #expect(documents.all["quote:AAPL"]?.keptUntil.milliseconds == CacheFixture.start + 300_000)
        let other = CacheFixture(documents)
        other.advance(seconds: 30)
        let found = try await other.ask()
        #expect(found.origin == .store && found.isHit && found.number == 1 && found.storedAt == CacheFixture.start)
        #expect(other.asked == 0)
        // From then on from memory, but no longer than if it had been fetched here.
        let reads = documents.reads
        #expect(try await other.ask().origin == .memory)
        #expect(documents.reads == reads)
        other.advance(seconds: 30)
        #expect(try await other.ask().isStale)
    }

    @Test func aStaleCopyInTheStoreIsReturnedAtOnceAndFetchedAgain() async throws {
        let documents = FakeDocuments()
        documents.put(
            CachedDocument(
                key: "quote:AAPL", text: #"{"answer":7}"#,
                storedAt: Timestamp(milliseconds: CacheFixture.start - 90_000),
                keptUntil: Timestamp(milliseconds: CacheFixture.start)))
        let fixture = CacheFixture(documents)
        let gate = Gate()
        let shown = try await fixture.ask(at: gate)
        #expect(shown.number == 7 && shown.isStale && shown.origin == .store)
        await gate.open()
        #expect(await fixture.nextStored()?.text == #"{"answer":1}"#)
        #expect(try await fixture.ask().number == 1)
    }

    @Test func aRefreshUsesADocumentThatAnotherProcessHasFetchedMeanwhile() async throws {
        let fixture = CacheFixture()
        _ = try await fixture.ask()
        fixture.advance(seconds: 60)
        fixture.documents.put(
            CachedDocument(
                key: "quote:AAPL", text: #"{"answer":9}"#, storedAt: Timestamp(milliseconds: fixture.now - 1000),
                keptUntil: Timestamp(milliseconds: fixture.now + 60_000)))
        #expect(try await fixture.ask().isStale)
        while try await fixture.ask().isStale { await Task.yield() }
        #expect(try await fixture.ask().number == 9)
        #expect(fixture.asked == 1)
    }

    @Test func aFailureIsRepeatedForSomeSecondsAndThenForgotten() async throws {
        let fixture = CacheFixture()
        fixture.breakSource()
        for _ in 0..<3 { await #expect(throws: SourceFailure.broken(1)) { try await fixture.ask() } }
        #expect(fixture.asked == 1 && fixture.documents.all.isEmpty)
        #expect(fixture.cache.statistics["quote"]?.counts == [.failure: 3])
        fixture.advance(seconds: 5)
        fixture.breakSource(false)
        #expect(try await fixture.ask().number == 2)
    }

    @Test func aSourceThatFailsBehindAStaleDocumentIsNotAskedForSomeSeconds() async throws {
        let fixture = CacheFixture()
        _ = try await fixture.ask()
        fixture.advance(seconds: 60)
        fixture.breakSource()
        let gate = Gate()
        #expect(try await fixture.ask(at: gate).isStale)
        await gate.waitForArrivals(1)
        await gate.open()
        // Every further question shows the stale one, and none reaches the source before the pause is over.
        for _ in 0..<100 {
            #expect(try await fixture.ask().number == 1)
            await Task.yield()
        }
        #expect(fixture.asked == 2)
        fixture.advance(seconds: 5)
        fixture.breakSource(false)
        while try await fixture.ask().number == 1 { await Task.yield() }
        #expect(fixture.asked == 3)
    }

    @Test func withoutAStoreTheCacheStillWorks() async throws {
        let fixture = CacheFixture()
        fixture.documents.goAway()
        #expect(try await fixture.ask().origin == .source)
        #expect(try await fixture.ask().origin == .memory)
    }

    @Test func aCancelledCallerReturnsAndTheFetchGoesOn() async throws {
        let fixture = CacheFixture()
        let gate = Gate()
        let caller = Task { try await fixture.ask(at: gate) }
        await gate.waitForArrivals(1)
        caller.cancel()
        await #expect(throws: SourceFailure.cancelled) { try await caller.value }
        await gate.open()
        _ = await fixture.nextStored()
        #expect(try await fixture.ask().origin == .memory)
        #expect(fixture.asked == 1)
    }

    @Test func memoryIsBoundedAndKeepsRecentlyUsedDocuments() async throws {
        let fixture = CacheFixture(capacity: 3000)
        for number in 0..<100 {
            _ = try await fixture.ask(CacheKey(.profile, "\(number)"))
            _ = try await fixture.ask(CacheKey(.profile, "0"))
        }
        fixture.documents.goAway()
        #expect(fixture.cache.known(CacheKey(.profile, "0"))?.number == 1)
        #expect(fixture.cache.known(CacheKey(.profile, "99")) != nil)
        let kept = (0..<100).filter { fixture.cache.known(CacheKey(.profile, "\($0)")) != nil }
        #expect((2..<15).contains(kept.count))
    }

    @Test func aDocumentStoredInTheFutureByAnotherClockIsFetchedAgain() async throws {
        let documents = FakeDocuments()
        documents.put(
            CachedDocument(
                key: "quote:AAPL", text: #"{"answer":7}"#,
                storedAt: Timestamp(milliseconds: CacheFixture.start + 3_600_000),
                keptUntil: Timestamp(milliseconds: .max)))
        let fixture = CacheFixture(documents)
        #expect(try await fixture.ask().number == 1)
    }

    @Test func storedTextThatIsNotJSONIsFetchedAgain() async throws {
        let documents = FakeDocuments()
        documents.put(
            CachedDocument(
                key: "quote:AAPL", text: "{", storedAt: Timestamp(milliseconds: CacheFixture.start),
                keptUntil: Timestamp(milliseconds: CacheFixture.start + 60_000)))
        #expect(try await CacheFixture(documents).ask().number == 1)
    }

    @Test func keysAreBoundedAndDistinct() {
        let long = String(repeating: "ü", count: 1000)
        let texts = [
            CacheKey(.news, "a").text, CacheKey(.quote, "a").text, CacheKey(.news, long).text,
            CacheKey(.news, long + "x").text, CacheKey(.news, "a\0b").text,
        ]
        #expect(texts[0] == "news:a")
        #expect(Set(texts).count == 5 && texts.allSatisfy { $0.utf8.count <= 512 && !$0.utf8.contains(0) })
    }
}
