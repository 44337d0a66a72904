import Basics
import JSON
import TestSupport
import Testing

@testable import DataSources

@Suite struct FilingIndexTests {
    /// A list of rows: accession, form, filed, period, items, size.
    static func list(_ rows: [(String, String, String, String, String, Int64)]) -> JSON {
        func column(_ value: ((String, String, String, String, String, Int64)) -> JSON) -> JSON {
            .array(rows.map(value))
        }
        return [
            "filings": [
                "recent": [
                    "accessionNumber": column { JSON($0.0) }, "form": column { JSON($0.1) },
                    "filingDate": column { JSON($0.2) }, "reportDate": column { JSON($0.3) },
                    "items": column { JSON($0.4) }, "size": column { JSON($0.5) },
                    "primaryDocument": column { JSON($0.1.lowercased().filter(\.isLetter) + ".htm") },
                ]
            ]
        ]
    }

    private let index = FilingIndex(
        Self.list([
            ("0000000001-25-000009", "10-Q", "2025-05-01", "2025-03-31", "", 1),
            ("0000000001-25-000008", "10-K/A", "2025-04-30", "2024-12-31", "", 1),
            ("0000000001-25-000007", "DEF 14A", "2025-04-10", "2025-06-01", "", 41),
            ("0000000001-25-000006", "DEF 14A", "2025-04-10", "", "", 2),
            ("0000000001-25-000005", "8-K", "2025-04-02", "2025-04-02", "5.02,9.01", 1),
            ("0000000001-25-000004", "10-K", "2025-02-01", "2024-12-31", "", 1),
            ("0000000001-25-000003", "8-K", "2025-01-30", "2025-01-30", "2.02,9.01", 1),
            ("0000000001-24-000002", "10-Q", "2024-11-01", "2024-09-30", "", 1),
            ("0000000001-24-000001", "10-KT", "2024-02-01", "2023-12-31", "", 1),
        ]))
    private let today = CalendarDate(year: 2025, month: 6, day: 1)

    @Test func `an amendment is no annual report, and a report on a shortened year is one`() throws {
        let today = try #require(today)
        let annual = try #require(index.annualReport(asOf: today))
        #expect(annual.accession == "0000000001-25-000004")
        #expect(index.priorReport(to: annual)?.accession == "0000000001-24-000001")
    }

    @Test func `a quarterly report counts when its period ends after that of the annual report`() throws {
        let today = try #require(today)
        let annual = try #require(index.annualReport(asOf: today))
        #expect(index.quarterlyReport(after: annual, asOf: today)?.accession == "0000000001-25-000009")
        let before = try #require(CalendarDate(year: 2025, month: 4, day: 20))
        #expect(index.quarterlyReport(after: annual, asOf: before) == nil)
    }

    @Test func `announcements of other things are no results, and a notice is no proxy statement`() throws {
        let today = try #require(today)
        #expect(index.resultsReleases(asOf: today).map(\.accession) == ["0000000001-25-000003"])
        #expect(index.proxyStatement(asOf: today)?.accession == "0000000001-25-000007")
    }

    @Test func `rows without a readable number or date are left out`() {
        let index = FilingIndex(
            Self.list([
                ("../../etc", "10-K", "2025-02-01", "2024-12-31", "", 1),
                ("0000000001-25-000001", "10-K", "soon", "2024-12-31", "", 1),
            ]))
        #expect(index.entries.isEmpty)
    }

    @Test func `a page of a filing names the documents by their types, also behind a viewer`() {
        let page = """
            <table summary="Document Format Files"><tr><th>Seq</th><th>Description</th><th>Document</th><th>Type</th></tr>
            <tr><td>1</td><td>8-K</td><td><a href="/ix?doc=/Archives/edgar/data/1/2/main.htm">main.htm</a> iXBRL</td>
            <td>8-K</td><td>9</td></tr>
            <tr><td>2</td><td>NEWS</td><td><a href="/Archives/edgar/data/1/2/news.htm">news.htm</a></td>
            <td>EX-99.1</td><td>9</td></tr></table>
            <table summary="Data Files"><tr><td>3</td><td>X</td><td><a href="/Archives/edgar/data/1/2/x.xsd">x.xsd</a></td>
            <td>EX-101.SCH</td><td>9</td></tr></table>
            """
        let documents = FilingDocuments(page: Array(page.utf8))
        #expect(documents.documents.map(\.name) == ["main.htm", "news.htm"])
        #expect(documents.release == "news.htm")
    }
}

/// What the SEC answered, and what is to be chosen of it.
@Suite(.enabled(if: SharedData.isThere("filings/wire"), "../shared/data/filings/wire is not there"))
struct RecordedFilingListTests {
    static func bytes(_ name: String) throws -> [UInt8] { try SharedData.bytes("filings/wire/\(name)") }

    @Test func `each choice of the recorded list is the expected one`() throws {
        let expected = try JSON(parsing: Self.bytes("expectations.json"))
        let cases = try #require(expected["choose"]?.array)
        #expect(cases.count == 4)
        for choice in cases {
            let file = try #require(choice["file"]?.string)
            var index = FilingIndex(try JSON(parsing: Self.bytes(file)))
            index.add(FilingIndex(try JSON(parsing: Self.bytes("CIK0001318605-submissions-001.json.xz"))))
            let day = try #require(choice["as_of"]?.string.flatMap { CalendarDate($0) })
            let annual = try #require(index.annualReport(asOf: day))
            let cik = try #require(CIK(1_318_605))
            func check(_ name: String, _ entry: FilingEntry?) {
                guard let wanted = choice[name] else { return }
                #expect(entry?.accession == wanted["accession"]?.string, "\(day) \(name)")
                #expect(entry?.document == wanted["document"]?.string, "\(day) \(name)")
                #expect(entry.map { "https://www.sec.gov" + $0.path(of: cik) } == wanted["url"]?.string)
            }
            check("ten_k", annual)
            check("prior_ten_k", index.priorReport(to: annual))
            check("later_ten_q", index.quarterlyReport(after: annual, asOf: day))
            check("results", index.resultsReleases(asOf: day).first)
            check("proxy", index.proxyStatement(asOf: day))
        }
    }

    @Test func `the documents of recorded filings are found by their types`() throws {
        let page = FilingDocuments(page: try Self.bytes("0000072333-23-000015-index.html"))
        #expect(page.documents.first?.name == "jwn-20230301.htm")
        #expect(page["EX-10.1"] == "jwn-03062023xex101.htm" && page["EX-10.2"] == "jwn-03062023xex102.htm")
        #expect(page.release == nil)
        let submission = FilingDocuments(submission: try Self.bytes("0000066740-24-000023.txt.xz"))
        #expect(submission.documents.first?.name == "mmm-20240308.htm")
        #expect(submission.release == "pressrelease3-8x24.htm")
    }
}
