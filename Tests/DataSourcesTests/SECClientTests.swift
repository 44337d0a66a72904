import HTTP
import JSON
import Testing

@testable import DataSources

@Suite struct SECClientTests {
    private let tickers = #"{"0":{"cik_str":77,"ticker":"SYN-B","title":"SYNTHETIC CORP"}}"#

    private func client(_ transport: ScriptedTransport, time: ManualTime = ManualTime()) throws -> SECClient {
        SECClient(
            try SECConfiguration(base: "http://localhost:1/", userAgent: "Test test@example.com"), transport: transport,
            pacer: RequestPacer(requestsPerSecond: 10, time: time.source), time: time.source)
    }

    /// Answers as the SEC would for one company.
    private func company() throws -> ScriptedTransport {
        var facts = SyntheticFacts()
        try facts.addYear(2023, revenue: "1000")
        let body = facts.json.compact
        let tickers = tickers
        return ScriptedTransport { request in
            switch request.url {
            case "http://localhost:1/files/company_tickers.json": .ok(tickers)
            case "http://localhost:1/api/xbrl/companyfacts/CIK0000000077.json": .ok(body)
            case "http://localhost:1/submissions/CIK0000000077.json":
                .ok(
                    #"{"name":"Synthetic Corp.","sic":"7372","sicDescription":"Services","fiscalYearEnd":"1231","#
                        + #""exchanges":["NYSE",null]}"#)
            default: HTTPResponse(status: 404)
            }
        }
    }

    @Test func aTickerLeadsToTheFiguresOfItsCompany() async throws {
        let transport = try company()
        let result = try await client(transport).fundamentals("syn.b")
        #expect(result.fundamentals.text("revenue.FY2023") == "1000")
        let expected = Company(
            ticker: try Ticker("SYN-B"), cik: try #require(CIK(77)), name: "Synthetic Corp.", industryCode: "7372",
            industry: "Services", exchanges: ["NYSE"], fiscalYearEnd: "1231")
        #expect(result.company == expected)
        #expect(try CompanyFundamentals(JSONField(result.json)) == result)
        #expect(transport.sent.allSatisfy { $0.headers["User-Agent"] == "Test test@example.com" })
        let figure = try #require(result.fundamentals.figures.first)
        #expect(result.url(of: figure).hasPrefix("https://www.sec.gov/Archives/edgar/data/77/"))
    }

    @Test func fetchedDocumentsAreCachedForAnHour() async throws {
        let time = ManualTime()
        let transport = try company()
        let client = try client(transport, time: time)
        _ = try await client.fundamentals("SYN-B")
        time.advance(by: .seconds(3599))
        _ = try await client.fundamentals("SYN-B")
        #expect(transport.sent.count == 3)
        time.advance(by: .seconds(2))
        _ = try await client.fundamentals("SYN-B")
        #expect(transport.sent.map(\.url).filter { $0.contains("companyfacts") }.count == 2)
        #expect(transport.sent.map(\.url).filter { $0.contains("tickers") }.count == 1)
    }

    @Test func anUnknownTickerIsNotFoundAndAMalformedOneIsNotRequested() async throws {
        let transport = try company()
        let client = try client(transport)
        await #expect(throws: DataSourceError.notFound(ticker: "NONE")) { try await client.fundamentals("none") }
        await #expect(throws: DataSourceError.invalidTicker("a b")) { try await client.fundamentals("a b") }
        #expect(transport.sent.count == 1)
    }

    @Test func aCompanyWithoutFactsHasNoData() async throws {
        let tickers = tickers
        let transport = ScriptedTransport { request in
            request.url.hasSuffix("tickers.json") ? .ok(tickers) : HTTPResponse(status: 404)
        }
        let client = try client(transport)
        await #expect(throws: DataSourceError.noData(.edgar, ticker: "SYN-B")) {
            try await client.fundamentals("SYN-B")
        }
        // Its name is known all the same.
        #expect(try await client.company("SYN-B").name == "SYNTHETIC CORP")
    }

    struct Failure: Sendable {
        let status: Int
        var body = ""
        var headers: HTTPHeaders = [:]
        let isTransient: Bool
        var delay: Duration?
    }

    private static let failures: [Failure] = [
        Failure(status: 403, body: "Undeclared Automated Tool", isTransient: false),
        Failure(
            status: 403, body: "<h1>Request Rate Threshold Exceeded</h1>", isTransient: true, delay: .seconds(600)),
        Failure(status: 429, headers: ["Retry-After": "7"], isTransient: true, delay: .seconds(7)),
        Failure(status: 429, isTransient: true), Failure(status: 503, isTransient: true),
        Failure(status: 500, isTransient: true), Failure(status: 200, body: "<html>", isTransient: false),
        Failure(status: 302, isTransient: false),
    ]

    @Test(arguments: failures)
    func failuresAreReported(_ failure: Failure) async throws {
        let client = try client(
            ScriptedTransport(status: failure.status, headers: failure.headers, failure.body))
        let error = await #expect(throws: DataSourceError.self) { try await client.tickers() }
        #expect(error?.isTransient == failure.isTransient)
        #expect(error?.retryAfter == failure.delay)
    }

    @Test(arguments: [
        (HTTPClientError.timedOut(host: "h"), DataSourceError.timedOut(.edgar)),
        (.cannotConnect(host: "h"), .unavailable(.edgar, status: nil)), (.cancelled, .cancelled),
        (.bodyTooLarge(limit: 1), .unexpected(.edgar, problem: "the answer is too large")),
    ])
    func brokenConnectionsAreReported(failure: HTTPClientError, error: DataSourceError) async throws {
        let client = try client(ScriptedTransport { _ throws(HTTPClientError) in throw failure })
        await #expect(throws: error) { try await client.tickers() }
    }

    @Test(.enabled(if: SharedFilings.areThere, "../shared/data/sec is not there"))
    func aRealSubmissionsPageGivesTheCompanysProfile() throws {
        let profile = SECProfile(try SharedFilings.json(SharedFilings.submissions))
        #expect(profile.name == "MICROSOFT CORP")
        #expect(profile.industryCode == "7372")
        #expect(profile.industry == "Services-Prepackaged Software")
        #expect(profile.fiscalYearEnd == "0630")
        #expect(profile.exchanges == ["Nasdaq"])
    }

    @Test func nothingIsRequestedWithoutAContact() {
        #expect(throws: DataSourceError.self) { try SECConfiguration(userAgent: " ") }
    }

    @Test func withoutABaseTheTwoHostsOfTheSECAreUsed() throws {
        let configuration = try SECConfiguration(userAgent: "x")
        #expect(configuration.filesBase == "https://www.sec.gov")
        #expect(configuration.dataBase == "https://data.sec.gov")
    }

    @Test func requestsKeepTheirDistance() async throws {
        let time = ManualTime()
        let pacer = RequestPacer(requestsPerSecond: 10, time: time.source)
        for _ in 0..<4 { try await pacer.waitForTurn() }
        #expect(time.sleeps == [.milliseconds(100), .milliseconds(200), .milliseconds(300)])
        time.advance(by: .seconds(5))
        try await pacer.waitForTurn()
        #expect(time.sleeps.count == 3)
    }
}
