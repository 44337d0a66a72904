import Basics
import Broker
import DataSources
import DossierAPI
import BrokerClient
import Foundation
import HTTP
import HTTPServer
import JobQueue
import JSON
import Observability
import Simulator
import SQLiteStore
import Synchronization
import TestSupport
import Testing

/// A listening broker with a temporary database, and a client for it.
struct TestService: Sendable {
    let broker: Broker
    let store: SQLiteStore
    let client: HTTPClient
    let url: String
    let port: Int
    let time: ManualWallClock
    let log: LogLines

    /// Runs a service during the body.
    static func with(
        _ change: (inout BrokerConfiguration) -> Void = { _ in }, news: NewsSources = NewsSources(),
        stocks: StockSources = StockSources(), _ body: (TestService) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "dossier-broker-\(UUID().uuidString)")
        let store = try await SQLiteStore.open(path: folder.appending(path: "dossier.db").path)
        let outcome: Result<Void, any Error>
        do {
            try await run(over: store, time: ManualWallClock(), change, news, stocks, body)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await store.close()
        try? FileManager.default.removeItem(at: folder)
        try outcome.get()
    }

    /// Runs another broker over the same store, with the same clock.
    func beside(
        _ change: (inout BrokerConfiguration) -> Void, _ body: (TestService) async throws -> Void
    ) async throws { try await Self.run(over: store, time: time, change, NewsSources(), StockSources(), body) }

    private static func run(
        over store: SQLiteStore, time: ManualWallClock, _ change: (inout BrokerConfiguration) -> Void,
        _ news: NewsSources, _ stocks: StockSources, _ body: (TestService) async throws -> Void
    ) async throws {
        var configuration = BrokerConfiguration()
        configuration.rateLimit = 0
        change(&configuration)
        let log = LogLines()
        let broker = Broker(
            configuration: configuration, store: store, records: store,
            bundle: try await CurrentBundle(SampleBundle.bundle(), storedIn: store), news: news, stocks: stocks,
            now: { time.now }, logger: log.logger)
        var settings = HTTPServerConfiguration(
            address: "127.0.0.1:0", errorResponse: { broker.errorResponse($0, at: $1) })
        settings.checkHead = broker.headCheck
        settings.connectionRefused = broker.connectionRefused
        let server = HTTPServer(configuration: settings, handler: broker.handler)
        let address = try server.start()
        let running = Task { await broker.run() }
        let service = TestService(
            broker: broker, store: store, client: HTTPClient(), url: address.url, port: address.port, time: time,
            log: log)
        let outcome: Result<Void, any Error>
        do {
            try await body(service)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await service.client.shutdown()
        await server.shutdown(grace: .zero)
        running.cancel()
        await running.value
        try outcome.get()
    }

    // MARK: Asking

    /// Sends a request and checks the envelope of the response.
    func ask(
        _ method: HTTPMethod, _ path: String, _ body: JSON? = nil, headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        try await ask(method, path, bytes: body?.utf8 ?? [], headers: headers, sourceLocation: sourceLocation)
    }

    /// Sends bytes, with the JSON content type unless the headers have another.
    func ask(
        _ method: HTTPMethod, _ path: String, bytes: [UInt8], headers: HTTPHeaders = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Answer {
        var headers = headers
        if !bytes.isEmpty, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
        var limits = HTTPLimits()
        limits.total = .seconds(300)
        let response = try await client.send(
            HTTPRequest(method, url + path, headers: headers, body: bytes, limits: limits))
        try AnswerSchemas.check(response, to: method, path, of: self, sourceLocation: sourceLocation)
        return try Answer(response, toHead: method == .head, sourceLocation: sourceLocation)
    }

    func dossier(_ user: String? = nil) -> BrokerClient {
        BrokerClient(baseURL: url, user: user, transport: client)
    }

    // MARK: Common steps of tests

    static let order: JSON = ["ticker": "AAPL", "persona": "ann"]

    /// Submits a job, which must be accepted, and returns its id.
    func submit(
        _ kind: String = "research", input: JSON = order, user: String = "1",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JobID {
        let answer = try await ask(
            .post, "/api/v1/jobs", ["kind": JSON(kind), "input": input], headers: ["X-User-ID": user],
            sourceLocation: sourceLocation)
        try #require(answer.status == 202, "\(answer.text)", sourceLocation: sourceLocation)
        return try #require(answer["data"]?["id"]?.string.flatMap(JobID.init), sourceLocation: sourceLocation)
    }

    /// `3 granted, 2 left, 1 held, 0 used`
    func credits(user: String = "1") async throws -> String {
        let answer = try await ask(.get, "/api/v1/credits", headers: ["X-User-ID": user])
        let credits = try answer.decoded(as: CreditsResource.self)
        return "\(credits.granted) granted, \(credits.remaining) left, \(credits.held) held, \(credits.used) used"
    }
}

/// A service whose sources of stock data are the simulator.
struct TestStockService: Sendable {
    let service: TestService
    let simulator: Simulator

    static func with(
        key: Bool = true, _ change: (inout BrokerConfiguration) -> Void = { _ in },
        _ body: (TestStockService) async throws -> Void
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
            let library = FilingLibrary(
                sec, documents: MemoryDocuments(),
                budgets: MemoryBudgets { Timestamp(milliseconds: WallClock.milliseconds()) })
            let sources = StockSources(companies: sec, market: market, library: library, timeout: .seconds(120))
            try await TestService.with(change, stocks: sources) {
                try await body(TestStockService(service: $0, simulator: simulator))
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

/// Sources that answer when the test says so.
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

/// Keeps what a service logs without `--verbose`.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    /// The lines as JSON.
    var text: String { lines.withLock { $0.joined(separator: "\n") } }
    var all: [JSON] { lines.withLock { $0 }.compactMap { try? JSON(parsing: $0) } }

    var logger: Logger {
        Logger(threshold: .info, now: { 0 }, sink: { [self] line in lines.withLock { $0.append(line) } })
    }

    /// The lines with this message.
    func lines(_ message: String) -> [JSON] { all.filter { $0["message"]?.string == message } }
}

/// The wall clock in milliseconds since 1970, until a test stops it; then the test moves it.
final class ManualWallClock: Sendable {
    private let stopped = Mutex<Int64?>(nil)

    var now: Int64 { stopped.withLock { $0 } ?? WallClock.milliseconds() }

    func stop(at milliseconds: Int64) { stopped.withLock { $0 = milliseconds } }
}

extension BrokerConfiguration {
    /// Requests per minute and user; 0 lifts all limits of a plan.
    var rateLimit: Int {
        get { plans.value.standard.requestsPerMinute ?? 0 }
        set {
            plans = CurrentPlans(plans.value.overridden(startingCredits: nil, requestsPerMinute: newValue))
        }
    }

    /// The credits of a new user.
    var startingCredits: Int {
        get { plans.value.standard.startingCredits }
        set {
            plans = CurrentPlans(plans.value.overridden(startingCredits: newValue, requestsPerMinute: nil))
        }
    }
}
