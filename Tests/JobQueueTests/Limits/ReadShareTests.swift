import JobQueue
import TestSupport
import Testing

@Suite struct ReadShareTests {
    private func share(after parts: some Sequence<Double>) -> ReadShare {
        var share = ReadShare()
        for part in parts { share.learn(read: Int64(part * 1000), of: 1000) }
        return share
    }

    @Test func nothingIsReliedOnBeforeTheFirstReads() {
        let whole = CallNeed(input: 12_000, output: 900, isInteractive: true)
        #expect(ReadShare().need(whole, reading: 10_000) == whole)
        #expect(share(after: [0, 0, 0]).need(whole, reading: 10_000) == whole)
    }

    @Test func readsThatComeAreReliedOnMoreAndMore() {
        var last = 0.0
        for count in 1...100 {
            let value = share(after: repeatElement(1, count: count)).value
            #expect(value > last && value < 1)
            last = value
        }
        #expect(last > 0.99)
    }

    @Test func aFewCallsThatReadAreEnoughUntilOneDoesNot() {
        #expect(share(after: repeatElement(1, count: 4)).value > 0.6)
        #expect(share(after: repeatElement(1, count: 8)).value > 0.75)
        // Afterwards it rises slowly, also where the first call of all read nothing.
        #expect(share(after: [1, 0, 1, 1, 1, 1]).value < 0.4)
        #expect(share(after: [0, 1, 1, 1, 1]).value < 0.2)
        var refused = share(after: repeatElement(1, count: 8))
        refused.wasRefused()
        refused.learn(read: 1000, of: 1000)
        #expect(refused.value < 0.5)
    }

    @Test func oneMissOrRefusalHalvesTheShare() {
        let before = share(after: repeatElement(1, count: 100))
        var (missed, refused) = (before, before)
        missed.learn(read: 0, of: 1000)
        refused.wasRefused()
        #expect(missed.value == before.value / 2)
        #expect(refused.value == before.value / 2)
    }

    /// A call is charged for at least what calls of its provider take on average.
    @Test(arguments: [0.05, 0.1, 0.4, 0.8, 1])
    func lessIsReliedOnThanIsRead(misses: Double) {
        var random = SeededRandom(seed: 5)
        var share = ReadShare()
        var sum = 0.0
        for _ in 0..<20_000 {
            share.learn(read: Double.random(in: 0...1, using: &random) < misses ? 0 : 1000, of: 1000)
            sum += share.value
        }
        #expect(sum / 20_000 < 1 - misses || misses == 1 && share.value == 0)
    }

    @Test func oddNumbersKeepItBetweenNothingAndAll() {
        var share = ReadShare()
        share.learn(read: .max, of: 1)
        share.learn(read: .min, of: .max)
        share.learn(read: 5, of: 0)
        share.learn(read: 5, of: -5)
        #expect((0...1).contains(share.value))
        for _ in 0..<100 { share.learn(read: .max, of: 1) }
        #expect(share.need(CallNeed(input: 5, output: 1), reading: .max).input == 1)
        #expect(share.need(CallNeed(input: 5, output: 1), reading: .min).input == 5)
    }
}
