import Synchronization
import Testing

@testable import Agents

@Suite struct GateTests {
    @Test func noMoreThanItsWidthAreInsideAndAllComeThrough() async {
        let gate = Gate(3)
        let seen = Mutex((inside: 0, most: 0, through: 0))
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    await gate.pass {
                        seen.withLock { seen in
                            seen.inside += 1
                            seen.most = max(seen.most, seen.inside)
                        }
                        await Task.yield()
                        seen.withLock { seen in
                            seen.inside -= 1
                            seen.through += 1
                        }
                    }
                }
            }
        }
        #expect(seen.withLock { $0.most } <= 3)
        #expect(seen.withLock { $0.through } == 200)
    }

    @Test func whoFailsInsideMakesRoomForTheNext() async {
        struct Trouble: Error {}
        let gate = Gate(1)
        await #expect(throws: Trouble.self) { try await gate.pass { throw Trouble() } }
        #expect(await gate.pass { 7 } == 7)
    }
}
