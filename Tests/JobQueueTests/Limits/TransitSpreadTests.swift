import TestSupport
import Testing

@testable import JobQueue

@Suite struct TransitSpreadTests {
    @Test func itShrinksFastUntilTheFirstRefusal() {
        var spread = TransitSpread()
        #expect(spread.milliseconds == 250)
        spread.letIn(8)
        #expect((80...90).contains(spread.milliseconds))
        spread.letIn(20)
        #expect(spread.milliseconds == 20)
    }

    @Test func aRefusalMakesItLongerAndSlowToShrink() {
        var spread = TransitSpread()
        spread.letIn(30)
        spread.wasRefused()
        #expect(spread.milliseconds == 40)
        spread.letIn(50)
        #expect((35..<40).contains(spread.milliseconds))
        for _ in 0..<3 { spread.wasRefused() }
        #expect(spread.milliseconds == 250)
    }

    @Test(arguments: 0..<20)
    func itStaysInItsBounds(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var spread = TransitSpread()
        for _ in 0..<1000 {
            if Int.random(in: 0..<40, using: &random) == 0 {
                spread.wasRefused()
            } else {
                spread.letIn(Int.random(in: -1...20, using: &random))
            }
            #expect(TransitSpread.shortest...TransitSpread.longest ~= spread.microseconds)
        }
    }
}
