import SQLSupport
import Foundation
import JobQueue
import Synchronization
import Testing
import Basics

@testable import PostgresStore

@Suite struct BatchExecutorTests {
    /// An executor whose threads refuse every batch with their own name as the reason.
    private final class RefusingThreads: Sendable {
        let executor = BatchExecutor(timeout: .seconds(60), threads: 3, concurrency: 3)
        let queue: BatchQueue<Void, Timestamp>
        let sizes = Mutex<[Int]>([])
        private let threads = ThreadGroup()

        init(pause: Duration) {
            var operation = BatchOperation<Void, Timestamp>.clock
            operation.batching = BatchingPolicy.Rule(pause: pause, enough: 16)
            queue = executor.queue(operation)
        }

        func start(_ name: String) {
            let leave = threads.enter()
            let isStarted = Thread.start { [self] in
                while let batch = executor.next() {
                    sizes.withLock { $0.append(batch.size) }
                    executor.settle(batch)
                    batch.answer(failing: .unexpected(reason: name))
                    executor.finish(batch)
                }
                leave()
            }
            if !isStarted { leave() }
        }

        /// Sends a request, and returns the name of the thread that refused it.
        func ask() async -> String {
            do throws(StoreError) {
                _ = try await executor.perform((), in: queue)
                return "no thread"
            } catch {
                if case .unexpected(let name) = error { return name }
                return "\(error)"
            }
        }

        /// Waits until the given number of threads are idle.
        func untilIdle(_ count: Int) async {
            while executor.idleThreadCount < count { await Task.yield() }
        }

        func untilWaiting(_ count: Int) async {
            while executor.waitingCount(in: queue) < count { await Task.yield() }
        }

        func close() async {
            executor.close()
            await threads.ended()
        }
    }

    @Test func theThreadThatRanLastIsWokenFirst() async {
        let refusing = RefusingThreads(pause: .zero)
        for (count, name) in ["one", "two", "three"].enumerated() {
            refusing.start(name)
            await refusing.untilIdle(count + 1)
        }
        for _ in 0..<20 {
            #expect(await refusing.ask() == "three")
            await refusing.untilIdle(3)
        }
        await refusing.close()
    }

    /// The pause is longer than the test, which only ends because a lone caller does not wait.
    @Test func aLoneCallerIsAnsweredAtOnceDespiteALongPause() async {
        let refusing = RefusingThreads(pause: .seconds(3600))
        refusing.start("one")
        for _ in 0..<50 { #expect(await refusing.ask() == "one") }
        await refusing.close()
        #expect(refusing.sizes.withLock { $0 } == Array(repeating: 1, count: 50))
    }

    @Test func waitingRequestsAreSentWhenThePauseIsOver() async {
        let refusing = RefusingThreads(pause: .milliseconds(1))
        // No thread takes them yet, so they are active together.
        let names = await withTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { await refusing.ask() } }
            await refusing.untilWaiting(5)
            refusing.start("one")
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: "one", count: 5))
        // The next request comes alone and waits, since five were active just before.
        #expect(await refusing.ask() == "one")
        await refusing.close()
        #expect(refusing.sizes.withLock { $0 } == [5, 1])
    }

    @Test func aClosingExecutorSendsWaitingRequestsAtOnce() async {
        let refusing = RefusingThreads(pause: .seconds(3600))
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { await refusing.ask() } }
            await refusing.untilWaiting(4)
            refusing.start("one")
            for _ in 0..<4 { #expect(await group.next() == "one") }
            group.addTask { await refusing.ask() }
            await refusing.untilWaiting(1)
            refusing.executor.close()
            #expect(await group.next() == "one")
        }
        await refusing.close()
    }

    /// The test acts as the threads, and takes only batches that exist.
    @Test func manyWaitingRequestsGetASecondBatchBesideTheFirst() async {
        let executor = BatchExecutor(timeout: .seconds(60), threads: 1, concurrency: 1)
        var operation = BatchOperation<Void, Timestamp>.clock
        operation.overflow = 3
        let queue = executor.queue(operation)
        await withTaskGroup(of: Void.self) { group in
            func send(_ count: Int) async {
                let waiting = executor.waitingCount(in: queue)
                for _ in 0..<count { group.addTask { _ = try? await executor.perform((), in: queue) } }
                while executor.waitingCount(in: queue) < waiting + count { await Task.yield() }
            }
            await send(1)
            var batches = [executor.next()].compactMap(\.self)
            await send(2)
            #expect(!queue.mayBegin(beside: 1))
            await send(1)
            batches += [executor.next()].compactMap(\.self)
            await send(3)
            #expect(!queue.mayBegin(beside: 1), "two run")
            #expect(batches.map(\.size) == [1, 3])
            for batch in batches {
                batch.answer(failing: BatchExecutor.closed)
                executor.finish(batch)
            }
            let last = executor.next()
            last?.answer(failing: BatchExecutor.closed)
            #expect(last?.size == 3)
        }
        executor.close()
    }

    /// The test acts as the two threads.
    @Test func requestsThatReadWholeTablesLeaveAThreadToOthers() async {
        let executor = BatchExecutor(timeout: .seconds(60), threads: 2, concurrency: 2)
        var operation = BatchOperation<Void, Timestamp>.clock
        let usual = executor.queue(operation)
        operation.scansTables = true
        operation.limit = 1
        let (scan, other) = (executor.queue(operation), executor.queue(operation))
        await withTaskGroup(of: Void.self) { group in
            for queue in [scan, scan, other] {
                let waiting = executor.waitingCount(in: queue)
                group.addTask { _ = try? await executor.perform((), in: queue) }
                while executor.waitingCount(in: queue) == waiting { await Task.yield() }
            }
            let first = executor.next()
            #expect(first?.queue === scan)
            group.addTask { _ = try? await executor.perform((), in: usual) }
            while executor.waitingCount(in: usual) < 1 { await Task.yield() }
            let second = executor.next()
            #expect(second?.queue === usual, "it came last")
            for batch in [first, second].compactMap(\.self) {
                batch.answer(failing: BatchExecutor.closed)
                executor.finish(batch)
            }
            for _ in 0..<2 {
                let next = executor.next()
                next?.answer(failing: BatchExecutor.closed)
                if let next { executor.finish(next) }
                #expect(next?.queue.scansTables == true)
            }
        }
        executor.close()
    }

    @Test func onlyRequestsOfTheUsualLengthTellOfAnOutage() async {
        let executor = BatchExecutor(timeout: .seconds(60), threads: 2, concurrency: 2)
        var operation = BatchOperation<Void, Timestamp>.clock
        let usual = executor.queue(operation)
        operation.timeout = .seconds(60)
        let long = executor.queue(operation)
        let later = ContinuousClock.now + .seconds(3600)
        for (queue, tells) in [(long, false), (usual, true)] {
            for isRunning in [false, true] {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try? await executor.perform((), in: queue) }
                    while executor.waitingCount(in: queue) < 1 { await Task.yield() }
                    let batch = isRunning ? executor.next() : nil
                    #expect((executor.answerExpired(at: later) != nil) == tells)
                    if let batch { executor.finish(batch) }
                }
            }
        }
        executor.close()
    }
}
