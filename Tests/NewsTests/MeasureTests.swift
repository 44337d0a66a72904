import Testing

@testable import News

@Suite struct MeasureTests {
    @Test func theScoreIsRightByHand() {
        // Groups {a, a, b} and {b}: precision (2/3 + 2/3 + 1/3 + 1) / 4, recall (1 + 1 + 1/2 + 1/2) / 4.
        let score = BCubed([("1", "a"), ("1", "a"), ("1", "b"), ("2", "b")])
        #expect(abs(score.precision - 2 / 3) < 1e-9)
        #expect(abs(score.recall - 0.75) < 1e-9)
        #expect(abs(score.f1 - 12 / 17) < 1e-9)
    }

    @Test func theScoreIsThatOfItsDefinition() {
        var state: UInt64 = 7
        let pairs = (0..<200).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (group: "\(state >> 60)", label: "\(state >> 33 & 7)")
        }
        let (score, plain) = (BCubed(pairs), HeadlineTests.bCubed(pairs))
        #expect(abs(score.precision - plain.precision) < 1e-9)
        #expect(abs(score.recall - plain.recall) < 1e-9)
        #expect(abs(score.f1 - plain.f1) < 1e-9)
    }

    @Test func aPartOfTheLabelsIsScoredWithinTheWholeGrouping() {
        let score = BCubed([("1", "a"), ("1", "a"), ("1", "b"), ("2", "b")])
        #expect(score.labels == ["a", "b"])
        #expect(abs(score.limited(to: ["a"]).precision - 2 / 3) < 1e-9)
        #expect(score.limited(to: ["a"]).recall == 1)
        #expect(abs(score.limited(to: ["b"]).precision - (1 / 3 + 1) / 2) < 1e-9)
    }

    @Test func aLabelThatIsDrawnTwiceCountsTwice() {
        let score = BCubed([("1", "a"), ("1", "a"), ("1", "b"), ("2", "b"), ("2", "c")])
        let (twice, once) = (score.limited(to: ["a", "b", "b"]), score.limited(to: ["a", "b"]))
        #expect(abs(once.recall - 0.75) < 1e-9)
        #expect(abs(twice.recall - 4 / 6) < 1e-9)
    }

    @Test func withoutArticlesThereIsNothingToScore() {
        #expect(BCubed([]).f1 == 0)
        #expect(BCubed([("1", "a")]).limited(to: [String]()).precision == 0)
    }
}
