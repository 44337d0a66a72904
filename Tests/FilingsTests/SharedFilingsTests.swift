import TestSupport
import Testing

@testable import Filings

/// Real reports beside the checkout.
@Suite(.enabled(if: SharedData.isThere("filings"), "../shared/data/filings is not there"))
struct SharedFilingsTests {
    /// The document, unpacked by `xz`.
    static func document(_ name: String) throws -> [UInt8] {
        try SharedData.bytes("filings/\(name).html.xz")
    }

    @Test(arguments: ["aapl-10k-2024", "msft-10k-2013", "pg-10k-2024", "tsla-10k-2024"])
    func `the business, the risks and the discussion are found in ordinary reports`(name: String) throws {
        let filing = Filing(try Self.document(name), name: name)
        for item in ["1", "1A", "7"] { #expect(filing[item]?.status == .found, "\(name) \(item)") }
    }

    @Test func `items of IBM that stand in its annual report are by reference`() throws {
        let filing = Filing(try Self.document("ibm-10k-2023"), name: "ibm")
        for item in ["7", "7A", "8"] { #expect(filing[item]?.status == .byReference) }
    }

    @Test(arguments: [
        ("ge-10k-2023", "Regulatory - We are subject to a wide variety of laws"),
        ("mcd-10k-2023", "Cautionary Statement Regarding Forward-Looking Statements"),
    ])
    func `a report with an index of pages alone has the risks in their item and nowhere else`(
        name: String, risk: String
    ) throws {
        let filing = Filing(try Self.document(name), name: name)
        func text(_ item: String) -> String { filing[item]?.paragraphs.map(\.text).joined(separator: "\n") ?? "" }
        for item in ["1", "1A", "7"] { #expect(filing[item]?.status == .found, "\(name) \(item)") }
        #expect(text("1A").contains(risk))
        #expect(!text("1").contains(risk) && !text("7").contains(risk))
    }

    @Test func `a proxy statement is one text without items`() throws {
        let filing = Filing(try Self.document("cbt-def14a-2024"), name: "cbt")
        #expect(filing.sections.map(\.item) == [Filing.wholeText])
        let paragraphs = filing[Filing.wholeText]?.paragraphs ?? []
        #expect(paragraphs.contains { $0.text.contains("Our LTI program is 70% performance-based") })
    }

    @Test func `a question about an item by reference finds where its text is`() throws {
        let filing = Filing(try Self.document("ibm-10k-2023"), name: "ibm")
        #expect(filing["7"]?.paragraphs.isEmpty == true)
        let passages = FilingSearch(filing, items: ["7"]).passages(
            for: "Where is management's discussion and analysis to be found?", tokens: 4000)
        #expect(passages.contains { $0.text.contains("Refer to pages 6 through 40") })
    }
}
