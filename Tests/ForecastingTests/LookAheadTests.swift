@testable import Forecasting
import Prices
import Testing

/// No figure of a row may depend on a later bar. These tests fail when any feature, fold or probability looks ahead.
@Suite struct LookAheadTests {
    private static let bars = InventedPrices.series(700, autoregression: 0.3, seed: 7).bars

    @Test func featuresAreTheSameInAFileThatIsCutAtAnyDate() {
        let whole = DataSet(Self.bars, horizonBars: 1)
        for cut in stride(from: 60, through: 699, by: 71) {
            let part = DataSet(Array(Self.bars[..<cut]), horizonBars: 1)
            let rows = DataSet.firstRow..<cut
            #expect(Self.bits(part.features(rows)) == Self.bits(whole.features(rows)), "cut at \(cut)")
        }
    }

    @Test func featuresAreTheSameWhateverComesLater() {
        var changed = Self.bars
        for index in 400..<changed.count {
            changed[index].close *= index % 2 == 0 ? 3 : 0.2
            changed[index].high *= 5
            changed[index].volume = 1
        }
        let (first, second) = (DataSet(Self.bars, horizonBars: 1), DataSet(changed, horizonBars: 1))
        let rows = DataSet.firstRow..<400
        #expect(Self.bits(first.features(rows)) == Self.bits(second.features(rows)))
        #expect(Self.bits(first.features(400..<401)) != Self.bits(second.features(400..<401)))
    }

    @Test(arguments: [1, 5])
    func foldsAndProbabilitiesAreTheSameInAFileThatIsCutAtAnyDate(h: Int) throws {
        let recipe = Recipe(horizon: h == 1 ? .day : .week, lookbackDays: 400)
        let whole = Walk(DataSet(Self.bars, horizonBars: h), recipe)
        let start = whole.tested.lowerBound
        let all = try whole.run(start..<start + 90)
        #expect(Set(all.map(\.foldStart)).count >= 4)
        for cut in [start + 30, start + 47, start + 85] {
            let part = Walk(DataSet(Array(Self.bars[..<cut]), horizonBars: h), recipe)
            let tested = try part.run(start..<cut - h)
            #expect(tested == Array(all.prefix(tested.count)), "cut at \(cut)")
        }
    }

    /// Neither models nor weights know a price after the row, nor a label that needs one.
    @Test func aRowsProbabilitiesAreTheSameWhateverComesLater() throws {
        let h = 5
        let recipe = Recipe(horizon: .week, lookbackDays: 400)
        let whole = Walk(DataSet(Self.bars, horizonBars: h), recipe)
        let first = whole.tested.lowerBound
        let row = try #require((first + 50..<first + 90).first { whole.foldStart(of: $0) == $0 })
        var changed = Self.bars
        for index in row + 1..<changed.count { changed[index].close *= index % 2 == 0 ? 1.5 : 0.6 }
        let other = Walk(DataSet(changed, horizonBars: h), recipe)
        let (one, two) = (try whole.run(first..<row + 1), try other.run(first..<row + 1))
        #expect(one.last?.forest == two.last?.forest && one.last?.boosting == two.last?.boosting)
        #expect(one.last?.ensemble == two.last?.ensemble)
    }

    @Test func noFoldLearnsFromALabelThatReachesIntoIt() {
        for horizon in Horizon.allCases {
            let recipe = Recipe(horizon: horizon, lookbackDays: 365)
            let walk = Walk(DataSet(Self.bars, horizonBars: recipe.horizonBars), recipe)
            for row in walk.tested {
                let start = walk.foldStart(of: row)
                let learned = walk.training(before: start)
                #expect(start <= row && learned.upperBound - 1 + recipe.horizonBars < start)
            }
        }
    }

    /// A feature that knows tomorrow must be found by the tests above: here it is planted.
    @Test func aPlantedLeakIsFound() {
        func leaking(_ bars: [PriceBar], _ row: Int) -> [Float] {
            Features.vector(upTo: bars[...row]) + [Float(row + 1 < bars.count ? bars[row + 1].close : 0)]
        }
        let cut = Array(Self.bars[..<300])
        #expect(Self.bits(leaking(cut, 299)[...]) != Self.bits(leaking(Self.bars, 299)[...]))
        #expect(Self.bits(leaking(cut, 200)[...]) == Self.bits(leaking(Self.bars, 200)[...]))
    }

    @Test func noModelFindsAnEdgeWhereThereIsNone() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            let result = try Evaluation.atClose(of: InventedPrices.series(1300, autoregression: 0, seed: seed))
            #expect(result.types.contains("no_edge"), "seed \(seed)")
            #expect(result.quality.score <= 0.5)
            #expect(result.probabilityUp == result.final.baseRate)
            #expect(abs(result.all.accuracy - 0.5) < 0.08)
        }
    }

    private static func bits(_ values: ArraySlice<Float>) -> [UInt32] { values.map(\.bitPattern) }
}
