import HTTP
import JSON
import Testing

@testable import Simulator

@Suite struct LatencyTests {
    private func waits(_ latency: Latency, _ count: Int = 10_000) -> [Double] {
        let source = PacingSource(Pacing(), latency: latency)
        return (0..<count).map { _ in Double(source.next(isModel: true).firstByte.milliseconds) / 1_000 }.sorted()
    }

    @Test func waitsHaveTheirMedianAndTheSameForTheSameSeed() {
        let latency = Latency(firstByte: 0.8, spread: 0.5, seed: 3)
        let waits = waits(latency)
        #expect((0.76...0.84).contains(waits[5_000]))
        #expect(waits == self.waits(latency))
        #expect(waits != self.waits(Latency(firstByte: 0.8, spread: 0.5, seed: 4)))
    }

    @Test func theTailIsHeavy() {
        let plain = waits(Latency(firstByte: 1, spread: 0.3))
        let heavy = waits(Latency(firstByte: 1, spread: 0.3, tail: 0.02))
        #expect(plain[9_990] < 4 && heavy[9_990] > 8)
        #expect((0.95...1.05).contains(heavy[5_000]))
        #expect((heavy.last ?? 0) > 20 && (heavy.last ?? 0) <= 600)
        #expect((120...280).contains(heavy.count { $0 > 2.5 }))
    }

    @Test func aDistributionIsReadFromATextAndOverHTTP() async throws {
        let latency = try Latency(parsing: "first_byte 0.8, spread 0.4, tail 0.02, speed 80, seed 7")
        #expect(latency == Latency(firstByte: 0.8, spread: 0.4, tail: 0.02, tokensPerSecond: 80, seed: 7))
        for wrong in ["first_byte", "tail 2", "colour 5", "speed -1"] {
            #expect(throws: SettingSyntaxError.self) { try Latency(parsing: wrong) }
        }
        let pauses = SleepLog()
        try await Harness.run(SimulatorConfiguration(sleep: { await pauses.add($0) })) { harness async throws in
            func control(_ call: Call) async throws -> Int { try await harness.send(call).status }
            let set = Call(
                path: "/simulator/latency", headers: ["content-type": "application/json"],
                body: "first_byte 5, spread 0, speed 100")
            #expect(try await control(set) == 201)
            _ = try await harness.events(.claude(stream: true))
            let paced = await pauses.all
            #expect(paced.first == .seconds(5) && paced.count > 5)
            // Other services have no distribution.
            _ = try await harness.send(.sec("/sec/files/company_tickers.json"))
            #expect(await pauses.all.count == paced.count)
            var wrong = set
            wrong.body = ["colour": 5]
            #expect(try await control(wrong) == 400)
        }
    }

    @Test func aBurstLastsItsTime() async throws {
        let time = TestTime()
        let faults = try FaultRule.rates("529=0.05x10,stall=0", seed: 5)
        #expect(faults[0].lasts == .seconds(10))
        try await Harness.run(at: time, faults: faults) { harness async throws in
            var statuses: [Int] = []
            while statuses.last != 529, statuses.count < 500 {
                time.advance(1)
                statuses.append(try await harness.send(.claude()).status)
            }
            for _ in 0..<9 {
                time.advance(1)
                statuses.append(try await harness.send(.claude()).status)
            }
            #expect(statuses.suffix(10).allSatisfy { $0 == 529 })
            var calm = 0
            for _ in 0..<100 {
                time.advance(0.5)
                calm += try await harness.send(.claude()).status == 200 ? 1 : 0
            }
            #expect(calm > 0)
        }
    }

    @Test(arguments: ["529=0.1x", "529=0.1x0", "529=0.1xy", "529=x10"]) func wrongBurstsAreRefused(text: String) {
        #expect(throws: FaultSyntaxError.self) { try FaultRule.rates(text) }
    }
}

/// Records pauses and does not wait.
private actor SleepLog {
    private(set) var all: [Duration] = []

    func add(_ pause: Duration) { all.append(pause) }
}
