import SQLSupport
import Foundation
import JobQueue
import Synchronization
import Testing
import Basics

@testable import PostgresStore

@Suite struct BatchDeskTests {
    /// A desk whose batches are refused, each by the number of the thread that took it.
    private final class Refusers: Sendable {
        let desk = BatchExecutor(timeout: .seconds(60), concurrency: 3)
        let queue: BatchQueue<Void, Timestamp>
        let sizes = Mutex<[Int]>([])
        private let threads = ThreadGroup()

        init(pause: Duration) {
            var verb = BatchOperation<Void, Timestamp>.clock
            verb.gathering = BatchingPolicy.Rule(pause: pause, enough: 16)
            queue = desk.queue(verb)
        }

        func start(_ name: String) {
            let leave = threads.enter()
            let isStarted = Thread.start { [self] in
                while let batch = desk.next() {
                    sizes.withLock { $0.append(batch.size) }
                    desk.settle(batch)
                    batch.answer(failing: .unexpected(reason: name))
                    desk.finish(batch)
                }
                leave()
            }
            if !isStarted { leave() }
        }

        /// Who answered.
        func ask() async -> String {
            do throws(StoreError) {
                _ = try await desk.perform((), in: queue)
                return "nobody"
            } catch {
                if case .unexpected(let name) = error { return name }
                return "\(error)"
            }
        }

        /// When so many threads sleep.
        func untilAsleep(_ count: Int) async {
            while desk.sleeperCount < count { await Task.yield() }
        }

        func untilWaiting(_ count: Int) async {
            while desk.waitingCount(in: queue) < count { await Task.yield() }
        }

        func close() async {
            desk.close()
            await threads.ended()
        }
    }

    @Test func theThreadThatRanLastIsWokenFirst() async {
        let refusers = Refusers(pause: .zero)
        for (count, name) in ["one", "two", "three"].enumerated() {
            refusers.start(name)
            await refusers.untilAsleep(count + 1)
        }
        for _ in 0..<20 {
            #expect(await refusers.ask() == "three")
            await refusers.untilAsleep(3)
        }
        await refusers.close()
    }

    /// The pause is longer than the test: only what a lone caller is spared lets it end.
    @Test func aLoneCallerIsAnsweredAtOnceHoweverLongThePause() async {
        let refusers = Refusers(pause: .seconds(3600))
        refusers.start("one")
        for _ in 0..<50 { #expect(await refusers.ask() == "one") }
        await refusers.close()
        #expect(refusers.sizes.withLock { $0 } == Array(repeating: 1, count: 50))
    }

    @Test func whatWaitsForOthersGoesWhenThePauseIsOver() async {
        let refusers = Refusers(pause: .milliseconds(1))
        // Nobody takes them yet, so they are on their way together.
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { await refusers.ask() } }
            await refusers.untilWaiting(5)
            refusers.start("one")
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: "one", count: 5))
        // The next one comes alone and has to wait, as five were there a moment ago.
        #expect(await refusers.ask() == "one")
        await refusers.close()
        #expect(refusers.sizes.withLock { $0 } == [5, 1])
    }

    @Test func aDeskThatClosesHoldsNothingBack() async {
        let refusers = Refusers(pause: .seconds(3600))
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { await refusers.ask() } }
            await refusers.untilWaiting(4)
            refusers.start("one")
            for _ in 0..<4 { #expect(await group.next() == "one") }
            group.addTask { await refusers.ask() }
            await refusers.untilWaiting(1)
            refusers.desk.close()
            #expect(await group.next() == "one")
        }
        await refusers.close()
    }

    /// Threads are played here by the test, which takes no batch that is not there.
    @Test func aCrowdGetsASecondBatchBesideTheFirst() async {
        let desk = BatchExecutor(timeout: .seconds(60), concurrency: 1)
        var verb = BatchOperation<Void, Timestamp>.clock
        verb.crowd = 3
        let queue = desk.queue(verb)
        await withTaskGroup(of: Void.self) { group in
            func leave(_ count: Int) async {
                let waiting = desk.waitingCount(in: queue)
                for _ in 0..<count { group.addTask { _ = try? await desk.perform((), in: queue) } }
                while desk.waitingCount(in: queue) < waiting + count { await Task.yield() }
            }
            await leave(1)
            var batches = [desk.next()].compactMap(\.self)
            await leave(2)
            #expect(!queue.mayBegin(beside: 1))
            await leave(1)
            batches += [desk.next()].compactMap(\.self)
            await leave(3)
            #expect(!queue.mayBegin(beside: 1), "two run")
            #expect(batches.map(\.size) == [1, 3])
            for batch in batches {
                batch.answer(failing: BatchExecutor.closed)
                desk.finish(batch)
            }
            let last = desk.next()
            last?.answer(failing: BatchExecutor.closed)
            #expect(last?.size == 3)
        }
        desk.close()
    }
}
