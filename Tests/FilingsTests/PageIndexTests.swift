import Testing

@testable import Filings

/// A report without headings of items, whose index names the pages of each.
@Suite struct PageIndexTests {
    private static func prose(_ word: String) -> String { FilingTests.prose(word) }

    /// Pages from 3 on, each with a foot, and the index behind them.
    private func report(_ pages: [String], _ index: [(String, String, String)]) -> Filing {
        let body = pages.enumerated().map { place, page in
            page + "<p>Some Company 2025 Annual Report \(place + 3)</p><hr style=\"page-break-after:always\">"
        }.joined()
        let rows = index.sorted { Self.place($0.0) < Self.place($1.0) }.map {
            "<tr><td>Item \($0.0).</td><td>\($0.1)</td><td>\($0.2)</td></tr>"
        }.joined()
        return Filing(Array("<html><body>\(body)<table>\(rows)</table></body></html>".utf8), name: "test")
    }

    private static let fillers = ["5", "6", "9", "9B", "10", "11", "12"].map { number in
        (number, FilingItem.annual.first { $0.number == number }?.titles.first ?? "", "Not applicable")
    }

    private static let pages = [
        "<p><b>ABOUT THE COMPANY</b></p><p>\(prose("service"))</p>",
        "<p>\(prose("customer"))</p>",
        "<p>MANAGEMENT’S DISCUSSION AND ANALYSIS. \(prose("revenue"))</p>",
        "<p>RISK FACTORS. \(prose("risk"))</p><p>\(prose("danger"))</p>",
        "<p>\(prose("hazard"))</p><p>LEGAL PROCEEDINGS. The company is party to one lawsuit in Aachen.</p>",
        "<p>\(prose("statement"))</p>",
    ]

    private static func index(last: Bool) -> [(String, String, String)] {
        [
            ("1", "Business", last ? "3-4" : "3"), ("1A", "Risk Factors", last ? "6-7" : "6"),
            ("3", "Legal Proceedings", "7"),
            ("7", "Management’s Discussion and Analysis", last ? "5" : "5"),
            ("8", "Financial Statements and Supplementary Data", "8"),
        ] + fillers
    }

    private static func place(_ number: String) -> Int { FilingItem.annual.first { $0.number == number }?.place ?? 0 }

    private func text(_ filing: Filing, _ item: String) -> String {
        filing[item]?.paragraphs.map(\.text).joined(separator: "\n") ?? ""
    }

    @Test(arguments: [true, false])
    func `an item is what stands on its pages, up to the heading of the next`(hasLastPages: Bool) {
        let filing = report(Self.pages, Self.index(last: hasLastPages))
        #expect(filing["1A"]?.status == .found)
        #expect(text(filing, "1A").hasPrefix("RISK FACTORS. "))
        #expect(text(filing, "1A").hasSuffix(Self.prose("hazard")))
        #expect(filing["7"]?.status == .found && text(filing, "7").contains("revenue number 3"))
        #expect(!text(filing, "7").contains("risk number"))
        #expect(filing["9"]?.status == .omitted && filing["9A"]?.status == .missing)
    }

    @Test func `an index with several ranges in another order than the items has each item on its pages`() {
        // As Intel does: risks before the discussion, and a page that belongs to two items.
        let pages = [
            "<p><b>OUR BUSINESS</b></p><p>\(Self.prose("service"))</p>",
            "<p>RISK FACTORS. \(Self.prose("risk"))</p><p>\(Self.prose("danger"))</p>",
            "<p>MANAGEMENT’S DISCUSSION AND ANALYSIS. \(Self.prose("revenue"))</p>",
            "<p><b>OUR PEOPLE</b></p><p>\(Self.prose("employee"))</p>",
            "<p><b>OUR CAPITAL</b></p><p>\(Self.prose("product"))</p>",
            "<p>\(Self.prose("statement"))</p>",
        ]
        let filing = report(
            pages,
            [
                ("1", "Business", "3, 6-7"), ("1A", "Risk Factors", "4"), ("3", "Legal Proceedings", "8"),
                ("7", "Management’s Discussion and Analysis", "5, 7"),
                ("8", "Financial Statements and Supplementary Data", "8"),
            ] + Self.fillers)
        #expect(filing["1"]?.status == .found && filing["1A"]?.status == .found && filing["7"]?.status == .found)
        #expect(text(filing, "1").contains("service number 3") && text(filing, "1").contains("employee number 3"))
        #expect(!text(filing, "1").contains("risk number") && !text(filing, "1").contains("revenue number"))
        #expect(text(filing, "1A").contains("danger number 3") && !text(filing, "1A").contains("revenue number"))
        #expect(text(filing, "7").contains("revenue number 3") && text(filing, "7").contains("product number 3"))
        #expect(!text(filing, "7").contains("employee number") && !text(filing, "7").contains("risk number"))
    }

    @Test func `the risks are in doubt when their page has no heading of them`() {
        var pages = Self.pages
        pages[3] = "<p>\(Self.prose("risk"))</p>"
        let filing = report(pages, Self.index(last: true))
        #expect(filing["1A"]?.status == .uncertain)
        #expect(filing["1A"]?.paragraphs.isEmpty == true)
    }

    @Test func `words of readers find what a filing calls otherwise`() {
        let filing = Filing(
            Array("<p>We suspended distributions to partners.</p><p>The weather was fine in the summer.</p>".utf8),
            name: "test")
        let passages = FilingSearch(filing).passages(for: "Were payments to the investors stopped?", tokens: 100)
        #expect(passages.first?.text == "We suspended distributions to partners.")
    }
}
