import TestSupport
import Testing

@testable import PromptRegression

@Suite struct WilsonIntervalTests {
    /// Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3; upper limits are
    /// lower limits of the failures.
    static let published: [(passes: Int, asked: Int, low: Double, high: Double)] = [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718),
    ]

    @Test(arguments: published)
    func theBoundsAreThePublishedOnes(_ row: (passes: Int, asked: Int, low: Double, high: Double)) {
        #expect(abs(WilsonInterval.lowerBound(row.passes, of: row.asked) - row.low) < 0.000_05)
        let high = 1 - WilsonInterval.lowerBound(row.asked - row.passes, of: row.asked)
        #expect(abs(high - row.high) < 0.000_05)
    }

    @Test func theBoundIsBelowTheShareAndGrowsWithPassesAndAnswers() {
        for asked in 1...60 {
            for passes in 0...asked {
                let bound = WilsonInterval.lowerBound(passes, of: asked)
                #expect(bound >= 0 && bound <= Double(passes) / Double(asked))
                if passes > 0 { #expect(bound > WilsonInterval.lowerBound(passes - 1, of: asked)) }
                // The same share of more answers is known better.
                if passes > 0 { #expect(WilsonInterval.lowerBound(passes * 2, of: asked * 2) > bound) }
            }
        }
        #expect(WilsonInterval.lowerBound(0, of: 0) == 0)
    }

    @Test func furtherPassesAreTheFewestThatReachTheFloor() throws {
        #expect(WilsonInterval.furtherPasses(after: 0, of: 0, toReach: 0.95) == 73)
        #expect(WilsonInterval.furtherPasses(after: 100, of: 100, toReach: 0.95) == 0)
        var random = SeededRandom(seed: 13)
        for _ in 0..<300 {
            let asked = Int.random(in: 0...200, using: &random)
            let passes = Int.random(in: 0...asked, using: &random)
            let floor = Double.random(in: 0.05...0.99, using: &random)
            let further = try #require(WilsonInterval.furtherPasses(after: passes, of: asked, toReach: floor))
            #expect(WilsonInterval.lowerBound(passes + further, of: asked + further) >= floor)
            guard further > 0 else { continue }
            #expect(WilsonInterval.lowerBound(passes + further - 1, of: asked + further - 1) < floor)
        }
    }
}
