import Basics
import DataSources
import Foundation
import HTTP
import JobQueue
import JSON
import LanguageModels
import Prompts
import Simulator
import Synchronization
import Testing
import TestSupport

@testable import Agents

/// The surroundings of a research job: the simulator over HTTP, a database, and the prompts and personas of the
/// checkout.
final class ResearchFixture: Sendable {
    let simulator: Simulator
    let client: HTTPClient
    let url: String
    let test: StoreFixture
    let bundle: Prompts.Bundle

    private init(_ simulator: Simulator, _ client: HTTPClient, url: String, _ test: StoreFixture) throws {
        self.simulator = simulator
        self.client = client
        self.url = url
        self.test = test
        bundle = try ContentFiles.bundle.get()
    }

    /// Runs a test against a simulator that sends text in deltas of a number of characters.
    static func run(deltaLength: Int = 24, _ body: (ResearchFixture) async throws -> Void) async throws {
        try await StoreFixture.run { test in
            let simulator = Simulator(SimulatorConfiguration(pacing: Pacing(deltaLength: deltaLength)))
            let client = HTTPClient()
            let url = try simulator.start()
            do {
                try await body(try ResearchFixture(simulator, client, url: url, test))
            } catch {
                await client.shutdown()
                await simulator.stop()
                throw error
            }
            await client.shutdown()
            await simulator.stop()
        }
    }

    // MARK: The agent

    /// 15 November 2025.
    static let now: Timestamp = 1_763_164_800_000

    /// A router to the simulated Claude, and to the other providers when asked for.
    func router(fallback: Bool = false) throws -> ModelRouter {
        let key = Secret("simulated")
        var configuration = ModelsConfiguration(claude: .init(key: key, baseURL: url))
        if fallback { configuration.gemini = .init(key: key, baseURL: url) }
        let catalogue = try ModelCatalogue(
            parsing: String(contentsOfFile: ContentFiles.path + "/models.yaml", encoding: .utf8))
        return ModelRouter(catalogue, configuration: configuration, transport: client)
    }

    func agent(
        router: ModelRouter? = nil, filings: (any CompanyFactsSource)? = nil, market: (any MarketDataSource)? = nil,
        library: FilingLibrary? = nil, readings: FilingReadings? = nil, limits: SpendLimits = SpendLimits(),
        store: (any ModelCallStore)? = nil
    ) throws -> ResearchAgent {
        let books = CallBooks(store ?? test.store, limits: { _ in limits })
        return ResearchAgent(
            companies: try filings ?? self.filings(over: client), market: market, library: library, readings: readings,
            models: ModelCalls(try router ?? self.router(), books: books), now: { Self.now })
    }

    func filings(over transport: any HTTPTransport) throws -> SECClient {
        SECClient(
            try SECConfiguration(base: url, userAgent: "Dossier tests tests@example.com"), transport: transport)
    }

    /// Filings from the simulator, kept in documents.
    func library(_ documents: any DocumentRepository = MemoryDocuments()) throws -> FilingLibrary {
        FilingLibrary(
            try filings(over: client), documents: documents,
            budgets: MemoryBudgets { Timestamp(milliseconds: TimeSource.system.wallMilliseconds()) })
    }

    // MARK: Jobs

    /// Submits a job and claims it.
    func job(_ ticker: String = "AAPL", _ persona: String = "buffett", worker: String = "w1") async throws -> ClaimedJob
    {
        try await test.submit(["ticker": JSON(ticker), "persona": JSON(persona)], bundle: bundle.hash)
        return try await test.claim(by: worker)
    }

    /// Another worker takes the job after the first has died.
    func rescued(from worker: String = "w1", by other: String = "w2") async throws -> ClaimedJob {
        try await test.rescue(worker)
        return try await test.claim(by: other)
    }

    /// Runs one attempt as a worker does.
    func attempt(
        _ job: ClaimedJob, _ agent: any Agent, bundle edited: Prompts.Bundle? = nil,
        isLive: @escaping @Sendable () -> Bool = { true }, timeLeft: Duration? = nil,
        report: @escaping @Sendable (Int, String) -> Void = { _, _ in }
    ) async throws(AgentError) -> JSON {
        let bundle = edited ?? self.bundle
        guard let kind = bundle.kinds[job.kind] else { throw .interrupted }
        let journal = try await Journal(of: job.lease, in: test.store)
        return try await agent.run(
            JobContext(
                job: job, kind: kind, bundle: bundle, journal: journal, isLive: isLive, timeLeft: { timeLeft },
                onPrompt: GivenMembers.look(at: bundle), report: report)
        ).body
    }

    /// Runs an attempt that must fail and returns the failure.
    func failure(
        _ job: ClaimedJob, _ agent: ResearchAgent, bundle edited: Prompts.Bundle? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> AgentFailure {
        var failure: AgentFailure?
        do {
            _ = try await attempt(job, agent, bundle: edited)
        } catch {
            guard case .failed(let found) = error else { throw error }
            failure = found
        }
        return try #require(failure, "the attempt succeeded", sourceLocation: sourceLocation)
    }

    /// The requests of all model calls.
    var modelCalls: Int { simulator.count(of: .claude) + simulator.count(of: .gemini) + simulator.count(of: .openai) }
}

/// A condition that becomes false after a number of reads.
final class Countdown: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) { left = Mutex(count) }

    var isOn: Bool {
        left.withLock { left in
            left -= 1
            return left >= 0
        }
    }
}

/// A source of one price.
struct FixedMarket: MarketDataSource {
    var price: Decimal
    var cap: Decimal?

    func marketData(_ ticker: String) async throws(DataSourceError) -> MarketData {
        MarketData(ticker: try Ticker(ticker), source: .fmp, price: price, currency: "USD", marketCap: cap)
    }
}

/// A transport that removes the facts of periods that ended on a day or before from a company's facts.
struct CuttingTransport: HTTPTransport {
    let transport: any HTTPTransport
    let after: String

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        var response = try await transport.send(request)
        guard request.url.contains("/companyfacts/"), var document = try? JSON(parsing: response.body) else {
            return response
        }
        for (taxonomy, concepts) in document["facts"]?.object ?? [:] {
            for (name, concept) in concepts.object ?? [:] {
                for (unit, facts) in concept["units"]?.object ?? [:] {
                    let kept = (facts.array ?? []).filter { ($0["end"]?.string ?? "") > after }
                    document["facts"]?[taxonomy]?[name]?["units"]?[unit] = .array(kept)
                }
            }
        }
        response.body = document.utf8
        return response
    }

    func stream(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPStreamingResponse {
        try await transport.stream(request)
    }
}
