import JobQueue
import Testing

@testable import Agents

@Suite struct RankFusionTests {
    private func passages(_ names: String) -> [Passage] {
        names.map { name in
            Passage(
                kind: .document, source: String(name), part: 0, title: "T", text: "x", terms: "x", writtenAt: 0)
        }
    }

    private func merged(_ lists: String...) -> String {
        RankFusion.merge(lists.map(passages)).map(\.source).joined()
    }

    @Test func oneListStaysAsItIs() {
        #expect(merged("bac") == "bac" && merged("bac", "") == "bac" && merged("", "ab") == "ab" && merged() == "")
    }

    @Test func whatTwoListsHaveGoesBeforeWhatOneHas() {
        #expect(merged("abc", "dc") == "cabd" || merged("abc", "dc") == "cadb")
        #expect(merged("abcdef", "xf").first == "f")
    }

    @Test func equalPlacesGoByTheOrderOfTheLists() {
        #expect(merged("ab", "xy") == "axby")
    }

    @Test func placesAndNotValuesCount() {
        #expect(merged("ab", "ba") == "ab" && merged("abc", "cba") == "acb" || merged("abc", "cba") == "abc")
    }
}

@Suite struct StandoutsTests {
    @Test func whatIsFarAboveTheRestStandsOut() {
        let values = Array(repeating: 0.70, count: 15) + Array(repeating: 0.72, count: 15) + [0.9, 0.71, 0.85]
        #expect(Standouts.of(values).map(\.place) == [30, 32])
        // The scale is the model's own affair.
        #expect(Standouts.of(values.map { $0 / 10 - 3 }).map(\.place) == [30, 32])
    }

    @Test func nothingStandsOutOfFewOrOfEquals() {
        #expect(Standouts.of(Array(repeating: 0.1, count: 18) + [0.9]).isEmpty)
        #expect(Standouts.of(Array(repeating: 0.1, count: 19) + [0.9]).map(\.place) == [19])
        #expect(Standouts.of(Array(repeating: 0.5, count: 40)).isEmpty && Standouts.of([]).isEmpty)
        #expect(Standouts.of((0..<40).map { Double($0 % 4) }).isEmpty)
    }

    @Test func threeAtMostStandOut() {
        let values = Array(repeating: 0.1, count: 100) + [0.7, 0.9, 0.8, 0.9]
        #expect(Standouts.of(values).map(\.place) == [101, 103, 102])
    }
}
