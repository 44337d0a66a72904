import JobQueue
import Testing

@testable import Worker

@Suite struct ClaimLimiterTests {
    private let slots: [QueueName: Int] = [.interactive: 5, .background: 50]
    private let start = ContinuousClock.now

    private var held: HeldKind {
        HeldKind(
            WaitCause(.providerBudget, provider: "claude", budget: "claude/tiny"), until: Timestamp(milliseconds: 1000))
    }

    private func room(_ count: Int?, wait: Duration = .zero) -> ClaimGate.Room {
        ClaimGate.Room(count: count, wait: wait)
    }

    @Test func aWorkerClaimsNoMoreJobsThanEachBudgetHasRoomFor() {
        var limiter = ClaimLimiter()
        let allowance = limiter.allowance(
            slots, ClaimExclusions(), rooms: [(["research"], room(7)), (["brief"], room(30)), (["other"], room(nil))],
            at: start)
        #expect(allowance.slots == [.interactive: 5, .background: 7])
        #expect(allowance.wait == nil && allowance.excluded.isEmpty)
    }

    @Test func theKindsOfAFullBudgetAreToldWithItsReason() {
        var limiter = ClaimLimiter()
        let full = ClaimGate.Room(count: 0, held: held)
        _ = limiter.allowance(
            slots, ClaimExclusions(), rooms: [(["research", "brief"], full), (["other"], room(3))], at: start)
        #expect(limiter.held == ["research": held, "brief": held])
        _ = limiter.allowance(slots, ClaimExclusions(), rooms: [(["research"], room(1))], at: start)
        #expect(limiter.held == [:])
    }

    @Test func aKindCountsAsHeldAfterTwoLooksAndNoMoreAfterThreeOthers() {
        let abilities = Abilities(providers: []) { _ in nil }
        let budget = ["research": held]
        #expect(!abilities.note(held: budget) && abilities.record.held == [:])
        #expect(abilities.note(held: budget) && abilities.record.held == budget)
        // One call began, and the budget is full again.
        #expect(!abilities.note(held: [:]) && !abilities.note(held: budget))
        for _ in 0..<2 { #expect(!abilities.note(held: [:])) }
        #expect(abilities.record.held == budget)
        #expect(abilities.note(held: [:]) && abilities.record.held == [:])
        #expect(!abilities.note(held: budget) && !abilities.note(held: [:]) && !abilities.note(held: budget))
        #expect(abilities.record.held == [:])
    }

    @Test func aTimeThatMovesALittleIsNotTold() {
        let abilities = Abilities(providers: []) { _ in nil }
        var later = held
        for _ in 0..<2 { _ = abilities.note(held: ["research": held]) }
        later.until = held.until + .seconds(4)
        #expect(!abilities.note(held: ["research": later]))
        later.until = held.until + .seconds(5)
        #expect(abilities.note(held: ["research": later]) && abilities.record.held["research"] == later)
    }

    @Test func aFullBudgetStopsBackgroundClaimsForASecondAndThenItsOwnKinds() {
        var limiter = ClaimLimiter()
        let rooms: [(kinds: [String], room: ClaimGate.Room)] = [
            (["research"], room(0, wait: .milliseconds(300))), (["brief"], room(12)),
        ]
        let unable = ClaimExclusions(kinds: ["video"])
        let first = limiter.allowance(slots, unable, rooms: rooms, at: start)
        #expect(first.slots == [.interactive: 5, .background: 0])
        #expect(first.wait == .milliseconds(300) && first.excluded == unable)
        let later = limiter.allowance(slots, unable, rooms: rooms, at: start + .seconds(1))
        #expect(later.slots == [.interactive: 5, .background: 12])
        #expect(later.excluded.kinds == ["video", "research"] && later.wait == .milliseconds(300))
        let free = limiter.allowance(slots, unable, rooms: [(["research"], room(1))], at: start + .seconds(2))
        #expect(free.slots[.background] == 1 && free.excluded == unable && free.wait == nil)
        let full = limiter.allowance(slots, unable, rooms: rooms, at: start + .seconds(3))
        #expect(full.slots[.background] == 0, "the second begins anew")
    }
}
