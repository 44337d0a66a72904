import Testing

@testable import DataSources

@Suite struct DataSourceErrorTests {
    @Test func aMessageNamesTheSourceAndCutsTheUsersText() {
        let long = DataSourceError.invalidTicker("AAPL\n\u{1B}[31m" + String(repeating: "x", count: 500))
        #expect(long.description == "'AAPL[31mxxxxxxxxxx' is not a ticker")
        #expect(DataSourceError.unavailable(.edgar, status: 503).description == "SEC EDGAR is not available (HTTP 503)")
        #expect(
            DataSourceError.notFound(ticker: "NONE").description == "no company is listed under the ticker NONE")
    }

    @Test func onlyPassingFailuresAreTransient() {
        let transient: [DataSourceError] = [
            .rateLimited(.fmp, retryAfter: nil), .unavailable(.edgar, status: nil), .timedOut(.edgar),
        ]
        let lasting: [DataSourceError] = [
            .invalidTicker("x"), .notFound(ticker: "X"), .noData(.edgar, ticker: "X"), .notCovered(.fmp, ticker: "X"),
            .forbidden(.fmp, hint: ""), .unexpected(.fmp, problem: ""), .cancelled,
        ]
        for error in transient { #expect(error.isTransient) }
        for error in lasting { #expect(!error.isTransient) }
    }
}
