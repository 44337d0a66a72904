import Testing

@testable import Filings

/// Headings in other words and places than usual: what they cut is right or in doubt, and never another item's text.
@Suite struct HeadingTests {
    private static let items = [
        ("1", "Business"), ("1A", "Risk Factors"), ("1B", "Unresolved Staff Comments"), ("2", "Properties"),
        ("3", "Legal Proceedings"), ("4", "Mine Safety Disclosures"),
        ("5", "Market for Registrant’s Common Equity"), ("6", "[Reserved]"),
        ("7", "Management’s Discussion and Analysis of Financial Condition"),
        ("7A", "Quantitative and Qualitative Disclosures About Market Risk"),
        ("8", "Financial Statements and Supplementary Data"),
    ]

    private static func body(_ item: String) -> String {
        switch item {
        case "1", "1A", "7", "8":
            let word = ["1": "service", "1A": "risk", "7": "revenue"][item] ?? "statement"
            return FilingTests.prose(word, sentences: item == "8" ? 300 : 60)
        case "6": return ""
        case "1B", "3", "4": return "None."
        default: return "What there is to say of item \(item) stands in this sentence."
        }
    }

    /// A report whose headings and contents a test writes; a heading is left out where it is `nil`.
    private static func read(
        contents: (String, String) -> String = { "Item \($0). \($1)" },
        heading: (String, String) -> String? = { "<p><b>Item \($0). \($1)</b></p>" },
        body: (String) -> String = body
    ) -> Filing {
        let rows = items.enumerated().map { number, item in
            "<tr><td><a href=\"#i\(item.0)\">\(contents(item.0, item.1))</a></td><td>\(number + 3)</td></tr>"
        }.joined()
        let text = items.map { (heading($0.0, $0.1) ?? "") + "<p>\(body($0.0))</p>" }.joined()
        return FilingTests.read("<html><body><table>\(rows)</table>\(text)</body></html>")
    }

    private static func titled(_ item: String, _ title: String) -> Filing {
        read(heading: { "<p><b>Item \($0). \($0 == item ? title : $1)</b></p>" })
    }

    @Test(arguments: [
        ("1", "The Company"), ("1", "Our Business"), ("1", "General"), ("1A", "Risks and Uncertainties"),
        ("1A", "Certain Risk Factors"), ("2", "Facilities"), ("3", "Litigation"),
        ("7", "MD&amp;A of Our Financial Condition"), ("7", "Financial Review"), ("7A", "Market Risk Disclosures"),
    ]) func anItemUnderAnotherTitleIsFound(item: String, title: String) {
        let filing = Self.titled(item, title)
        for (number, word) in [("1", "service"), ("1A", "risk"), ("7", "revenue")] {
            #expect(filing[number]?.status == .found, "\(number)")
            #expect(FilingTests.text(filing, number) == FilingTests.prose(word))
        }
        #expect(filing[item]?.status == .found || filing[item]?.status == .omitted)
    }

    @Test func aReservedItemIsOmittedAndHoldsNothing() {
        let filing = Self.read()
        #expect(filing["6"]?.status == .omitted && filing["6"]?.paragraphs.isEmpty == true)
        #expect(filing["7"]?.status == .found)
    }

    @Test(arguments: ["7", "1A"]) func aSentenceThatBeginsWithAnItemIsNoHeading(item: String) {
        let filing = Self.read(body: { number in
            let sentence =
                "<p>Item \(item), \(item == "7" ? "Management’s Discussion" : "Risk Factors") of our report.</p>"
            return number == "1"
                ? FilingTests.prose("service") + sentence + FilingTests.prose("product") : Self.body(number)
        })
        #expect(FilingTests.text(filing, "1").contains("product number 59"))
        #expect(filing["7"]?.status == .found && filing["1A"]?.status == .found)
    }

    @Test func anItemOfTheContentsWithoutAHeadingMakesTheOneBeforeItDoubtful() {
        let filing = Self.read(heading: { $0 == "7A" ? nil : "<p><b>Item \($0). \($1)</b></p>" })
        #expect(filing["7"]?.status == .uncertain && filing["7A"]?.status == .missing)
        let seven = Self.read(heading: { $0 == "7" ? nil : "<p><b>Item \($0). \($1)</b></p>" })
        #expect(seven["6"]?.status != .found && seven["7"]?.status == .missing)
        #expect(!seven.sections.contains { FilingTests.text(seven, $0.item).contains("revenue number 1 ") })
    }

    @Test func anotherItemsTitleUnderTheNumberOfThisOneIsDoubtful() {
        let filing = Self.read(heading: { "<p><b>Item \($0 == "1A" ? "1" : $0). \($1)</b></p>" })
        #expect(filing["1"]?.status != .found || !FilingTests.text(filing, "1").contains("risk number"))
    }

    @Test func aHeadingThatIsRepeatedWithinItsItemCutsNothing() {
        let head = "<p><b>Item 7. Management’s Discussion and Analysis of Financial Condition</b></p>"
        let filing = Self.read(body: { item in
            item == "7" ? FilingTests.prose("revenue") + "</p>\(head)<p>" + FilingTests.prose("cash") : Self.body(item)
        })
        let text = FilingTests.text(filing, "7")
        #expect(filing["7"]?.status == .found)
        #expect(text.contains("revenue number 0 ") && text.contains("cash number 59 "))
    }

    @Test(arguments: ["<h2>", "<p style=\"font-weight:700\">"]) func titlesAloneAreHeadingsWhereTheContentsNameThem(
        begin: String
    ) {
        let end = begin == "<h2>" ? "</h2>" : "</p>"
        for contents in [{ (item: String, title: String) in "Item \(item). \(title)" }, { $1 }] {
            let filing = Self.read(contents: contents, heading: { begin + $1 + end })
            for (number, word) in [("1", "service"), ("1A", "risk"), ("7", "revenue")] {
                #expect(filing[number]?.status == .found, "\(number)")
                #expect(FilingTests.text(filing, number) == FilingTests.prose(word))
            }
        }
    }

    @Test func aTitleThatStandsAboveSeveralTextsIsDoubtful() {
        let filing = Self.read(
            heading: { "<h2>\($1)</h2>" },
            body: { item in
                item == "7"
                    ? FilingTests.prose("revenue") + "</p><h2>Risk Factors</h2><p>" + FilingTests.prose("currency")
                    : Self.body(item)
            })
        #expect(filing["1A"]?.status != .found && filing["7"]?.status != .found)
        #expect(filing["1"]?.status != .found)
    }

    @Test func bytesThatAreNoTextHaveNoSections() {
        let picture = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 7919 &+ $0 / 3) }
        #expect(!Filing.isText(picture))
        #expect(Filing(picture, name: "x").sections.allSatisfy { $0.status == .missing })
        #expect(Filing.isText(Array("Item 1. Business\n\tWe sell “tools”.".utf8)))
    }
}

/// Letters on grounds of all colours.
@Suite struct FilingColourTests {
    @Test(arguments: [
        ("teal", "white", true), ("purple", "#fff", true), ("hsl(200, 80%, 30%)", "white", true),
        ("linear-gradient(to right, teal, navy)", "white", true), ("linear-gradient(white, teal)", "white", true),
        ("linear-gradient(white, #ffffff)", "white", false), ("lightblue", "lightblue", false),
        ("rgb(0%, 50%, 50%)", "white", true), ("rgba(0, 0, 0, 0)", "black", true), ("transparent", "white", false),
        ("url(paper.png)", "white", false), ("url(paper.png) darkgreen no-repeat", "white", true),
        ("rgb(100%, 100%, 100%)", "white", false),
    ]) func lettersAreShownWhereTheirColourIsNotThatOfTheGround(ground: String, letters: String, isShown: Bool) {
        let text = "<div style=\"background: \(ground)\"><p style=\"color: \(letters)\">MARK of the words.</p></div>"
        let filing = FilingTests.read(FilingTests.report(business: FilingTests.prose("service") + text))
        #expect(FilingTests.text(filing, "1").contains("MARK") == isShown)
    }
}
