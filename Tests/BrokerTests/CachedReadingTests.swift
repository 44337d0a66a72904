import JobQueue
import Synchronization
import TestSupport
import Testing

@testable import Broker

/// Readings of the store that many callers share.
@Suite(.timeLimit(.minutes(5))) struct CachedReadingTests {
    @Test func manyCallersAtOnceAreOneReading() async throws {
        let count = Mutex(0)
        let begun = Signal()
        let release = Signal()
        let cache = CachedReading(lifetime: .seconds(3600)) {
            count.withLock { $0 += 1 }
            begun.fire()
            await release.wait()
            return 7
        }
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<50 { group.addTask { await cache.value(within: .seconds(60)).value } }
            await begun.wait()
            release.fire()
            for await value in group { #expect(value == 7) }
        }
        #expect(count.withLock { $0 } == 1)
        #expect(await cache.value(within: .zero).isCurrent)
    }

    /// The first reading succeeds; the second one never ends, as with a store that does not answer.
    @Test func aReadingThatDoesNotEndLeavesTheLastValue() async throws {
        let count = Mutex(0)
        let never = Signal()
        let cache = CachedReading(lifetime: .zero) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 1 { await never.wait() }
            return number
        }
        let first = await cache.value(within: .seconds(60))
        #expect(first.value == 1 && !first.isCurrent, "it has no lifetime")
        for _ in 0..<20 {
            let later = await cache.value(within: .milliseconds(5))
            #expect(later.value == 1 && !later.isCurrent)
        }
        #expect(count.withLock { $0 } == 2, "a reading that is under way is not begun again")
        never.fire()
    }

    @Test("Within its grace the last outcome is answered at once, however long the next reading takes")
    func theLastOutcomeIsAnsweredAtOnce() async throws {
        let count = Mutex(0)
        let never = Signal()
        let again = Signal()
        let cache = CachedReading(lifetime: .zero, grace: .seconds(3600)) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number > 1 {
                again.fire()
                await never.wait()
            }
            return number
        }
        _ = await cache.value(within: .seconds(3600))
        for _ in 0..<20 {
            let later = await cache.value(within: .seconds(3600))
            #expect(later.value == 1 && later.isCurrent)
        }
        cache.keepCurrent()
        await again.wait()
        #expect(count.withLock { $0 } == 2)
        never.fire()

        let failing = CachedReading<Int>(lifetime: .zero, grace: .seconds(3600)) {
            throw StoreError.unavailable(reason: "gone")
        }
        for _ in 0..<3 { #expect(await failing.value(within: .seconds(3600)).value == nil) }
    }

    @Test func aReadingThatFailsIsNotRepeatedAtOnce() async throws {
        let count = Mutex(0)
        let cache = CachedReading<Int>(lifetime: .seconds(3600)) {
            count.withLock { $0 += 1 }
            throw StoreError.unavailable(reason: "gone")
        }
        let start = ContinuousClock.now
        var asked = 0
        while .now - start < .milliseconds(900) {
            let found = await cache.value(within: .seconds(60))
            #expect(found.value == nil && !found.isCurrent)
            asked += 1
            await Task.yield()
            if asked > 1000 { break }
        }
        #expect(asked > 1 && count.withLock { $0 } <= 2)
    }

    /// The value has no lifetime of its own.
    @Test func aReadingThatTakesLongRestsForAsLongAsItIsTold() async throws {
        let count = Mutex(0)
        @Sendable func takeLong() {
            let start = ContinuousClock.now
            while .now - start < .milliseconds(150) {}
            count.withLock { $0 += 1 }
        }
        let cache = CachedReading(lifetime: .zero, rest: 1_000_000) { takeLong() }
        _ = await cache.value(within: .seconds(60))
        for _ in 0..<20 {
            #expect(await cache.value(within: .seconds(60)).isCurrent)
            cache.keepCurrent()
        }
        #expect(count.withLock { $0 } == 1)
        let failing = CachedReading<Int>(lifetime: .zero, limit: .milliseconds(100), rest: 1_000_000) {
            takeLong()
            throw StoreError.unavailable(reason: "gone")
        }
        let start = ContinuousClock.now
        while .now - start < .milliseconds(1400) { _ = await failing.value(within: .milliseconds(50)) }
        #expect(count.withLock { $0 } == 2, "more than a second has passed since the failure")
        // What takes a moment has no lifetime, and is told all the same when it was read meanwhile.
        let quick = CachedReading(lifetime: .zero, rest: 1) { 7 }
        for _ in 0..<3 { #expect(await quick.latest(within: .seconds(60)) == 7) }
    }

    @Test func theLimitOfTheStoreGoesAlong() async throws {
        let cache = CachedReading(lifetime: .seconds(1)) { StoreTimeout.current }
        let limit = await cache.value(within: .seconds(60)).value
        #expect((limit ?? nil) != nil)
    }
}
