import DataSources
import HTTP
import JSON
import JobQueue
import Testing

@testable import Broker

/// Whether a report rests on the newest filing that is known.
@Suite struct NewerFilingTests {
    private static let sources: [JSON] = [
        ["accession_number": "a", "filed": "2025-10-31"], ["accession_number": "b", "filed": "2024-11-01"],
    ]

    private func document(_ figures: JSON...) -> JSON {
        ["periods": .array(figures.map { ["figures": ["revenue": $0]] })]
    }

    private func figure(_ accession: String, _ filed: String) -> JSON {
        ["accession_number": JSON(accession), "filing_date": JSON(filed), "form": "10-Q"]
    }

    @Test func aReportOnTheNewestFilingIsNotOutdated() {
        #expect(
            NewerFiling(than: ReportFilings(Self.sources), in: document(figure("a", "2025-10-31"))).accession == nil)
        #expect(
            NewerFiling(than: ReportFilings(Self.sources), in: document(figure("c", "2025-01-31"))).accession == nil)
        #expect(NewerFiling(than: ReportFilings(Self.sources), in: [:]).json == .null)
    }

    @Test func aReportThatTheListHasIsNewerThanTheFigures() throws {
        let row: JSON = [
            "accession": "0000000001-26-000001", "form": "10-Q", "filed": "2026-01-30", "document": "q.htm",
        ]
        let listed = try #require(FilingEntry(row))
        let newer = NewerFiling(
            than: ReportFilings(Self.sources), in: document(figure("a", "2025-10-31")), listed: listed)
        #expect(
            newer.json == ["accession_number": "0000000001-26-000001", "form": "10-Q", "filed": "2026-01-30"])
        var read = Self.sources
        read.append(["accession_number": "0000000001-26-000001", "filed": "2026-01-30"])
        #expect(NewerFiling(than: ReportFilings(read), in: [:], listed: listed).accession == nil)
    }

    @Test func theNewestOfSeveralNewerFilingsIsNamed() {
        let newer = NewerFiling(
            than: ReportFilings(Self.sources),
            in: document(figure("c", "2026-01-30"), figure("d", "2026-05-01"), figure("a", "2025-10-31")))
        #expect(newer.json == ["accession_number": "d", "form": "10-Q", "filed": "2026-05-01"])
    }

    @Test func theListSaysOfEachReportWhatTheReportSays() async throws {
        try await TestStockService.with { stocks in
            let service = stocks.service
            let worker = try await FakeWorker(service)
            func report(_ ticker: String, _ filed: [JSON]) async throws -> String {
                let made = try await service.ask(
                    .post, "/api/v1/research/generate", ["stock_id": JSON(ticker), "investor_persona": "ann"])
                let id = try #require(made["data"]?["report_id"]?.string)
                var prose = ResearchTests.prose
                prose["sources"] = .array(filed)
                try await worker.complete(
                    try await worker.claim(try #require(JobID(id))),
                    with: ["report": prose, "facts": [], "scorecard": ResearchTests.scorecard])
                return id
            }
            let old = try await report(
                "AAPL", [["accession_number": "0000320193-20-000010", "form": "10-Q", "filed": "2020-01-29"]])
            let detail = try await service.ask(.get, "/api/v1/research/reports/\(old)")
            let newest = try #require(detail["data"]?["newer_filing"])
            #expect(detail["data"]?["is_outdated"] == true && newest["accession_number"]?.string != nil)
            let new = try await report("AAPL", [newest])
            let waiting = try await service.ask(
                .post, "/api/v1/research/generate", ["stock_id": "SNOW", "investor_persona": "ann"])
            #expect(waiting.status == 202)

            let list = try await service.ask(.get, "/api/v1/research/reports")
            let told = list["data"]?.array?.map { [$0["report_id"], $0["is_outdated"], $0["newer_filing"]] }
            #expect(
                told == [
                    [waiting["data"]?["report_id"], nil, nil], [JSON(new), false, .null], [JSON(old), true, newest],
                ])
        }
    }

    @Test func theIDOfAStockThatIsNoTickerIsExplained() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(
                .post, "/api/v1/research/generate",
                ["stock_id": "6f9619ff-8b86-d011-b42d-00c04fc964ff", "investor_persona": "ann"])
            #expect(answer.status == 422 && answer["error"]?["code"] == "VAL_3002")
            #expect(answer["error"]?["message"]?.string?.contains("the id of a stock is its ticker") == true)
        }
    }
}
