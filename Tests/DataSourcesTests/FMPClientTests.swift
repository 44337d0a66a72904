import FoundationEssentials
import HTTP
import JSON
import Basics
import Testing

@testable import DataSources

@Suite struct FMPClientTests {
    private func client(_ transport: ScriptedTransport) -> FMPClient {
        FMPClient(key: Secret("s3cret&key"), base: "http://localhost:1/stable/", transport: transport)
    }

    private func answers(profile: String, quote: String) -> ScriptedTransport {
        ScriptedTransport { request in .ok(request.url.contains("/profile?") ? profile : quote) }
    }

    @Test func profileAndQuoteMakeMarketData() async throws {
        let transport = answers(
            profile: #"[{"symbol":"BRK-B","companyName":"Berkshire","price":480,"marketCap":1000,"currency":"USD","#
                + #""sector":"Financial Services","industry":"Insurance","country":"US","exchange":"NYSE","beta":0.8}]"#,
            quote: #"[{"symbol":"BRK-B","price":481.25,"marketCap":1038000000000,"timestamp":1795000000}]"#)
        let data = try await client(transport).marketData("brk.b")
        #expect(data.price == Decimal(string: "481.25"))
        #expect(data.marketCap == Decimal(1_038_000_000_000))
        #expect(data.currency == "USD")
        #expect(data.asOf == 1_795_000_000)
        #expect(data.sector == "Financial Services")
        #expect(data.source == .fmp)
        #expect(
            transport.sent.map(\.url) == [
                "http://localhost:1/stable/profile?symbol=BRK-B&apikey=s3cret%26key",
                "http://localhost:1/stable/quote?symbol=BRK-B&apikey=s3cret%26key",
            ])
        #expect(try MarketData(JSONField(data.json)) == data)
    }

    @Test func fieldsThatTheSourceLeavesOutAreMissing() async throws {
        let data = try await client(
            answers(profile: #"[{"symbol":"X","price":0,"marketCap":null,"sector":""}]"#, quote: "[]")
        ).marketData("X")
        #expect(data.price == nil)
        #expect(data.marketCap == nil)
        #expect(data.currency == nil)
        #expect(data.sector == nil)
        #expect(data.asOf == nil)
        #expect(try MarketData(JSONField(data.json)) == data)
    }

    @Test func anUnknownTickerIsNotFound() async {
        await #expect(throws: DataSourceError.notFound(ticker: "NONE")) {
            try await client(answers(profile: "[]", quote: "[]")).marketData("none")
        }
    }

    @Test func theProfileIsEnoughWhereThePlanHasNoQuotes() async throws {
        let transport = ScriptedTransport { request in
            request.url.contains("/profile?")
                ? .ok(#"[{"symbol":"X","price":5,"currency":"USD"}]"#)
                : HTTPResponse(status: 402, body: Array("Premium Query Parameter: s3cret&key".utf8))
        }
        #expect(try await client(transport).marketData("X").price == 5)
    }

    @Test(arguments: [
        (200, #"{"Error Message":"Limit Reach . Please upgrade your plan s3cret&key"}"#, true),
        (200, #"{"Error Message":"Invalid API KEY. s3cret&key"}"#, false),
        (200, #"{"Error Message":"Exclusive Endpoint"}"#, false), (200, #"{"a":1}"#, false), (200, "", false),
        (402, "Premium Query Parameter s3cret&key", false), (401, "s3cret&key", false), (403, "Legacy", false),
        (429, "Limit Reach", true), (500, "s3cret&key", true), (404, "", false),
    ])
    func everyAnswerOtherThanAListIsAnErrorWithoutTheKey(status: Int, body: String, isTransient: Bool) async {
        let error = await #expect(throws: DataSourceError.self) {
            try await client(ScriptedTransport(status: status, body)).marketData("AAPL")
        }
        #expect(error?.isTransient == isTransient)
        #expect(!String(reflecting: error).contains("s3cret"))
    }

    @Test func aMalformedAddressDoesNotShowTheKey() async {
        let transport = ScriptedTransport { request throws(HTTPClientError) in throw .invalidURL(request.url) }
        let error = await #expect(throws: DataSourceError.self) { try await client(transport).marketData("AAPL") }
        #expect(!String(reflecting: error).contains("s3cret"))
    }
}
