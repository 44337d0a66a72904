import DataSources
import HTTP
import JSON
import Simulator
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct FilingTests {
    @Test func `the filings of a stock can be read by items and in parts`() async throws {
        try await TestStockService.with { stocks in
            let list = try await stocks.service.ask(.get, "/api/v1/stocks/aapl/filings")
            let filings = try #require(list["data"]?.array)
            #expect(
                filings.compactMap { $0["role"]?.string } == [
                    "annual_report", "prior_annual_report", "quarterly_report", "results_release", "proxy_statement",
                ])
            let annual = try #require(filings.first?["accession_number"]?.string)
            let path = "/api/v1/filings/\(annual)"
            let first = try await stocks.service.ask(.get, path + "?item=1a&limit=2")
            #expect(first.status == 200, "\(first.text)")
            let paragraphs = try #require(first["data"]?["paragraphs"]?.array)
            #expect(paragraphs.count == 2 && paragraphs.allSatisfy { $0["item"] == "1A" })
            #expect(paragraphs[0]["id"]?.string?.hasPrefix(annual + "/1A/1-") == true)
            let count = try #require(first["data"]?["paragraph_count"]?.integer)
            let rest = try await stocks.service.ask(.get, path + "?item=1A&from=2&limit=200")
            #expect(rest["data"]?["paragraphs"]?.array?.count == Int(count) - 2)
            #expect(rest["data"]?["next"]?.isNull == true && first["data"]?["next"]?.integer == 2)
            #expect(!first.text.contains("Text that no reader sees"))
            let status = first["data"]?["items"]?.array?.first { $0["item"] == "1B" }?["status"]
            #expect(status == "omitted")
        }
    }

    @Test func `a filing that nobody listed is not found, and no request is made for it`() async throws {
        try await TestStockService.with { stocks in
            for accession in ["0000000001-25-000001", "x", "..%2F..%2Fetc"] {
                let answer = try await stocks.service.ask(.get, "/api/v1/filings/\(accession)")
                #expect(answer.status == 404 && answer.code == "BIZ_2005")
            }
            #expect(stocks.simulator.count(of: .sec) == 0)
            let unknown = try await stocks.service.ask(.get, "/api/v1/stocks/NOSUCH/filings")
            #expect(unknown.status == 404)
        }
    }

    @Test func `an item that the form does not have is refused with those that it has`() async throws {
        try await TestStockService.with { stocks in
            let list = try await stocks.service.ask(.get, "/api/v1/stocks/AAPL/filings")
            let annual = try #require(list["data"]?[0]?["accession_number"]?.string)
            let answer = try await stocks.service.ask(.get, "/api/v1/filings/\(annual)?item=99")
            #expect(answer.status == 422 && answer.text.contains("9A"), "\(answer.text)")
        }
    }
}
