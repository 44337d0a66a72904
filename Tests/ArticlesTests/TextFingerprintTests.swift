import Testing

@testable import Articles

@Suite struct TextFingerprintTests {
    private static let text = String(
        repeating: """
            The central bank left its benchmark rate unchanged, as most economists had expected, and said in a statement
            that inflation is easing slowly. Shares rose a little after the decision, while yields on long bonds fell.
            Analysts at several houses had prepared their clients for that outcome, and trading stayed calm all day. The
            next meeting takes place in six weeks, when new forecasts for growth and for prices will be at hand.
            """, count: 1)

    @Test func anEditHereAndThereKeepsTextsNear() {
        let long = (0..<40).map { "Sentence number \($0) of the report speaks of topic \($0 * 7 % 13) at some length." }
        var edited = long
        edited[7] = "This one was written anew."
        let (left, right) = (long.joined(separator: " "), edited.joined(separator: " "))
        #expect(TextFingerprint(left).isNear(TextFingerprint(right)))
        #expect(TextFingerprint(left).isNear(TextFingerprint(left.uppercased().replacing(" ", with: "  \n"))))
    }

    @Test func differentTextsAreFar() {
        let other = """
            A goalkeeper of nineteen years saved three shots in the final, and the outsiders won the cup after penalties.
            Their coach had taken over in spring, when the club was at the bottom of the table. Supporters filled the streets
            of the small town until the morning, and the mayor gave schools a free day on Monday.
            """
        #expect(TextFingerprint(Self.text).distance(to: TextFingerprint(other)) > 16)
        #expect(!TextFingerprint(Self.text).isNear(TextFingerprint(other)))
    }

    @Test func shortTextsAreNeverNear() {
        #expect(!TextFingerprint("Breaking news").isNear(TextFingerprint("Breaking news")))
        #expect(TextFingerprint("").words == 0)
    }

    @Test func theSameTextHasTheSameBitsOnEveryRun() {
        #expect(TextFingerprint("one two three four").bits == TextFingerprint("One, two: three; FOUR!").bits)
        #expect(TextFingerprint("人工智能迈上新台阶").words == 9)
    }
}
