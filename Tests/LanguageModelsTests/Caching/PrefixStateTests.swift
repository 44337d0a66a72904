import Testing

@testable import LanguageModels

/// What is known of one prefix in a provider's cache.
@Suite struct PrefixStateTests {
    private static func seconds(_ count: Double) -> Duration { .milliseconds(Int64(count * 1000)) }

    @Test func aPrefixIsWarmFromTheFirstContentUntilThirtySecondsBeforeItsEnd() {
        var state = PrefixState()
        state.begin(1, at: .zero)
        #expect(!state.isWarm(at: .zero) && state.isWritten(byOtherThan: 2, at: .zero))
        state.receivedContent(life: .seconds(300), startedAt: .zero, at: .seconds(2))
        #expect(state.isWarm(at: .seconds(269)) && !state.isWarm(at: .seconds(270)))
        state.receivedContent(life: .seconds(300), startedAt: .seconds(200), at: .seconds(201))
        #expect(state.isWarm(at: .seconds(469)), "a read makes it young again")
    }

    @Test func othersWaitForTheOneThatWritesForThreeSecondsAtMost() {
        var state = PrefixState()
        state.begin(1, at: .seconds(10))
        state.begin(2, at: .seconds(11))
        #expect(
            state.isWritten(byOtherThan: 2, at: Self.seconds(12.9))
                && !state.isWritten(byOtherThan: 1, at: .seconds(11)))
        #expect(!state.isWritten(byOtherThan: 2, at: .seconds(13)))
        state.begin(2, at: .seconds(13))
        #expect(state.isWritten(byOtherThan: 3, at: .seconds(14)), "the next one that writes")
    }

    @Test func aCallThatEndsWithoutContentLeavesThePrefixCold() {
        var state = PrefixState()
        state.begin(1, at: .zero)
        state.gaveUp(2)
        #expect(state.isWritten(byOtherThan: 3, at: .seconds(1)))
        state.gaveUp(1)
        #expect(!state.isWritten(byOtherThan: 3, at: .seconds(1)) && !state.isWarm(at: .seconds(1)))
    }

    @Test func twoMissesInARowMakeItCold() {
        var state = PrefixState()
        state.receivedContent(life: .seconds(300), startedAt: .zero, at: .zero)
        let verdicts = [false, true, false, false].map { state.wasRead($0) }
        #expect(verdicts == [false, false, false, true])
        #expect(!state.isWarm(at: .seconds(1)) && state.isStale(at: .seconds(1)))
    }

    @Test func aPrefixThatTheProviderDoesNotKeepIsNotWaitedFor() {
        var state = PrefixState()
        state.begin(1, at: .zero)
        state.wasNotKept(until: .seconds(300))
        state.receivedContent(life: .seconds(300), startedAt: .seconds(1), at: .seconds(1))
        state.begin(2, at: .seconds(5))
        #expect(!state.isWarm(at: .seconds(5)) && !state.isWritten(byOtherThan: 3, at: .seconds(5)))
        state.begin(4, at: .seconds(301))
        #expect(state.isWritten(byOtherThan: 3, at: .seconds(301)))
    }
}
