import TestSupport
import Testing

@testable import JobQueue

@Suite struct FlowPeaksTests {
    private let start = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func theHighestSinceACallIsFound() {
        var peaks = FlowPeaks()
        for (call, flow) in [(1, 50), (2, 90), (3, 70), (5, 80), (6, 10)] as [(Int64, Int64)] {
            peaks.add(.init(at: start, call: call, flow: flow))
        }
        #expect(peaks.peaks.map(\.flow) == [90, 80, 10])
        #expect(peaks.highest(since: 1) == 90)
        #expect(peaks.highest(since: 2) == 90)
        #expect(peaks.highest(since: 3) == 80)
        #expect(peaks.highest(since: 6) == 10)
        #expect(peaks.highest(since: 7) == nil)
    }

    @Test(arguments: 0..<30)
    func manyPeaksAreKeptAsFewThatAreNeverLower(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var (peaks, all) = (FlowPeaks(), [FlowPeaks.Peak]())
        var flow = Int64.random(in: .max - 1000 ... .max, using: &random)
        for call in 1...300 as ClosedRange<Int64> {
            flow &+= Int64.random(in: -60...50, using: &random)
            let peak = FlowPeaks.Peak(at: start + .milliseconds(call * 100), call: call, flow: flow)
            peaks.add(peak)
            all.append(peak)
            #expect(peaks.peaks.count <= 16)
            let since = Int64.random(in: 1...call, using: &random)
            let highest = try #require(all.dropFirst(Int(since) - 1).max { $0.flow &- $1.flow < 0 }).flow
            #expect(try #require(peaks.highest(since: since)) &- highest >= 0)
        }
    }

    @Test func thoseOfMoreThanHalfAMinuteAgoAreDropped() {
        var peaks = FlowPeaks()
        peaks.add(.init(at: start, call: 1, flow: 90))
        peaks.add(.init(at: start + .seconds(30), call: 2, flow: 80))
        #expect(peaks.peaks.count == 2)
        peaks.add(.init(at: start + .seconds(31), call: 3, flow: 70))
        #expect(peaks.highest(since: 1) == 80)
    }
}
