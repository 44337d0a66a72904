import Testing

@testable import Prompts

/// The number of sentences that the check counts: it reports every other number.
private func count(_ text: String) -> Int {
    (0...20).first { number in
        let bounds = Check.Bounds(min: Double(number), max: Double(number))
        return Check(.sentenceCount(bounds)).failures(in: CheckContext(output: text)).isEmpty
    } ?? -1
}

@Suite struct SentencesTests {
    @Test(arguments: [
        ("", 0), ("…", 0), ("One sentence without an end", 1), ("One. Two! Three? Four…", 4),
        ("It grew 6.4% to $416.2 billion. Then it slowed.", 2), ("It earned $7.46. That is more.", 2),
        ("Apple Inc. sells phones. It also sells services.", 2), ("It bought Alphabet Inc. It paid cash.", 2),
        ("Mr. Buffett and Dr. J. P. Morgan met at St. James's.", 1), ("Warren E. Buffett wrote it.", 1),
        ("The U.S. economy grew. The U.K. did not.", 2), ("It left the U.S. The rest stayed.", 2),
        ("Costs, e.g. rent, i.e. fixed ones, rose vs. last year.", 1),
        ("It sells phones, tablets, etc. The margin is high.", 2),
        ("He said: \"It is cheap.\" Then he left.", 2), ("\"Why?\" he asked. (Nobody knew.) All went.", 3),
        ("It works… or does it? Yes!", 2), ("Really?! Yes.", 2), ("At 5 p.m. on Jan. 3 it closed.", 1),
        ("See No. 7 and Fig. 3 for more.", 1), ("Is it cheap? No. They sell dear.", 3),
        ("Heading\n\nFirst sentence here. Second one.", 3), ("Risks:\n- Debt is high\n- Growth is slow", 3),
        ("1. Debt is high.\n2. Growth is slow.", 2), ("A line that is\nbroken in two.", 1),
        ("Yahoo! Inc. was sold.", 1), ("利益は増えた。売上も増えた。", 2), ("Amazon.com grew. Node.js did too.", 2),
        ("It has approx. 3 stores. All earn.", 2), ("Plan B. The rest follows.", 2), ("It (see p. 3) grew.", 1),
    ])
    func sentencesAreCountedAsAReaderCountsThem(_ text: String, _ expected: Int) {
        #expect(count(text) == expected)
    }
}
