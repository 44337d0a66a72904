import JSON
import TestSupport
import Testing

@testable import Prompts

@Suite struct SimilarityTests {
    @Test(
        arguments: [
            ("the cat sat", "the cat sat", 1), ("The CAT, sat!", "sat the cat", 1), ("a b", "c d", 0), ("", "", 1),
            ("a", "", 0),
            // Counts (2, 1) and (1, 2): 4 of √5 · √5.
            ("a a b", "a b b", 0.8),
        ] as [(String, String, Double)])
    func theCosineComparesCountsOfWords(left: String, right: String, expected: Double) {
        #expect(abs(TextSimilarity.cosine(left, right) - expected) < 1e-12)
    }

    @Test(
        arguments: [
            ("the cat sat on the mat", "the cat lay on the mat", 1, 5.0 / 6), ("a b c d", "a b x d", 2, 1.0 / 3),
            ("a", "a a", 1, 0.5), ("x", "", 1, 1), ("a b", "a b c", 4, 1),
        ] as [(String, String, Int, Double)])
    func theOverlapIsTheShareOfTheReferencesRunsOfWords(text: String, reference: String, n: Int, expected: Double) {
        #expect(abs(TextSimilarity.overlap(of: text, with: reference, n: n) - expected) < 1e-12)
    }

    @Test(arguments: [
        ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0), ("ab", "ba", 2),
        ("naïve", "naive", 1), ("flaw", "lawn", 2),
    ])
    func theEditDistanceCountsCharacters(left: String, right: String, expected: Int) {
        #expect(TextSimilarity.editDistance(left, right, limit: 10) == expected)
        #expect(TextSimilarity.editDistance(left, right, limit: expected) == expected)
        if expected > 0 { #expect(TextSimilarity.editDistance(left, right, limit: expected - 1) == nil) }
    }

    @Test func theBandFindsTheSameAsTheWholeTable() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<300 {
            let texts = (0..<2).map { _ in
                String(
                    (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in "abc".randomElement(using: &random) }
                )
            }
            let whole = Self.table(Array(texts[0]), Array(texts[1]))
            for limit in 0...12 {
                let found = TextSimilarity.editDistance(texts[0], texts[1], limit: limit)
                #expect(found == (whole <= limit ? whole : nil), "\(texts) within \(limit)")
            }
        }
    }

    private static func table(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var next = [i + 1]
            for (j, b) in right.enumerated() {
                next.append(min(row[j] + (a == b ? 0 : 1), row[j + 1] + 1, next[j] + 1))
            }
            row = next
        }
        return row[right.count]
    }

    private func failures(
        _ measure: Similarity.Measure, to reference: Similarity.Reference, threshold: Double? = nil, not: Bool = false,
        at path: String = "summary"
    ) -> [CheckFailure] {
        let context = CheckContext(
            output: #"{"summary": "Revenue rose and margins held.", "notes": ["one two", "three"]}"#,
            input: [
                "draft": "Revenue rose and margins held", "articles": [["text": "other words"], ["text": "three"]],
            ])
        let similarity = Similarity(measure, to: reference, threshold: threshold, isNegated: not)
        return Check(.similarity(similarity), path: OutputPath(path)).failures(in: context)
    }

    @Test func aTextIsComparedWithAnotherOrWithTheInput() throws {
        let draft = Similarity.Reference.input(try #require(OutputPath("draft")))
        #expect(failures(.cosine, to: draft).isEmpty)
        #expect(failures(.cosine, to: draft, not: true).map(\.check) == ["not-similar"])
        #expect(failures(.editDistance, to: draft, threshold: 1).isEmpty)
        #expect(failures(.editDistance, to: draft, threshold: 0).map(\.check) == ["levenshtein"])
        #expect(failures(.overlap(n: 2), to: .text("margins held firmly"), threshold: 0.5).isEmpty)
        #expect(failures(.overlap(n: 2), to: .text("margins held firmly"), threshold: 0.6).map(\.check) == ["rouge-n"])
    }

    @Test func theNearestOfManyReferencesCounts() throws {
        let articles = Similarity.Reference.input(try #require(OutputPath("articles[].text")))
        let found = failures(.cosine, to: articles, not: true, at: "notes[]")
        #expect(found.map(\.path) == ["notes[1]"])
        #expect(found.first?.message.contains("100%, and 75% is too much") == true)
    }

    @Test func withoutAReferenceOnlyTheNegationHolds() throws {
        let missing = Similarity.Reference.input(try #require(OutputPath("missing")))
        #expect(failures(.cosine, to: missing).count == 1)
        #expect(failures(.cosine, to: missing, not: true).isEmpty)
    }

    @Test func limitsOfCostAndTimeHoldWhereTheyAreKnown() {
        func failures(_ rule: Check.Rule, cost: Int64?, milliseconds: Int?) -> [CheckFailure] {
            Check(rule).failures(in: CheckContext(output: "x", cost: cost, milliseconds: milliseconds))
        }
        #expect(failures(.cost(50_000), cost: 50_000, milliseconds: nil).isEmpty)
        let dear = failures(.cost(50_000), cost: 50_001, milliseconds: nil)
        #expect(dear.first?.message == "The answer cost $0.050001, and at most $0.050000 is allowed.")
        #expect(dear.allSatisfy { !$0.isRepairable })
        #expect(failures(.latency(100), cost: nil, milliseconds: 100).isEmpty)
        #expect(failures(.latency(100), cost: nil, milliseconds: 101).map(\.check) == ["latency"])
        #expect(failures(.latency(100), cost: nil, milliseconds: nil).isEmpty)
    }
}
