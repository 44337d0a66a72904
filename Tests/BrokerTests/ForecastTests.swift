import Basics
import Broker
import DataSources
import HTTP
import JSON
import JobQueue
import Prices
import SQLiteStore
import TestSupport
import Testing

/// Forecasts and charts of prices at the broker.
@Suite(.timeLimit(.minutes(5))) struct ForecastTests {
    /// All trainings are jobs of the service itself, so the turns of users are theirs by priority.
    @Test func aUsersManyTrainingsDoNotDelayAnotherUsersFirst() async throws {
        try await TestService.with { service in
            let worker = try await FakeWorker(service)
            for (symbol, user) in [("A", "1"), ("B", "1"), ("C", "1"), ("D", "1"), ("X", "2"), ("Y", "2")] {
                _ = try await service.submit("training", input: ["symbol": JSON(symbol)], user: user)
            }
            var order: [String] = []
            for _ in 0..<6 {
                let claim = try await service.store.claim(for: worker.id, upTo: [.interactive: 1])
                order += claim.jobs.compactMap { $0.input["symbol"]?.string }
                #expect(claim.jobs.allSatisfy { $0.user == .system })
            }
            #expect(order == ["A", "X", "B", "Y", "C", "D"])
        }
    }

    /// Ten days up to today.
    private struct RecentPrices: PriceSource {
        var isMetered: Bool { false }

        func prices(
            of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
        ) async throws(DataSourceError) -> SourcedPrices {
            let rows = (0..<10).map { days in
                RawPriceBar(
                    time: (last + -days).secondsSinceEpoch, open: 10, high: 12, low: 9, close: 11, volume: 1000)
            }
            return SourcedPrices(rows: rows, source: .fmp)
        }
    }

    /// A range that trapped ended the broker.
    @Test(arguments: ["from=2999-01-01", "from=9999-12-31", "from=2998-01-01&to=2999-01-01", "to=1970-01-01"])
    func aChartOfDaysWithoutPricesIsEmpty(query: String) async throws {
        try await TestService.with(stocks: StockSources(prices: RecentPrices())) { service in
            let answer = try await service.ask(.get, "/api/v1/stocks/AAPL/prices?\(query)")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["data"]?["bars"] == [])
        }
    }

    private struct FailingPrices: PriceSource {
        let error: DataSourceError
        var isMetered: Bool { false }

        func prices(
            of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
        ) async throws(DataSourceError) -> SourcedPrices { throw error }
    }

    /// Apps repeat a request after a status of 500 and above, so what stays wrong must have another one.
    @Test(
        arguments: [
            (.notCovered(.fmp, ticker: "AAPL"), 503, "does not cover AAPL"),
            (.missingPrices(.priceFiles, ticker: "AAPL", timeframe: .hourly), 404, "no hourly prices of AAPL"),
            (
                .unusablePrices(.priceFiles, ticker: "AAPL", problem: "the file has no rows"), 404,
                "cannot be used: the file has no rows"
            ), (.unavailable(.priceFiles, status: nil), 503, "price files is not available"),
            (.notFound(ticker: "AAPL"), 404, "No company is listed"),
        ] as [(DataSourceError, Int, String)])
    func aChartWithoutPricesSaysWhy(error: DataSourceError, status: Int, message: String) async throws {
        try await TestService.with(stocks: StockSources(prices: FailingPrices(error: error))) { service in
            let answer = try await service.ask(.get, "/api/v1/stocks/AAPL/prices")
            #expect(answer.status == status && answer.text.contains(message), "\(answer.text)")
        }
    }
}
