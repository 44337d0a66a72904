import DataSources
import JSON
import Testing

@testable import Broker

/// Whether a report rests on the newest filing that is known.
@Suite struct NewerFilingTests {
    private static let sources: JSON = [
        ["accession_number": "a", "filed": "2025-10-31"], ["accession_number": "b", "filed": "2024-11-01"],
    ]

    private func document(_ figures: JSON...) -> JSON {
        ["periods": .array(figures.map { ["figures": ["revenue": $0]] })]
    }

    private func figure(_ accession: String, _ filed: String) -> JSON {
        ["accession_number": JSON(accession), "filing_date": JSON(filed), "form": "10-Q"]
    }

    @Test func aReportOnTheNewestFilingIsNotOutdated() {
        #expect(NewerFiling(than: Self.sources, in: document(figure("a", "2025-10-31"))).accession == nil)
        #expect(NewerFiling(than: Self.sources, in: document(figure("c", "2025-01-31"))).accession == nil)
        #expect(NewerFiling(than: Self.sources, in: [:]).json == .null)
    }

    @Test func aReportThatTheListHasIsNewerThanTheFigures() throws {
        let row: JSON = [
            "accession": "0000000001-26-000001", "form": "10-Q", "filed": "2026-01-30", "document": "q.htm",
        ]
        let listed = try #require(FilingEntry(row))
        let newer = NewerFiling(than: Self.sources, in: document(figure("a", "2025-10-31")), listed: listed)
        #expect(
            newer.json == ["accession_number": "0000000001-26-000001", "form": "10-Q", "filed": "2026-01-30"])
        var read = Self.sources.array ?? []
        read.append(["accession_number": "0000000001-26-000001", "filed": "2026-01-30"])
        #expect(NewerFiling(than: .array(read), in: [:], listed: listed).accession == nil)
    }

    @Test func theNewestOfSeveralNewerFilingsIsNamed() {
        let newer = NewerFiling(
            than: Self.sources,
            in: document(figure("c", "2026-01-30"), figure("d", "2026-05-01"), figure("a", "2025-10-31")))
        #expect(newer.json == ["accession_number": "d", "form": "10-Q", "filed": "2026-05-01"])
    }
}
