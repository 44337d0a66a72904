import Testing

@testable import Simulator

/// How answers to recall questions are graded, and what is asked.
@Suite struct LikenessTests {
    private static let expected = "Gradient descent is a method that makes a model better in small steps."
    private static let question = "How would you explain gradient descent to a friend, and why does it matter?"

    private func share(_ answer: String, _ expected: String = expected) -> Double {
        Likeness(of: answer, to: expected, question: Self.question, source: expected)?.share ?? -1
    }

    @Test(arguments: [
        "It changes a model a little at a time so it gets better.", "The model improves step by step.",
        "Das Modell wird in kleinen Schritten verbessert.",
    ])
    func aRightAnswerInOtherWordsIsAtLeastPartlyRight(answer: String) {
        #expect(share(answer) >= 0.2, "\(share(answer))")
    }

    @Test(arguments: [
        "Bread needs flour and water.", "?", "What is gradient descent?", "It makes a model worse in small steps.",
        "It never makes a model better in small steps.", "It makes a model better in large leaps.",
    ])
    func anAnswerThatSharesNothingOrSaysTheContraryIsWrong(answer: String) { #expect(share(answer) == 0) }

    @Test func theSameInOtherWordsIsRight() {
        let expected = "The steps jump over the lowest point, so the error grows."
        #expect(share("With large steps it skips past the bottom point, and the mistakes increase.", expected) >= 0.6)
        #expect((0.2..<0.6).contains(share("Because the error grows.", expected)))
    }

    @Test func wrongOptionsAreChangesOfThePassageThenOfSentencesOnTheSameConcept() {
        let source = """
            A bond pays a fixed rate each year. Most shops open earlier in summer. \
            When rates rise, an old bond is worth less. The old bond pays a lower rate than new ones.
            """
        let passage = "When rates rise, an old bond is worth less."
        let wrong = Distractors.beside(passage, on: "old bond", in: source, .shared)
        let ofPassage = wrong.prefix { $0.hasPrefix("When rates") || $0.contains("worth") }
        #expect(ofPassage.count >= 3, "\(wrong)")
        let rest = wrong.dropFirst(ofPassage.count)
        #expect(rest.first?.contains("old bond") == true || rest.first?.contains("bond pays") == true, "\(wrong)")
        #expect(rest.last?.contains("shops") != false, "\(wrong)")
    }
}
