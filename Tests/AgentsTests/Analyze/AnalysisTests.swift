import Testing

@testable import Agents

@Suite struct AnalysisTests {
    private func concept(
        _ depth: Analysis.Depth, _ standing: Learner.Standing, _ bearing: Analysis.Bearing = .direct
    ) -> Analysis.Concept {
        Analysis.Concept(name: "n", span: "s", depth: depth, bearing: bearing, standing: standing)
    }

    @Test func learningValueGrowsWithWhatIsNewAndHardAndExplained() {
        #expect(Analysis.learningValue(of: []) == 0)
        #expect(Analysis.learningValue(of: [concept(.developed, .weak)]) == 0.75)
        #expect(Analysis.learningValue(of: [concept(.developed, .new)]) == 0.6)
        #expect(Analysis.learningValue(of: [concept(.explained, .new), concept(.explained, .new)]) == 0.75)
        #expect(Analysis.learningValue(of: Array(repeating: concept(.developed, .known), count: 6)) < 0.3)
        #expect(Analysis.learningValue(of: [concept(.developed, .weak, .none)]) == 0)
        #expect(Analysis.learningValue(of: Array(repeating: concept(.mentioned, .new), count: 3)) < 0.3)
    }

    @Test(arguments: [
        ("Gradient Descent", nil, Learner.Standing.weak), ("gradient descents", nil, .weak),
        ("back-propagation", nil, .known), ("backprop", "back propagation", .known), ("descent", nil, .new),
        ("attention", "descent", .new), ("attention", nil, .new),
        // The model says the same of something that the learner never named.
        ("attention", "transformers", .new),
    ])
    func aConceptIsKnownByItsNameOrByWhatTheLearnerCallsIt(name: String, same: String?, standing: Learner.Standing) {
        let learner = Learner(known: ["back propagation", "gradient descent"], weak: ["gradient descent"])
        #expect(learner.standing(of: name, same: same) == standing)
    }

    @Test func theScoreIsWhatTheConceptsBearOut() {
        #expect(Analysis.relevance(1, []) == 0.2)
        #expect(Analysis.relevance(1, [concept(.developed, .new, .none)]) == 0.2)
        #expect(Analysis.relevance(1, [concept(.developed, .new, .partial)]) == 0.6)
        #expect(Analysis.relevance(1, [concept(.developed, .new)]) == 0.9)
        #expect(Analysis.relevance(1, [concept(.developed, .new), concept(.mentioned, .known)]) == 1)
        #expect(Analysis.relevance(0.349, [concept(.developed, .new)]) == 0.35)
        #expect(Analysis.relevance(-3, [concept(.developed, .new)]) == 0)
    }

    @Test func anExcerptEndsWithAParagraphOrASentence() {
        #expect(Excerpt(of: "Short.", limit: 10).remark == nil)
        let paragraphs = Excerpt(of: "One two three.\nFour five six.\nSeven.", limit: 33)
        #expect(paragraphs.text == "One two three.\nFour five six." && paragraphs.isCut)
        #expect(Excerpt(of: "One two three. Four five six.", limit: 20).text == "One two three.")
        #expect(Excerpt(of: "One two three four five six", limit: 20).text == "One two three four")
        #expect(Excerpt(of: String(repeating: "x", count: 50), limit: 20).count == 20)
    }
}
