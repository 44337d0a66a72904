import TestSupport
import Testing

@testable import JobQueue

@Suite struct ModelBatchTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func makeBatch() -> ModelBatch {
        ModelBatch(
            id: "b1", provider: "claude", model: "sonnet", lines: 3, fingerprint: "f",
            firstLineAt: start - .seconds(600),
            sealedAt: start)
    }

    /// A batch that has seen events, one a second.
    private func makeBatch(after events: [ModelBatch.Event]) -> ModelBatch {
        var batch = makeBatch()
        for (second, event) in events.enumerated() {
            batch.see(event, at: start + .seconds(second))
        }
        return batch
    }

    private static let allEvents: [ModelBatch.Event] = [
        .taken, .created(providerID: "p1"), .refused, .answerLost(isUncreated: false), .answerLost(isUncreated: true),
        .leaseEnded, .listed(providerID: "p2"), .listed(providerID: nil), .pending, .ended, .gone, .foreign, .settled,
    ]

    private static let ways: [ModelBatch.State: [ModelBatch.Event]] = [
        .sealed: [],
        .sending: [.taken],
        .out: [.taken, .created(providerID: "p1")],
        .unclear: [.taken, .leaseEnded],
        .refused: [.taken, .refused],
        .ended: [.taken, .created(providerID: "p1"), .ended],
        .collected: [.taken, .created(providerID: "p1"), .ended, .settled],
    ]

    /// The whole table: the state after each event that fits; every other event changes nothing.
    private static func expectation(_ state: ModelBatch.State, _ event: ModelBatch.Event) -> ModelBatch.State? {
        switch (state, event) {
        case (.sealed, .taken): .sending
        case (.sending, .created): .out
        case (.sending, .refused): .refused
        case (.sending, .answerLost), (.sending, .leaseEnded): .unclear
        case (.unclear, .listed(providerID: .some)): .out
        case (.unclear, .listed(providerID: nil)), (.unclear, .pending): .unclear
        case (.out, .pending): .out
        case (.out, .ended), (.out, .gone), (.ended, .pending): .ended
        case (.ended, .settled), (.refused, .settled): .collected
        default: nil
        }
    }

    @Test func everyEventInEveryStateFollowsTheTable() throws {
        for state in ModelBatch.State.allCases {
            for event in Self.allEvents {
                let before = makeBatch(after: try #require(Self.ways[state]))
                #expect(before.state == state)
                var batch = before
                let fits = batch.apply(event, at: start + .seconds(30))
                if let next = Self.expectation(state, event) {
                    #expect(fits && batch.state == next, "\(state) \(event)")
                    #expect((batch.dueAt == nil) == (next == .collected), "\(state) \(event)")
                } else {
                    #expect(!fits && batch == before, "\(state) \(event)")
                }
            }
        }
    }

    @Test func theStoredFormHoldsEverything() throws {
        for way in Self.ways.values {
            let batch = makeBatch(after: way)
            let read = ModelBatch(id: "b1", provider: "claude", model: "sonnet", encoded: batch.encoded)
            #expect(read == batch)
        }
        var adopted = makeBatch(after: [.taken, .leaseEnded, .listed(providerID: "p9"), .ended, .foreign])
        #expect(adopted.foreignIDs == ["p9"])
        #expect(ModelBatch(id: "b1", provider: "claude", model: "sonnet", encoded: adopted.encoded) == adopted)
        let isTakenTwice = adopted.apply(.listed(providerID: "p9"), at: start)
        #expect(!isTakenTwice)
        #expect(ModelBatch(id: "b1", provider: "claude", model: "sonnet", encoded: "{}") == nil)
    }

    @Test func anUnclearBatchIsLookedForSoonAndSentOnceMoreAfterFifteenMinutes() {
        var batch = makeBatch(after: [.taken])
        batch.see(.answerLost(isUncreated: false), at: start)
        var looks: [Int64] = []
        while batch.state == .unclear, let due = batch.dueAt {
            looks.append((due - start).wholeMilliseconds / 1000)
            batch.see(.listed(providerID: nil), at: due)
        }
        #expect(looks == [5, 15, 30, 60, 180, 300, 420, 540, 660, 780, 900])
        #expect(batch.state == .sealed)
        batch.see(.taken, at: start + .seconds(901))
        #expect(batch.creations == 2)
    }

    @Test func aBatchThatMayExistTwiceIsNotSentAgain() {
        var batch = makeBatch(after: [.taken, .leaseEnded])
        batch.see(.listed(providerID: nil), at: start + .seconds(1000))
        batch.see(.taken, at: start + .seconds(1000))
        batch.see(.leaseEnded, at: start + .seconds(1100))
        for hour in 1...71 {
            batch.see(.listed(providerID: nil), at: start + .seconds(1100 + hour * 3600))
            #expect(batch.state == .unclear)
        }
        var late = batch
        late.see(.listed(providerID: "p1"), at: start + .seconds(258_000))
        #expect(late.state == .out)
        batch.see(.listed(providerID: nil), at: start + .seconds(300_000))
        #expect(batch.state == .refused, "after three days nothing is expected any more")
    }

    @Test func aCreationThatSurelyDidNotHappenDoesNotCount() {
        var batch = makeBatch()
        for hour in 0..<5 {
            let now = start + .seconds(hour * 3600)
            batch.see(.taken, at: now)
            batch.see(.answerLost(isUncreated: true), at: now)
            batch.see(.listed(providerID: nil), at: now + .seconds(900))
            #expect(batch.state == .sealed)
        }
    }

    @Test func aListThatCannotBeReadShowsNothing() {
        var batch = makeBatch(after: [.taken, .leaseEnded])
        batch.see(.pending, at: start + .seconds(2000))
        #expect(batch.state == .unclear)
        batch.see(.listed(providerID: nil), at: start + .seconds(2120))
        #expect(batch.state == .sealed)
    }

    @Test func aBatchIsAskedForAfterOneTwoAndFourMinutesAndEveryFiveMinutes() {
        var batch = makeBatch(after: [.taken])
        batch.see(.created(providerID: "p1"), at: start)
        var polls: [Int64] = []
        for _ in 0..<6 {
            guard let due = batch.dueAt else { break }
            polls.append((due - start).wholeMilliseconds / 1000)
            batch.see(.pending, at: due)
        }
        #expect(polls == [60, 120, 240, 540, 840, 1140])
    }

    @Test func onlyABatchThatWasFoundInTheListCanTurnOutToBeAnother() {
        var sent = makeBatch(after: [.taken, .created(providerID: "p1"), .ended])
        let isForeign = sent.apply(.foreign, at: start)
        #expect(!isForeign)
        var found = makeBatch(after: [.taken, .leaseEnded, .listed(providerID: "p1"), .ended])
        found.see(.foreign, at: start + .seconds(3600))
        #expect(found.state == .unclear && found.providerID == nil)
    }

    /// A provider that creates batches or does not, answers or does not, with a worker that dies after any commit: the
    /// request leaves only after `sending` was stored, and a batch is created twice only after it was looked for in vain
    /// for fifteen minutes.
    @Test(arguments: 0..<200 as Range<UInt64>)
    func noBatchIsSentWithoutACommitOrWhileItMayBeAtTheProvider(_ seed: UInt64) throws {
        var generator = SeededRandom(seed: seed)
        var stored = makeBatch()
        var created: [(id: String, at: Timestamp)] = []
        var now = start
        for _ in 0..<60 {
            guard let due = stored.dueAt else { break }
            now = max(now, due)
            var batch = stored
            let dies = Int.random(in: 0..<3, using: &generator) == 0
            switch batch.state {
            case .sealed:
                batch.see(.taken, at: now)
                stored = batch
                if dies { continue }
                // The request leaves, `sending` is stored.
                let exists = Bool.random(using: &generator)
                if exists {
                    if let last = created.last { #expect(now - last.at >= BatchBounds().unclear) }
                    created.append(("p\(created.count)", now))
                }
                let isHeard = Bool.random(using: &generator)
                if Bool.random(using: &generator) { continue }
                if exists, isHeard {
                    batch.see(.created(providerID: "p\(created.count - 1)"), at: now)
                } else if isHeard {
                    batch.see(.refused, at: now)
                } else {
                    batch.see(.answerLost(isUncreated: false), at: now)
                }
            case .sending: batch.see(.leaseEnded, at: now)
            case .unclear:
                // The list of a provider may be late, but not by fifteen minutes.
                let isListed = Bool.random(using: &generator) || now - (created.last?.at ?? now) > .seconds(600)
                batch.see(.listed(providerID: isListed ? created.last?.id : nil), at: now)
            case .out: batch.see(Bool.random(using: &generator) ? .pending : .ended, at: now)
            case .ended, .refused: batch.see(.settled, at: now)
            case .collected: break
            }
            if !dies { stored = batch }
        }
        #expect(created.count <= 1, "the list of this provider shows a batch in time, so none is bought twice")
    }
}

@Suite struct BatchRuleTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    private func gathering(
        _ lines: Int = 1, bytes: Int = 100, last: Int = 0, isHurried: Bool = false, hasAlone: Bool = false
    ) -> Gathering {
        Gathering(
            provider: "claude", model: "sonnet", lines: lines, bytes: bytes, firstAt: start,
            lastAt: start + .seconds(last), isHurried: isHurried, hasAlone: hasAlone)
    }

    @Test func linesGatherForTenMinutesOrTenSecondsAfterTheLastWhereTimeIsShort() {
        #expect(gathering(999, last: 500).sealsAt() == start + .seconds(600))
        #expect(gathering(last: 3, isHurried: true).sealsAt() == start + .seconds(13))
        #expect(gathering(last: 599, isHurried: true).sealsAt() == start + .seconds(600))
        #expect(gathering(1000, last: 30).sealsAt() == start)
        #expect(gathering(bytes: 50_000_000).sealsAt() == start)
        #expect(gathering(hasAlone: true).sealsAt() == start)
    }

    @Test func shorterBoundsShortenEveryPause() {
        var bounds = BatchBounds()
        (bounds.gather, bounds.gatherHurried, bounds.lines) = (.seconds(60), .seconds(1), 5)
        #expect(gathering(4).sealsAt(by: bounds) == start + .seconds(60))
        #expect(gathering(4, last: 3, isHurried: true).sealsAt(by: bounds) == start + .seconds(4))
        #expect(gathering(5, last: 3).sealsAt(by: bounds) == start)

        (bounds.poll, bounds.unclear) = (.seconds(10), .seconds(90))
        var batch = ModelBatch(
            id: "b1", provider: "claude", model: "sonnet", lines: 3, fingerprint: "f", firstLineAt: start,
            sealedAt: start)
        batch.see(.taken, at: start, by: bounds)
        batch.see(.leaseEnded, at: start, by: bounds)
        var looks: [Int64] = []
        while batch.state == .unclear, let due = batch.dueAt {
            looks.append((due - start).wholeMilliseconds)
            batch.see(.listed(providerID: nil), at: due, by: bounds)
        }
        #expect(looks == [500, 1500, 3000, 6000, 18_000, 30_000, 42_000, 54_000, 66_000, 78_000, 90_000])
        batch.see(.taken, at: start, by: bounds)
        batch.see(.created(providerID: "p1"), at: start, by: bounds)
        var polls: [Int64] = []
        for _ in 0..<4 {
            guard let due = batch.dueAt else { break }
            polls.append((due - start).wholeMilliseconds)
            batch.see(.pending, at: due, by: bounds)
        }
        #expect(polls == [2000, 4000, 8000, 18_000])
    }

    @Test func theLastChanceIsAQuarterOfTheTimeBeforeTheDeadlineAndHalfAnHourAtLeast() {
        let hour: Duration = .seconds(3600)
        #expect(BatchTimes.lastChance(deadline: start, within: hour) == start - .seconds(1800))
        #expect(BatchTimes.lastChance(deadline: start, within: hour * 2) == start - .seconds(1800))
        #expect(BatchTimes.lastChance(deadline: start, within: hour * 6) == start - .seconds(5400))
        #expect(BatchTimes.lastChance(deadline: start, within: hour * 24) == start - .seconds(6 * 3600))
    }

    @Test func theEstimateIsAnHourAtFirstAndThenTheSlowTenthOfRecentBatches() {
        #expect(BatchTimes.estimate(recent: []) == .seconds(3600))
        #expect(BatchTimes.estimate(recent: [.seconds(7)]) == .seconds(7))
        #expect(BatchTimes.estimate(recent: (1...50).shuffled().map { .seconds($0) }) == .seconds(46))
    }

    @Test func theIdOfALineIsTheDigestOfItsJobStepInputAndTry() {
        let job = JobID(high: 1, low: 2)
        let key = BatchLineKey(job: job, step: "draft", occurrence: 0, inputHash: "h")
        var ids: Set<String> = [key.customID(try: 1), key.customID(try: 2)]
        ids.insert(BatchLineKey(job: job, step: "draft", occurrence: 1, inputHash: "h").customID(try: 1))
        ids.insert(BatchLineKey(job: job, step: "repair", occurrence: 0, inputHash: "h").customID(try: 1))
        ids.insert(BatchLineKey(job: job, step: "draft", occurrence: 0, inputHash: "i").customID(try: 1))
        ids.insert(
            BatchLineKey(job: JobID(high: 1, low: 3), step: "draft", occurrence: 0, inputHash: "h").customID(try: 1))
        #expect(ids.count == 6)
        for id in ids {
            #expect(id.utf8.count == 42 && id.hasPrefix("d-"))
            #expect(id.dropFirst(2).utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
        }
        #expect(key.customID(try: 1) == BatchLineKey(job: job, step: "draft/0", inputHash: "h").customID(try: 1))
    }
}

extension ModelBatch {
    /// Applies an event that has to fit.
    fileprivate mutating func see(
        _ event: Event, at now: Timestamp, by bounds: BatchBounds = BatchBounds(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let fits = apply(event, at: now, by: bounds)
        #expect(fits, sourceLocation: sourceLocation)
    }
}
