import Testing

@testable import LanguageModels

@Suite struct AsyncSemaphoreTests {
    /// Lets other tasks run until a number of them wait.
    private func settle(_ semaphore: AsyncSemaphore, waiting: Int) async {
        for _ in 0..<100_000 where semaphore.waiting != waiting { await Task.yield() }
        #expect(semaphore.waiting == waiting)
    }

    @Test func permitsGoToTasksInTheOrderOfTheirArrival() async {
        let semaphore = AsyncSemaphore(permits: 1)
        #expect(await semaphore.acquire())
        let order = Collector<Int>()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            tasks.append(
                Task {
                    _ = await semaphore.acquire()
                    order.add(number)
                    semaphore.release()
                })
            await settle(semaphore, waiting: number + 1)
        }
        semaphore.release()
        for task in tasks { await task.value }
        #expect(order.values == [0, 1, 2, 3, 4])
        #expect(semaphore.acquired == 0)
    }

    @Test func reservedPermitsGoToHighPriorityOnly() async {
        let semaphore = AsyncSemaphore(permits: 3, reserved: 1)
        #expect(await semaphore.acquire())
        #expect(await semaphore.acquire())
        let normal = Task { await semaphore.acquire() }
        await settle(semaphore, waiting: 1)
        #expect(await semaphore.acquire(.high))
        #expect(semaphore.acquired == 3)
        semaphore.release()
        await settle(semaphore, waiting: 1)
        semaphore.release()
        #expect(await normal.value)
        #expect(semaphore.acquired == 2)
    }

    @Test func highPriorityGoesFirst() async {
        let semaphore = AsyncSemaphore(permits: 1)
        _ = await semaphore.acquire()
        let order = Collector<String>()
        let normal = Task {
            _ = await semaphore.acquire()
            order.add("normal")
            semaphore.release()
        }
        await settle(semaphore, waiting: 1)
        let high = Task {
            _ = await semaphore.acquire(.high)
            order.add("high")
            semaphore.release()
        }
        await settle(semaphore, waiting: 2)
        semaphore.release()
        await normal.value
        await high.value
        #expect(order.values == ["high", "normal"])
    }

    @Test func aCancelledTaskLeavesTheQueue() async {
        let semaphore = AsyncSemaphore(permits: 1)
        _ = await semaphore.acquire()
        let task = Task { await semaphore.acquire() }
        await settle(semaphore, waiting: 1)
        task.cancel()
        #expect(await task.value == false)
        #expect(semaphore.waiting == 0)
        semaphore.release()
        #expect(semaphore.acquired == 0)
        #expect(await semaphore.acquire())
    }

    @Test func aRaceOfCancellationsLosesNoPermit() async {
        let semaphore = AsyncSemaphore(permits: 3, reserved: 1)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let task = Task {
                        guard await semaphore.acquire(number.isMultiple(of: 5) ? .high : .normal) else { return }
                        await Task.yield()
                        semaphore.release()
                    }
                    if number.isMultiple(of: 3) { task.cancel() }
                    await task.value
                }
            }
        }
        #expect(semaphore.acquired == 0)
        #expect(semaphore.waiting == 0)
    }

    @Test func anAddedPermitGoesToTheNextTask() async {
        let semaphore = AsyncSemaphore(permits: 1)
        _ = await semaphore.acquire()
        let task = Task { await semaphore.acquire() }
        await settle(semaphore, waiting: 1)
        semaphore.setPermits(2)
        #expect(await task.value)
    }

    @Test func theBodyRunsWithAPermitAndReturnsIt() async throws {
        struct Failure: Error {}
        let semaphore = AsyncSemaphore(permits: 1)
        let held = await semaphore.withPermit { semaphore.acquired }
        #expect(held == 1)
        await #expect(throws: Failure.self) { try await semaphore.withPermit(priority: .high) { throw Failure() } }
        #expect(semaphore.acquired == 0)
        _ = await semaphore.acquire()
        let cancelled = Task { await semaphore.withPermit { true } }
        await settle(semaphore, waiting: 1)
        cancelled.cancel()
        #expect(await cancelled.value == nil)
    }
}
