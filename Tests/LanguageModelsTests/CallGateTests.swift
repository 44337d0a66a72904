import Testing

@testable import LanguageModels

@Suite struct CallGateTests {
    /// Lets other tasks run until the gate has that many waiting.
    private func settle(_ gate: AsyncSemaphore, waiting: Int) async {
        for _ in 0..<100_000 where gate.waiting != waiting { await Task.yield() }
        #expect(gate.waiting == waiting)
    }

    @Test func whoCameFirstIsLetInFirst() async {
        let gate = AsyncSemaphore(limit: 1, reserve: 0)
        #expect(await gate.enter(isInteractive: false))
        let order = Collector<Int>()
        var tasks: [Task<Void, Never>] = []
        for number in 0..<5 {
            tasks.append(
                Task {
                    _ = await gate.enter(isInteractive: false)
                    order.add(number)
                    gate.leave()
                })
            await settle(gate, waiting: number + 1)
        }
        gate.leave()
        for task in tasks { await task.value }
        #expect(order.values == [0, 1, 2, 3, 4])
        #expect(gate.inFlight == 0)
    }

    @Test func placesAreKeptForThoseInFrontOfAScreen() async {
        let gate = AsyncSemaphore(limit: 3, reserve: 1)
        #expect(await gate.enter(isInteractive: false))
        #expect(await gate.enter(isInteractive: false))
        let background = Task { await gate.enter(isInteractive: false) }
        await settle(gate, waiting: 1)
        #expect(await gate.enter(isInteractive: true))
        #expect(gate.inFlight == 3)
        gate.leave()
        await settle(gate, waiting: 1)
        gate.leave()
        #expect(await background.value)
        #expect(gate.inFlight == 2)
    }

    @Test func thoseInFrontOfAScreenGoFirst() async {
        let gate = AsyncSemaphore(limit: 1, reserve: 0)
        _ = await gate.enter(isInteractive: false)
        let order = Collector<String>()
        let background = Task {
            _ = await gate.enter(isInteractive: false)
            order.add("background")
            gate.leave()
        }
        await settle(gate, waiting: 1)
        let interactive = Task {
            _ = await gate.enter(isInteractive: true)
            order.add("interactive")
            gate.leave()
        }
        await settle(gate, waiting: 2)
        gate.leave()
        await background.value
        await interactive.value
        #expect(order.values == ["interactive", "background"])
    }

    @Test func whoIsCancelledLeavesTheLine() async {
        let gate = AsyncSemaphore(limit: 1, reserve: 0)
        _ = await gate.enter(isInteractive: false)
        let task = Task { await gate.enter(isInteractive: false) }
        await settle(gate, waiting: 1)
        task.cancel()
        #expect(await task.value == false)
        #expect(gate.waiting == 0)
        gate.leave()
        #expect(gate.inFlight == 0)
        #expect(await gate.enter(isInteractive: false))
    }

    @Test func aRaceOfCancellationsLosesNoPlace() async {
        let gate = AsyncSemaphore(limit: 3, reserve: 1)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<500 {
                group.addTask {
                    let task = Task {
                        guard await gate.enter(isInteractive: number.isMultiple(of: 5)) else { return }
                        await Task.yield()
                        gate.leave()
                    }
                    if number.isMultiple(of: 3) { task.cancel() }
                    await task.value
                }
            }
        }
        #expect(gate.inFlight == 0)
        #expect(gate.waiting == 0)
    }

    @Test func aGrownLimitLetsTheNextIn() async {
        let gate = AsyncSemaphore(limit: 1, reserve: 0)
        _ = await gate.enter(isInteractive: false)
        let task = Task { await gate.enter(isInteractive: false) }
        await settle(gate, waiting: 1)
        gate.setLimit(2)
        #expect(await task.value)
    }
}
