import DossierAPI
import HTTP
import HTTPServer
import JobQueue
import JSON
import Testing

@testable import Broker

/// `POST /api/v1/research/compare`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ComparisonTests {
    private static let path = "/api/v1/research/compare"
    private static let two: JSON = ["tickers": ["aapl", "BRK.B"], "investor_personas": ["ann"]]

    @Test func aComparisonIsAJobThatCostsACredit() async throws {
        try await TestService.with { service in
            let answer = try await service.ask(.post, Self.path, Self.two)
            #expect(answer.status == 202 && answer["data"]?["kind"] == "comparison", "\(answer.text)")
            #expect(answer["data"]?["subject"] == "AAPL and BRK-B compared")
            let id = try #require(answer["data"]?["id"]?.string)
            #expect(answer.header("Location") == "/api/v1/jobs/\(id)" && answer.header("ETag") != nil)
            let input = try await service.ask(.get, "/api/v1/jobs/\(id)/input")
            #expect(input["data"] == ["tickers": ["AAPL", "BRK-B"], "personas": ["ann"]], "\(input.text)")
            #expect(try await service.credits() == "10 granted, 9 left, 1 held, 0 used")
            let again = try await service.ask(.post, Self.path, Self.two)
            #expect(again["data"]?["id"]?.string == id, "an equal one is under way")
            let investors = try await service.ask(
                .post, Self.path, ["tickers": ["AAPL"], "investor_personas": ["ann", "bob"]])
            #expect(investors.status == 202 && investors["data"]?["subject"] == "AAPL as several investors read it")
            #expect(try await service.credits() == "10 granted, 8 left, 2 held, 0 used")
        }
    }

    /// What is wrong, with the code and the field of the route, and the field of `POST /jobs`.
    private static let bad: [(tickers: JSON, personas: JSON, code: String, field: String, input: String)] = [
        (["AAPL"], ["ann"], "VAL_3001", "tickers", "input.tickers"),
        ([], ["ann"], "VAL_3001", "tickers", "input.tickers"),
        (["A", "B", "C", "D", "E"], ["ann"], "VAL_3001", "tickers", "input.tickers"),
        (["AAPL", "aapl"], ["ann"], "VAL_3001", "tickers[1]", "input.tickers[1]"),
        (["BRK.B", "BRK-B"], ["ann"], "VAL_3001", "tickers[1]", "input.tickers[1]"),
        (["AAPL", "MSFT"], ["ann", "bob"], "VAL_3001", "investor_personas", "input.personas"),
        (["AAPL", "MSFT"], ["nobody"], "VAL_3003", "investor_personas[0]", "input.personas[0]"),
        (["AAPL"], ["ann", "nobody"], "VAL_3003", "investor_personas[1]", "input.personas[1]"),
        (["AAPL"], ["ann", "ann"], "VAL_3001", "investor_personas[1]", "input.personas[1]"),
        (["AAPL", "A B"], ["ann"], "VAL_3002", "tickers[1]", "input.tickers[1]"),
        (["AAPL", "BTC"], ["ann"], "VAL_3002", "tickers[1]", "input.tickers[1]"),
        (["AAPL", 5], ["ann"], "VAL_3001", "tickers[1]", "input.tickers[1]"),
        ("AAPL", ["ann"], "VAL_3001", "tickers", "input.tickers"),
        (["AAPL", "MSFT"], "ann", "VAL_3001", "investor_personas", "input.personas"),
    ]

    @Test func badInputIsRefusedByTheNameOfItsField() async throws {
        try await TestService.with { service in
            for bad in Self.bad {
                let body: JSON = ["tickers": bad.tickers, "investor_personas": bad.personas]
                let answer = try await service.ask(.post, Self.path, body)
                #expect(answer.status == 422 && answer.code == bad.code, "\(body): \(answer.text)")
                #expect(answer["error"]?["details"]?["field"]?.string == bad.field, "\(body): \(answer.text)")
                #expect(answer["error"]?["message"]?.string?.contains("'\(bad.field)'") == true, "\(answer.text)")
                #expect(answer["error"]?["message"]?.string?.contains("'personas") == false, "\(answer.text)")
                let input: JSON = ["tickers": bad.tickers, "personas": bad.personas]
                let job = try await service.ask(.post, "/api/v1/jobs", ["kind": "comparison", "input": input])
                let field = job["error"]?["details"]?["field"]?.string
                #expect(job.status == 422 && field == bad.input, "\(input): \(job.text)")
            }
            let more = try await service.ask(.post, Self.path, ["ticker": "AAPL"])
            #expect(more.status == 422 && more["error"]?["details"]?["field"] == "ticker")
            #expect(try await service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }

    @Test func aTickerThatNoCompanyHasIsRefusedBeforeACreditIsHeld() async throws {
        try await TestStockService.with { stocks in
            let answer = try await stocks.service.ask(
                .post, Self.path, ["tickers": ["AAPL", "ZZZZ"], "investor_personas": ["ann"]])
            #expect(answer.status == 404 && answer.code == "BIZ_2004", "\(answer.text)")
            #expect(answer["error"]?["details"]?["field"] == "tickers[1]")
            #expect(try await stocks.service.credits() == "10 granted, 10 left, 0 held, 0 used")
        }
    }
}
