import Broker
import DataSources
import HTTP
import Basics
import Simulator
import Synchronization

/// A service whose sources of stocks are the simulator's.
struct StockService: Sendable {
    let service: Service
    let simulator: Simulator

    static func with(
        key: Bool = true, _ body: (StockService) async throws -> Void
    ) async throws {
        let simulator = Simulator()
        let url = try simulator.start()
        let transport = HTTPClient()
        let sec = SECClient(
            try SECConfiguration(base: url, userAgent: "Tests tests@example.com"), transport: transport,
            pacer: RequestPacer(requestsPerSecond: 10_000))
        let market = key ? FMPClient(key: Secret("simulated"), base: url + "/fmp/stable", transport: transport) : nil
        let outcome: Result<Void, any Error>
        do {
            try await Service.with(stocks: StockSources(companies: sec, market: market, timeout: .seconds(120))) {
                try await body(StockService(service: $0, simulator: simulator))
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await transport.shutdown()
        await simulator.stop()
        try outcome.get()
    }
}

/// Sources that answer when they are told to.
final class SlowSources: CompanyDirectorySource, StockMarketSource {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    private func wait() async throws(DataSourceError) {
        while !isOpen.withLock({ $0 }) {
            if Task.isCancelled { throw .cancelled }
            await Task.yield()
        }
    }

    func tickers() async throws(DataSourceError) -> TickerDirectory {
        try await wait()
        throw .timedOut(.edgar)
    }

    func company(_ ticker: String) async throws(DataSourceError) -> Company {
        try await wait()
        throw .timedOut(.edgar)
    }

    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
        try await wait()
        throw .noData(.edgar, ticker: ticker)
    }

    func quote(of ticker: Ticker) async throws(DataSourceError) -> StockQuote? { nil }

    func profile(of ticker: Ticker) async throws(DataSourceError) -> StockProfile? { nil }

    func ratios(of ticker: Ticker) async throws(DataSourceError) -> [StockRatio] { [] }
}
