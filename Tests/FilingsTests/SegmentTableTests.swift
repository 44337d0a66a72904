import TestSupport
import Testing

@testable import Filings

/// Segments of real reports, by sums that were checked by hand, and those of made ones that do not add up.
@Suite struct SegmentTableTests {
    struct Expected: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let end: String
        let revenue: Double
        /// Millions by name.
        let parts: [String: Double]
        var incomes: [String: Double] = [:]
        var years = 3
    }

    @Test(
        .enabled(if: SharedData.isThere("filings"), "../shared/data/filings is not there"),
        arguments: [
            Expected(
                testDescription: "aapl-10k-2024", end: "2024-09-28", revenue: 391_035,
                parts: [
                    "Americas": 167_045, "Europe": 101_328, "Greater China": 66_952, "Japan": 25_052,
                    "Rest of Asia Pacific": 30_658,
                ],
                incomes: ["Americas": 67_656, "Japan": 12_454]),
            Expected(
                testDescription: "pg-10k-2024", end: "2024-06-30", revenue: 84_039,
                parts: [
                    "Beauty": 15_220, "Grooming": 6_654, "Health Care": 11_793, "Fabric Home Care": 29_495,
                    "Baby Feminine Family Care": 20_277, "Corporate": 601,
                ]),
            Expected(
                testDescription: "tsla-10k-2024", end: "2024-12-31", revenue: 97_690,
                parts: ["Automotive": 87_604, "Energy Generation and Storage": 10_086]),
            Expected(
                testDescription: "mcd-10k-2023", end: "2023-12-31", revenue: 25_493.7,
                parts: [
                    "US Market": 10_568.4, "International Operated Markets": 12_382.0,
                    "International Developmental Licensed Marketsand Corporate": 2_543.3,
                ],
                incomes: ["US Market": 5_694.4]),
            // 64,551 of the segments and 3,403 of corporate and eliminations; the segments to outsiders are 63,587.
            Expected(
                testDescription: "ge-10k-2023", end: "2023-12-31", revenue: 67_954,
                parts: [
                    "Aerospace": 31_770, "Power": 17_731, "Renewable Energy": 15_050,
                    "Corporate Reconciling Items and Eliminations": 3_403,
                ]),
        ]) func `the segments of a real report add up to its revenue`(expected: Expected) throws
    {
        let document = try SharedFilingsTests.document(expected.testDescription)
        let table = try #require(SegmentTable(document))
        let year = try #require(table.years.first)
        #expect(table.currency == "USD" && year.end == expected.end && year.revenue == expected.revenue * 1e6)
        #expect(
            Dictionary(year.parts.map { ($0.name, $0.revenue) }) { $1 } == expected.parts.mapValues { $0 * 1e6 })
        for (name, income) in expected.incomes {
            #expect(year.parts.first { $0.name == name }?.operatingIncome == income * 1e6)
        }
        #expect(table.years.count == expected.years)
        for year in table.years {
            let sum = year.parts.reduce(0) { $0 + $1.revenue }
            #expect(abs(sum - year.revenue) <= 1e6 * Double(year.parts.count), "\(year.end)")
        }
    }

    @Test(
        .enabled(if: SharedData.isThere("filings"), "../shared/data/filings is not there"),
        arguments: ["ibm-10k-2023", "msft-10k-2013", "cigf5-10k-2015"]
    ) func `a report without segments in its own document has none`(name: String) throws {
        #expect(SegmentTable(try SharedFilingsTests.document(name)) == nil)
    }

    /// A document with the revenue of a company and of its segments, in millions.
    private static func document(
        _ total: String, _ segments: [(member: String, text: String)], more: String = "", axes: String = ""
    ) -> [UInt8] {
        func context(_ id: String, _ members: String) -> String {
            "<xbrli:context id='\(id)'><xbrli:entity><xbrli:segment>\(members)</xbrli:segment></xbrli:entity>"
                + "<xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate>"
                + "</xbrli:period></xbrli:context>"
        }
        func fact(_ id: String, _ text: String) -> String {
            "<p><ix:nonFraction name='us-gaap:Revenues' contextRef='\(id)' unitRef='u' decimals='-6' scale='6'"
                + "\(text.hasPrefix("-") ? " sign='-'" : "")>\(text.filter { $0 != "-" })</ix:nonFraction></p>"
        }
        let contexts = segments.map { member, _ in
            context(
                member,
                "<xbrldi:explicitMember dimension='us-gaap:StatementBusinessSegmentsAxis'>x:\(member)"
                    + "</xbrldi:explicitMember>\(axes)")
        }
        let text =
            "<html><body><div style='display:none'><ix:header>\(context("all", ""))\(contexts.joined())"
            + "<xbrli:unit id='u'><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit></ix:header></div>"
            + fact("all", total) + segments.map { fact($0.member, $0.text) }.joined() + more + "</body></html>"
        return Array(text.utf8)
    }

    @Test func `segments within rounding of the revenue are shown, the largest first`() throws {
        let table = SegmentTable(Self.document("1,001", [("AMember", "400"), ("BSegmentMember", "600")]))
        let parts = try #require(table?.years.first?.parts)
        #expect(parts.map(\.name) == ["B", "A"] && parts.map(\.revenue) == [600e6, 400e6])
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let document: [UInt8]
    }

    @Test(arguments: [
        Wrong(
            testDescription: "a segment is missing",
            document: document("1,000", [("AMember", "400"), ("BMember", "500")])),
        Wrong(
            testDescription: "a subtotal is among them",
            document: document("1,000", [("AMember", "400"), ("BMember", "600"), ("ABMember", "1,000")])),
        Wrong(testDescription: "there is one segment", document: document("1,000", [("AMember", "1,000")])),
        Wrong(
            testDescription: "one is stated twice with other amounts",
            document: document("1,000", [("AMember", "400"), ("BMember", "600"), ("BMember", "700")])),
        Wrong(
            testDescription: "they are by country, too",
            document: document(
                "1,000", [("AMember", "400"), ("BMember", "600")],
                axes: "<xbrldi:explicitMember dimension='srt:StatementGeographicalAxis'>country:US"
                    + "</xbrldi:explicitMember>")),
        Wrong(
            testDescription: "a dimension has no named member",
            document: document(
                "1,000", [("AMember", "400"), ("BMember", "600")],
                axes: "<xbrldi:typedMember dimension='x:Axis'><x:a>1</x:a></xbrldi:typedMember>")),
        Wrong(
            testDescription: "a figure has no number",
            document: document("1,000", [("AMember", "400"), ("BMember", "six hundred")])),
        Wrong(
            testDescription: "the document is broken",
            document: Array("<ix:nonFraction StatementBusinessSegmentsAxis".utf8)),
    ]) func `segments that do not add up are not shown`(wrong: Wrong) {
        #expect(SegmentTable(wrong.document) == nil)
    }

    @Test func `the name of a member becomes words`() {
        #expect(SegmentTable.name(of: "aapl:RestOfAsiaPacificSegmentMember") == "Rest of Asia Pacific")
        #expect(SegmentTable.name(of: "mcd:USMarketMember") == "US Market")
        #expect(SegmentTable.name(of: "us-gaap:CorporateNonSegmentMember") == "Corporate Non Segment")
        #expect(SegmentTable.name(of: "x:AllOtherSegmentsMember") == "All Other")
    }
}
