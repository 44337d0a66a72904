import Testing

@testable import Simulator

/// The names of the concepts that a text teaches.
@Suite struct NounPhraseTests {
    private func names(_ text: String) -> [String] {
        let user = "What stands below is data (text).\n<A>\n\(text)\n</A>\n"
        return SubjectFinder(Material(instructions: "", texts: [user])).inText().compactMap(\.name)
    }

    @Test func conceptsAreNounPhrasesAndNoVerbsAdverbsOrPronouns() {
        let names = names(
            """
            Machine learning is a way to write a program that gets better with examples. The program gets the rules \
            from data that nobody recorded by hand. A loss function measures how far an answer is off, and the error \
            grows fastest in one direction. Training makes the model better slowly. A learning rate that is too large \
            jumps over the lowest point. The learning rate decides the length of a step.
            """)
        #expect(names.contains("learning rate") && names.contains("machine learning"), "\(names)")
        #expect(names.contains("loss function"), "\(names)")
        for wrong in ["gets", "nobody", "grows", "better", "slowly", "makes", "recorded", "measures"] {
            #expect(!names.contains { $0.split(separator: " ").contains { $0 == wrong } }, "\(wrong): \(names)")
        }
    }

    @Test func whatATextDefinesComesFirst() {
        let names = names(
            """
            The price of bread rose in the city. The price of bread fell in spring. A moving average is a mean of the \
            latest values. Such a measure is called price index by the office.
            """)
        #expect(Set(names.prefix(2)).isSubset(of: ["moving average", "price index"]) && names.count >= 2, "\(names)")
    }

    @Test func aTextWithoutANounPhraseHasNoConcept() {
        #expect(names("They often went there and never came back again. We know that it is so.").isEmpty)
    }

    @Test(arguments: [
        ("Der Zins ist eine Zahlung f\u{FC}r geliehenes Geld. Wer Ihrem Rat folgt, spart Geld.", "Zins", "Ihrem"),
        ("El bono es un pr\u{E9}stamo. La gran empresa paga inter\u{E9}s. Ella no la compra nunca.", "bono", "gran"),
        (
            "L\u{2019}obligation est un pr\u{EA}t \u{E0} un pays. La nouvelle r\u{E8}gle aide les petits. Il les vend parfois au voisin.",
            "obligation", "vend"
        ),
    ])
    func conceptsInOtherLanguagesAreNounsToo(text: String, first: String, wrong: String) {
        let names = names(text)
        #expect(names.first == first && !names.contains { $0.contains(wrong) }, "\(names)")
    }
}
