import Testing

@testable import PromptRegression

/// Values from published examples and from R's fisher.test.
@Suite struct FisherExactTestTests {
    @Test(arguments: [
        // Fisher's lady tasting tea.
        (3, 1, 1, 3, 0.4857142857),
        (1, 9, 11, 3, 0.0027594562),
        (8, 2, 1, 5, 0.0349650350),
        (10, 0, 5, 5, 0.0325077399),
        (10, 0, 0, 10, 0.0000108251),
        (20, 0, 19, 1, 1.0),
        (5, 5, 5, 5, 1.0),
    ])
    func theTwoSidedValueIsThePublishedOne(a: Int, b: Int, c: Int, d: Int, expected: Double) {
        #expect(abs(FisherExactTest.twoSided(a, b, c, d) - expected) < 1e-9)
        // Rows and columns may be exchanged.
        #expect(abs(FisherExactTest.twoSided(c, d, a, b) - expected) < 1e-9)
        #expect(abs(FisherExactTest.twoSided(b, a, d, c) - expected) < 1e-9)
    }

    @Test func marginsOfZeroSayNothing() {
        #expect(FisherExactTest.twoSided(0, 0, 3, 4) == 1)
        #expect(FisherExactTest.twoSided(5, 0, 5, 0) == 1)
    }

    @Test func largeCountsNeitherOverflowNorVanish() {
        let value = FisherExactTest.twoSided(5000, 5000, 4800, 5200)
        #expect(value > 0.004 && value < 0.005)
    }
}
