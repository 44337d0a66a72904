import DataSources
import JSON
import JobQueue
import Testing

@Suite(.timeLimit(.minutes(5))) struct DocumentCacheTests {
    @Test func aDocumentIsFetchedOnceInItsLifetime() async throws {
        let desk = Desk()
        let first = try await desk.ask()
        #expect(first.number == 1 && first.origin == .source && !first.isHit && !first.isStale)
        desk.advance(seconds: 59)
        let second = try await desk.ask()
        #expect(second.number == 1 && second.origin == .memory && second.isHit && !second.isStale)
        #expect(second.storedAt == Desk.start)
        #expect(try await desk.ask(CacheKey(.quote, "SNOW")).number == 2)
        #expect(desk.cache.statistics["quote"]?.counts == [.miss: 2, .hit: 1])
    }

    @Test func aStaleDocumentIsGivenOutWhileItIsFetchedAgainOnce() async throws {
        let desk = Desk()
        _ = try await desk.ask()
        _ = await desk.nextStored()
        desk.advance(seconds: 60)
        let gate = Gate()
        for _ in 0..<5 {
            let stale = try await desk.ask(at: gate)
            #expect(stale.number == 1 && stale.isStale && stale.isHit)
        }
        await gate.waitForArrivals(1)
        await gate.open()
        #expect(await desk.nextStored()?.storedAt == Desk.start + 60_000)
        #expect(desk.asked == 2)
        let fresh = try await desk.ask()
        #expect(fresh.number == 2 && !fresh.isStale)
    }

    @Test func beyondItsGraceADocumentIsNotShown() async throws {
        let desk = Desk()
        _ = try await desk.ask()
        desk.advance(seconds: 300)
        #expect(try await desk.ask().number == 2)
        desk.advance(seconds: 300)
        desk.breakSource()
        await #expect(throws: SourceFailure.broken(3)) { try await desk.ask() }
    }

    @Test func manyAskersShareOneFetch() async throws {
        let desk = Desk()
        let gate = Gate()
        let values = try await withThrowingTaskGroup(of: CachedValue.self) { group in
            for _ in 0..<50 { group.addTask { try await desk.ask(at: gate) } }
            await gate.waitForArrivals(1)
            await gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values.count == 50 && values.allSatisfy { $0.number == 1 })
        #expect(desk.asked == 1)
    }

    @Test func anotherProcessFindsWhatTheFirstHasStored() async throws {
        let documents = FakeDocuments()
        _ = try await Desk(documents).ask()
        #expect(documents.all["quote:AAPL"]?.text == #"{"answer":1}"#)
        #expect(documents.all["quote:AAPL"]?.keptUntil == Desk.start + 300_000)
        let other = Desk(documents)
        other.advance(seconds: 30)
        let found = try await other.ask()
        #expect(found.origin == .store && found.isHit && found.number == 1 && found.storedAt == Desk.start)
        #expect(other.asked == 0)
        // From then on from memory, but no longer than if it had been fetched here.
        let reads = documents.reads
        #expect(try await other.ask().origin == .memory)
        #expect(documents.reads == reads)
        other.advance(seconds: 30)
        #expect(try await other.ask().isStale)
    }

    @Test func aStaleCopyInTheStoreIsShownAtOnceAndFetchedAgain() async throws {
        let documents = FakeDocuments()
        documents.put(
            CachedDocument(
                key: "quote:AAPL", text: #"{"answer":7}"#, storedAt: Desk.start - 90_000, keptUntil: Desk.start))
        let desk = Desk(documents)
        let gate = Gate()
        let shown = try await desk.ask(at: gate)
        #expect(shown.number == 7 && shown.isStale && shown.origin == .store)
        await gate.open()
        #expect(await desk.nextStored()?.text == #"{"answer":1}"#)
        #expect(try await desk.ask().number == 1)
    }

    @Test func aRefreshTakesWhatAnotherProcessHasFetchedMeanwhile() async throws {
        let desk = Desk()
        _ = try await desk.ask()
        desk.advance(seconds: 60)
        desk.documents.put(
            CachedDocument(
                key: "quote:AAPL", text: #"{"answer":9}"#, storedAt: desk.now - 1000, keptUntil: desk.now + 60_000))
        #expect(try await desk.ask().isStale)
        while try await desk.ask().isStale { await Task.yield() }
        #expect(try await desk.ask().number == 9)
        #expect(desk.asked == 1)
    }

    @Test func aFailureIsToldForSomeSecondsAndThenForgotten() async throws {
        let desk = Desk()
        desk.breakSource()
        for _ in 0..<3 { await #expect(throws: SourceFailure.broken(1)) { try await desk.ask() } }
        #expect(desk.asked == 1 && desk.documents.all.isEmpty)
        #expect(desk.cache.statistics["quote"]?.counts == [.failure: 3])
        desk.advance(seconds: 5)
        desk.breakSource(false)
        #expect(try await desk.ask().number == 2)
    }

    @Test func aSourceThatFailsBehindAStaleDocumentIsLeftAloneForSomeSeconds() async throws {
        let desk = Desk()
        _ = try await desk.ask()
        desk.advance(seconds: 60)
        desk.breakSource()
        let gate = Gate()
        #expect(try await desk.ask(at: gate).isStale)
        await gate.waitForArrivals(1)
        await gate.open()
        // Every further question shows the stale one, and none reaches the source before the pause is over.
        for _ in 0..<100 {
            #expect(try await desk.ask().number == 1)
            await Task.yield()
        }
        #expect(desk.asked == 2)
        desk.advance(seconds: 5)
        desk.breakSource(false)
        while try await desk.ask().number == 1 { await Task.yield() }
        #expect(desk.asked == 3)
    }

    @Test func withoutAStoreTheCacheStillWorks() async throws {
        let desk = Desk()
        desk.documents.goAway()
        #expect(try await desk.ask().origin == .source)
        #expect(try await desk.ask().origin == .memory)
    }

    @Test func anAskerThatIsCancelledLeavesAndTheFetchGoesOn() async throws {
        let desk = Desk()
        let gate = Gate()
        let asker = Task { try await desk.ask(at: gate) }
        await gate.waitForArrivals(1)
        asker.cancel()
        await #expect(throws: SourceFailure.cancelled) { try await asker.value }
        await gate.open()
        _ = await desk.nextStored()
        #expect(try await desk.ask().origin == .memory)
        #expect(desk.asked == 1)
    }

    @Test func memoryIsBoundedAndKeepsWhatIsUsed() async throws {
        let desk = Desk(capacity: 3000)
        for number in 0..<100 {
            _ = try await desk.ask(CacheKey(.profile, "\(number)"))
            _ = try await desk.ask(CacheKey(.profile, "0"))
        }
        desk.documents.goAway()
        #expect(desk.cache.known(CacheKey(.profile, "0"))?.number == 1)
        #expect(desk.cache.known(CacheKey(.profile, "99")) != nil)
        let kept = (0..<100).filter { desk.cache.known(CacheKey(.profile, "\($0)")) != nil }
        #expect((2..<15).contains(kept.count))
    }

    @Test func whatTheClockOfAnotherMachineStoredInTheFutureIsFetchedAgain() async throws {
        let documents = FakeDocuments()
        documents.put(
            CachedDocument(
                key: "quote:AAPL", text: #"{"answer":7}"#, storedAt: Desk.start + 3_600_000, keptUntil: .max))
        let desk = Desk(documents)
        #expect(try await desk.ask().number == 1)
    }

    @Test func textThatIsNoJSONIsFetchedAgain() async throws {
        let documents = FakeDocuments()
        documents.put(
            CachedDocument(key: "quote:AAPL", text: "{", storedAt: Desk.start, keptUntil: Desk.start + 60_000))
        #expect(try await Desk(documents).ask().number == 1)
    }

    @Test func keysAreBoundedAndKeepApartWhatIsDifferent() {
        let long = String(repeating: "ü", count: 1000)
        let texts = [
            CacheKey(.news, "a").text, CacheKey(.quote, "a").text, CacheKey(.news, long).text,
            CacheKey(.news, long + "x").text, CacheKey(.news, "a\0b").text,
        ]
        #expect(texts[0] == "news:a")
        #expect(Set(texts).count == 5 && texts.allSatisfy { $0.utf8.count <= 512 && !$0.utf8.contains(0) })
    }
}
