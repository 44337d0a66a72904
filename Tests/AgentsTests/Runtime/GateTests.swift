import Synchronization
import Testing

@testable import Agents

@Suite struct GateTests {
    @Test func noMoreThanItsWidthAreInsideAndAllComeThrough() async {
        let gate = Gate(3)
        let visitors = Visitors()
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    await gate.pass {
                        visitors.enter()
                        await Task.yield()
                        visitors.leave()
                    }
                }
            }
        }
        #expect(visitors.most <= 3)
        #expect(visitors.through == 200)
    }

    @Test func whoFailsInsideMakesRoomForTheNext() async {
        let gate = Gate(1)
        await #expect(throws: Trouble.self) {
            try await gate.pass { () async throws(Trouble) -> Int in throw Trouble() }
        }
        let answer = await gate.pass { 7 }
        #expect(answer == 7)
    }

    private struct Trouble: Error {}

    private final class Visitors: Sendable {
        private let counts = Mutex<(inside: Int, most: Int, through: Int)>((0, 0, 0))

        func enter() {
            counts.withLock { counts in
                counts.inside += 1
                counts.most = max(counts.most, counts.inside)
            }
        }

        func leave() {
            counts.withLock { counts in
                counts.inside -= 1
                counts.through += 1
            }
        }

        var most: Int { counts.withLock { $0.most } }
        var through: Int { counts.withLock { $0.through } }
    }
}
