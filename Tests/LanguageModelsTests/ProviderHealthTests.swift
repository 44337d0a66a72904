import Testing

@testable import LanguageModels

@Suite struct AdaptiveLimitTests {
    @Test func aBurstOf429sShrinksTheLimitOnce() {
        var limit = AdaptiveLimit(highest: 32)
        for _ in 0..<10 { limit.wasRateLimited(callFrom: .seconds(1), at: .seconds(2), retryAfter: .seconds(3)) }
        #expect(limit.current == 16)
        #expect(limit.blocked(at: .seconds(4)) == .seconds(1))
        #expect(limit.blocked(at: .seconds(5)) == nil)
        limit.wasRateLimited(callFrom: .seconds(5), at: .seconds(6), retryAfter: nil)
        #expect(limit.current == 8)
        #expect(limit.blocked(at: .seconds(6)) == .seconds(1))
    }

    @Test func theLimitNeverFallsBelowOneAndGrowsBackSlowly() {
        var limit = AdaptiveLimit(highest: 4)
        for second in 1...10 {
            limit.wasRateLimited(callFrom: .seconds(second), at: .seconds(second), retryAfter: .zero)
            // Calls that began at the time of a shrink belong to the burst.
            limit.wasRateLimited(callFrom: .seconds(second), at: .seconds(second), retryAfter: .zero)
        }
        #expect(limit.current == 1)
        limit.succeeded()
        #expect(limit.current == 2)
        limit.succeeded()
        #expect(limit.current == 2)
        for _ in 0..<100 { limit.succeeded() }
        #expect(limit.current == 4)
    }

    @Test func aShorterPauseDoesNotEndALongerOne() {
        var limit = AdaptiveLimit(highest: 4)
        limit.block(for: .seconds(60), at: .zero)
        limit.block(for: .seconds(1), at: .seconds(1))
        #expect(limit.blocked(at: .seconds(10)) == .seconds(50))
    }

    @Test func onlyA429TakesPermitsAway() {
        let state = ProviderState(highestLimit: 4, reserved: 0, breaker: .init())
        _ = state.finished(ending(.serverError))
        #expect(state.calls.permits == 4)
        _ = state.finished(ending(.rateLimited))
        #expect(state.calls.permits == 2)
    }

    @Test func anOverloadedProviderIsNotAskedBeforeTheTimeThatItNames() {
        let state = ProviderState(highestLimit: 4, reserved: 0, breaker: .init())
        var overloaded = ending(.overloaded)
        overloaded.error?.retryAfter = .seconds(7)
        _ = state.finished(overloaded)
        #expect(state.obstacle(to: "m", at: .seconds(2)) == .blocked(.seconds(6)))
    }

    private func ending(_ kind: ModelError.Kind) -> ProviderState.Ending {
        .init(model: "m", error: ModelError(kind), activity: .init(startedAt: .zero), at: .seconds(1))
    }
}

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
