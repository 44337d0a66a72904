import Testing

@testable import Filings

@Suite struct FilingTests {
    static func prose(_ word: String, sentences: Int = 60) -> String {
        (0..<sentences).map { number in
            "The company may see that \(word) number \(number) could affect its business, customers, products and cash "
                + "results."
        }.joined(separator: " ")
    }

    /// A report with a table of contents, and a body between the headings.
    static func report(
        risks: String = prose("risk"), business: String = prose("service"), seven: String = prose("revenue")
    )
        -> String
    {
        let items = [
            ("1", "Business", business), ("1A", "Risk Factors", risks), ("1B", "Unresolved Staff Comments", "None."),
            ("2", "Properties", "We own a factory in the town of Aachen."), ("3", "Legal Proceedings", "None."),
            ("4", "Mine Safety Disclosures", "Not applicable."),
            ("7", "Management’s Discussion and Analysis of Financial Condition", seven),
            ("8", "Financial Statements and Supplementary Data", prose("statement", sentences: 300)),
        ]
        let contents = items.map { "<tr><td><a href=\"#i\($0.0)\">Item \($0.0).</a></td><td>\($0.1)</td></tr>" }
            .joined()
        let body = items.map { "<p id=\"i\($0.0)\"><b>Item \($0.0). \($0.1)</b></p><p>\($0.2)</p>" }.joined()
        return "<html><body><table>\(contents)</table>\(body)</body></html>"
    }

    static func read(_ text: String) -> Filing { Filing(Array(text.utf8), name: "test") }

    static func text(_ filing: Filing, _ item: String) -> String {
        filing[item]?.paragraphs.map(\.text).joined(separator: "\n") ?? ""
    }

    @Test func `a section is the text between its heading and the next, not the row of the contents`() {
        let filing = Self.read(Self.report())
        #expect(filing["1"]?.status == .found)
        #expect(Self.text(filing, "1") == Self.prose("service"))
        #expect(Self.text(filing, "1A") == Self.prose("risk"))
        #expect(filing["1B"]?.status == .omitted)
        #expect(filing["4"]?.status == .omitted)
        #expect(filing["9A"]?.status == .missing)
    }

    @Test func `an item that only points elsewhere is by reference and shows no text`() {
        let pointer = "Refer to pages 6 through 40 of the Annual Report, which are incorporated herein by reference."
        let filing = Self.read(Self.report(seven: pointer))
        #expect(filing["7"]?.status == .byReference)
        #expect(filing["7"]?.paragraphs.isEmpty == true)
    }

    @Test func `an item that is too short for what it should hold is uncertain`() {
        let filing = Self.read(Self.report(risks: "Our business has risks that could harm the results of all we do."))
        #expect(filing["1A"]?.status == .uncertain)
        #expect(filing["1A"]?.paragraphs.isEmpty == true)
    }

    @Test(arguments: [
        "style=\"DISPLAY : None\"", "style=\"font-size:0\"", "style=\"color:#ffffff\"", "style=\"visibility:hidden\"",
        "style=\"color:rgba(0, 0, 0, 0)\"", "style=\"color:hsl(0,0%,100%)\"", "style=\"color:#00000000\"",
        "style=\"transform:translateX(-9999px)\"", "style=\"filter:opacity(0)\"", "style=\"font:0/0 a\"",
        "style=\"display:/**/none\"", "style=\"display:none ! important\"", "style=\"position:absolute;left:-200%\"",
        "style=\"font-size:calc(0px)\"", "style=\"zoom:0\"", "style=\"-webkit-text-fill-color:transparent\"",
        "style=\"margin:-9999px 0 0 0\"", "style=\"scale:.01\"", "style=\"content-visibility:hidden\"",
        "style=\"opacity:0.01\"", "style=\"text-indent:-9999px\"", "style=\"height:0;overflow:hidden\"", "hidden",
        "class=\"note\"", "style=\"position:absolute;left:-5000px\"", "style=\"d\\69splay:none\"",
        "style=\"color:#f8f8f8\"", "style=\"color:rgba(0,0,0,0.01)\"", "style=\"clip-path:polygon(0 0,0 0,0 0)\"",
        "style=\"display:var(--none)\"", "data-note", "style=\"color:#ffff\"", "style=\"letter-spacing:-1em\"",
        "style=\"color:white;background:#fff\"",
    ])
    func `text that a browser does not show is in no paragraph`(attribute: String) {
        let hidden =
            "<style>p.note, [data-note] { display: none }</style><span class=\"note\"></span><p \(attribute)>SECRET words.</p>"
        let filing = Self.read(Self.report(business: Self.prose("service") + hidden))
        #expect(filing["1"]?.status == .found)
        #expect(!Self.text(filing, "1").contains("SECRET"))
    }

    @Test func `a closed block of details shows its summary alone`() {
        let text =
            "<details><summary>More of it.</summary><p>SECRET words.</p></details><details open><p>Open.</p></details>"
        let filing = Self.read(Self.report(business: Self.prose("service") + text))
        #expect(Self.text(filing, "1").contains("More of it.") && Self.text(filing, "1").contains("Open."))
        #expect(!Self.text(filing, "1").contains("SECRET"))
    }

    @Test func `rules of style sheets hold on screens and for the elements inside that they name`() {
        let sheet = """
            <style>.cover p { display: none } /* .note { display: none } */
            @media print { .paper { display: none } } @media screen { .screen { display: none } } p.last { color: #fff }
            </style>
            """
        let body = """
            <div class="cover"><p>On the cover.</p></div><p class="note">A note.</p><p class="paper">On paper.</p>
            <p class="screen">On a screen.</p><p class="last">White.</p>
            """
        let filing = Self.read(Self.report(business: sheet + Self.prose("service") + body))
        let text = (filing["1"]?.paragraphs ?? []).map(\.text).joined(separator: " ")
        #expect(text.contains("service") && text.contains("A note.") && text.contains("On paper."))
        #expect(!["On the cover.", "On a screen.", "White."].contains { text.contains($0) })
    }

    @Test func `an item with the heading of another one inside is uncertain`() {
        let filing = Self.read(Self.report().replacing("Item 1A. Risk Factors", with: "Item 1A. What May Hurt Us"))
        #expect(filing["1"]?.status == .uncertain && filing["1A"]?.status == .missing)
    }

    @Test func `two items under one heading are the first of them`() {
        let filing = Self.read(
            Self.report(business: Self.prose("service")).replacing("Item 1. Business", with: "Items 1 and 2. Business"))
        #expect(filing["1"]?.status == .found && Self.text(filing, "1").contains("service"))
    }

    @Test func `the head of a page that says an item goes on does not begin it`() {
        let page = "<p><b>Item 1A. Risk Factors (continued)</b></p>"
        let risks = ["first", "second", "third"].map { "<p>\(Self.prose("\($0) risk", sentences: 20))</p>" }
        let filing = Self.read(Self.report(risks: risks.joined(separator: page)))
        #expect(filing["1A"]?.status == .found)
        #expect(Self.text(filing, "1A").contains("first risk") && Self.text(filing, "1A").contains("third risk"))
    }

    @Test func `white letters on a dark ground and text hidden from screen readers alone are kept`() {
        let shown = """
            <table><tr><td style="background:#003366;color:#fff">White on blue</td></tr></table>
            <p aria-hidden="true">Seen by eyes.</p>
            """
        let text = Self.text(Self.read(Self.report(business: Self.prose("service") + shown)), "1")
        #expect(text.contains("White on blue"))
        #expect(text.contains("Seen by eyes."))
    }

    @Test func `running heads and page numbers are no content and no heading`() {
        let pages = (1...8).map { page in
            "<p>\(Self.prose("risk \(page)", sentences: 10))</p><p>Example Corp | \(page)</p>"
                + "<hr style=\"page-break-after:always\"><p>Item 1A, 1B</p>"
        }.joined()
        let filing = Self.read(Self.report(risks: pages))
        #expect(filing["1A"]?.status == .found)
        #expect(!Self.text(filing, "1A").contains("Example Corp"))
        #expect(!Self.text(filing, "1A").contains("1A, 1B"))
    }

    @Test func `a paragraph keeps its id from reading to reading, and another text has another`() throws {
        let first = try #require(Self.read(Self.report())["1"]?.paragraphs.first)
        #expect(Self.read(Self.report())["1"]?.paragraphs.first == first)
        #expect(first.id.hasPrefix("test/1/1-"))
        let other = Self.read(Self.report(business: Self.prose("repair")))
        #expect(other["1"]?.paragraphs.first?.id != first.id)
    }

    @Test(arguments: ["", "<", "<p>", "Item 1. Business", "<table><tr><td>Item 1.", "\u{0}\u{FFFD}"])
    func `a broken document has missing sections`(document: String) {
        #expect(Self.read(document).sections.allSatisfy { $0.status == .missing })
    }
}
