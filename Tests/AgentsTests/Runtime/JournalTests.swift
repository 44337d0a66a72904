import JSON
import JobQueue
import SQLiteStore
import Synchronization
import Testing

@testable import Agents

@Suite struct JournalTests {
    /// Counts the runs of work.
    private final class Work: Sendable {
        private let done = Mutex<[String]>([])
        var log: [String] { done.withLock { $0 } }

        func step(_ name: String, _ input: JSON, in journal: Journal, gives output: JSON) async throws -> Journal.Entry
        {
            try await journal.step(name, input: input) {
                self.done.withLock { $0.append(name) }
                return (output, [])
            }
        }
    }

    @Test func secondRunTakesTheJournalledOutputOfTheFirst() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit()
            let work = Work()
            let first = try await Journal(of: try await test.claim().lease, in: test.store)
            _ = try await work.step("gather", ["ticker": "AAPL"], in: first, gives: ["n": 1.50])
            try await test.rescue()
            let second = try await Journal(of: try await test.claim(by: "w2").lease, in: test.store)
            let entry = try await work.step("gather", ["ticker": "AAPL"], in: second, gives: ["n": 2])
            #expect(entry.isReplayed && entry.output == ["n": 1.50] && work.log == ["gather"])
            let next = try await work.step("draft", ["a": 1], in: second, gives: 3)
            #expect(!next.isReplayed && next.sequence > entry.sequence)
            #expect(try await test.steps(of: id) == ["gather", "draft"])
        }
    }

    @Test func orderOfAnInputsMembersDoesNotMatter() async throws {
        try await StoreFixture.run { test in
            try await test.submit()
            let work = Work()
            let lease = try await test.claim().lease
            _ = try await work.step("s", ["a": 1, "b": 2], in: Journal(of: lease, in: test.store), gives: 1)
            _ = try await work.step("s", ["b": 2, "a": 1.0], in: Journal(of: lease, in: test.store), gives: 2)
            #expect(work.log == ["s"])
        }
    }

    @Test func changedInputDropsItsStepAndAllLaterOnes() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit()
            let work = Work()
            let lease = try await test.claim().lease
            let first = try await Journal(of: lease, in: test.store)
            for name in ["one", "two", "three"] { _ = try await work.step(name, 1, in: first, gives: 1) }
            let second = try await Journal(of: lease, in: test.store)
            #expect(try await work.step("one", 1, in: second, gives: 9).isReplayed)
            #expect(try await !work.step("two", 2, in: second, gives: 9).isReplayed)
            #expect(try await test.steps(of: id) == ["one", "two"])
            // The third step's input is unchanged, but it follows a changed one.
            #expect(try await !work.step("three", 1, in: second, gives: 9).isReplayed)
            #expect(work.log == ["one", "two", "three", "two", "three"])
            #expect(try await test.store.journal(of: id).map(\.output) == [1, 9, 9])
        }
    }

    @Test func stepsOfOneNameAreDistinguishedByTheirOrder() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit()
            let work = Work()
            let lease = try await test.claim().lease
            let first = try await Journal(of: lease, in: test.store)
            for place in 0..<3 { _ = try await work.step("page", 1, in: first, gives: JSON(place)) }
            let second = try await Journal(of: lease, in: test.store)
            for place in 0..<3 {
                #expect(try await work.step("page", 1, in: second, gives: 9).output == JSON(place))
            }
            #expect(work.log.count == 3)
            #expect(try await test.store.journal(of: id).map(\.occurrence) == [0, 1, 2])
        }
    }

    @Test func lostLeaseInterruptsAndNothingIsStored() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit()
            let work = Work()
            let lease = try await test.claim().lease
            let journal = try await Journal(of: lease, in: test.store)
            try await test.rescue()
            await expectInterrupted { _ = try await work.step("gather", 1, in: journal, gives: 1) }
            #expect(work.log == ["gather"])
            #expect(try await test.steps(of: id) == [])
            await expectInterrupted { _ = try await Journal(of: lease, in: test.store) }
        }
    }

    @Test func stepCanBeReadAgainWhileTheLeaseHolds() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit()
            let work = Work()
            let journal = try await Journal(of: try await test.claim().lease, in: test.store)
            _ = try await work.step("gather", 1, in: journal, gives: ["n": 1.50])
            _ = try await work.step("draft", 1, in: journal, gives: "text")
            #expect(try await journal.reread("gather").output == ["n": 1.50])
            let replay = Journal(replaying: try await test.store.journal(of: id))
            _ = try await work.step("gather", 1, in: replay, gives: 9)
            #expect(try await replay.reread("gather").output == ["n": 1.50])
            #expect(work.log == ["gather", "draft"])
            try await test.rescue()
            await expectInterrupted { _ = try await journal.reread("gather") }
        }
    }

    @Test func failedStepIsNotStored() async throws {
        try await StoreFixture.run { test in
            let id = try await test.submit()
            let journal = try await Journal(of: try await test.claim().lease, in: test.store)
            await #expect(throws: AgentError.self) {
                _ = try await journal.step("draft", input: 1) { () async throws -> JSON in
                    throw AgentError.snoozed(for: .seconds(1), reason: "resting")
                }
            }
            #expect(try await test.steps(of: id) == [])
        }
    }

    @Test func replayedJournalStopsAtItsEnd() async throws {
        let step = Step(name: "gather", occurrence: 0, inputHash: "", output: 1, sequence: 1)
        let journal = Journal(replaying: [step])
        let work = Work()
        await expectInterrupted { _ = try await work.step("gather", 1, in: journal, gives: 1) }
        #expect(work.log == [])
    }

    @Test func writeOfAPaidStepIsRetriedUntilTheRunIsStopped() async throws {
        try await StoreFixture.run { test in
            try await test.submit()
            let journal = try await Journal(of: try await test.claim().lease, in: test.store)
            await test.store.close()
            let (begun, begin) = AsyncStream<Void>.makeStream()
            let run = Task {
                try await journal.step("gather", input: 1) {
                    begin.finish()
                    return (1, [])
                }
            }
            for await _ in begun {}
            run.cancel()
            do {
                _ = try await run.value
                Issue.record("it was kept")
            } catch AgentError.interrupted {}
        }
    }
}
