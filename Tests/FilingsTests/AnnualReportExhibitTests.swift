import Testing

@testable import Filings

/// The discussion of companies that put it into their annual report to shareholders.
@Suite struct AnnualReportExhibitTests {
    /// A report whose Item 7 is a pointer.
    private static func report(_ pointer: String) -> Filing {
        let items = [
            ("1", "Business", "<p>\(FilingTests.prose("service"))</p>"),
            ("1A", "Risk Factors", "<p>\(FilingTests.prose("risk"))</p><p>\(FilingTests.prose("danger"))</p>"),
            ("2", "Properties", "<p>The company owns its offices in Aachen and in Trier.</p>"),
            ("7", "Management’s Discussion and Analysis", "<p>\(pointer)</p>"),
            ("8", "Financial Statements and Supplementary Data", "<p>\(FilingTests.prose("statement"))</p>"),
        ]
        let body = items.map { "<p><b>Item \($0.0). \($0.1)</b></p>\($0.2)" }.joined()
        return Filing(Array("<html><body>\(body)</body></html>".utf8), name: "a")
    }

    private static let pointer =
        "Refer to pages 6 through 40 of the Annual Report to Stockholders, which is Exhibit 13."

    private static func exhibit(_ discussion: String) -> [UInt8] {
        Array(
            """
            <html><body><p>Management Discussion</p><p>Consolidated Income Statement</p>
            <p>To our shareholders. The year was a good one.</p>
            <p><b>Management Discussion</b></p>\(discussion)
            <p><b>Consolidated Income Statement</b></p><p>\(FilingTests.prose("footnote"))</p></body></html>
            """.utf8)
    }

    @Test func `the discussion of the exhibit becomes Item 7, up to the next title`() throws {
        let filing = Self.report(Self.pointer)
        #expect(filing["7"]?.status == .byReference && filing.discussionIsInExhibit)
        let body = "<p>\(FilingTests.prose("revenue"))</p><p>\(FilingTests.prose("cash"))</p>"
        let completed = filing.completed(byExhibit: Self.exhibit(body), name: "a")
        let item = try #require(completed["7"])
        #expect(item.status == .found)
        let text = item.paragraphs.map(\.text).joined(separator: "\n")
        #expect(
            text.contains("revenue number 3") && text.contains("cash number 3") && !text.contains("footnote number"))
        #expect(!text.contains("To our shareholders"))
        #expect(item.paragraphs.allSatisfy { $0.id.hasPrefix("a/7/") })
        #expect(completed["1A"]?.paragraphs == filing["1A"]?.paragraphs)
    }

    @Test func `an exhibit with a few words of it changes nothing`() {
        let filing = Self.report(Self.pointer).completed(byExhibit: Self.exhibit("<p>Short.</p>"), name: "a")
        #expect(filing["7"]?.status == .byReference && filing["7"]?.paragraphs.isEmpty == true)
    }

    @Test func `a pointer to the proxy statement asks for no exhibit`() {
        let filing = Self.report("The information is incorporated by reference from the proxy statement.")
        #expect(filing["7"]?.status == .byReference && !filing.discussionIsInExhibit)
    }
}
