import Agents
import Basics
import Broker
import DataSources
import Foundation
import HTTP
import JobQueue
import Observability
import PostgresStore
import Prompts
import SQLiteStore

/// All records and jobs of Dossier, in either database.
typealias Store = JobStore & FleetStore & BudgetStore & StoreAdministration & StoreHealth & StoreMonitoring
    & JobCounting & ModelMonitoring & Repositories

/// Composes the parts of Dossier by the settings. Only this type depends on all of them.
struct Composition: Sendable {
    let settings: Settings
    let logger: Logger

    /// The names that content files may refer to.
    static let rules = BundleRules(
        metrics: Metric.all.mapValues { Set($0.needs.map(\.rawValue)) },
        agents: AgentRegistry.requirements,
        zone: { name in
            guard let zone = TimeZone(identifier: name) else { return nil }
            return ZoneOffsets(name: name) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
        })

    // MARK: Store and content

    /// Opens the database, and writes its outages to the log until it is closed.
    ///
    /// Only the command that migrates brings it up to date. Any other one refuses a database that it cannot serve.
    func openStore(migrations: MigrationPolicy) async throws(CommandFailure) -> any Store {
        do throws(OpeningFailure) {
            return try await tryOpenStore(migrations: migrations)
        } catch {
            switch error {
            case .permanent(let failure): throw failure
            case .away(let reason): throw .failed(reason)
            }
        }
    }

    /// Opens the database once, as `openStore` does.
    func tryOpenStore(migrations: MigrationPolicy) async throws(OpeningFailure) -> any Store {
        let name: String
        let opened: Result<any Store, StoreError>
        switch settings.database {
        case .sqlite(let path):
            name = path
            opened = await Self.result { () async throws(StoreError) in
                try await SQLiteStore.open(path: path, migrations: migrations)
            }
        case .postgres(let url):
            name = url.description
            opened = await Self.result { () async throws(StoreError) in
                try await PostgresStore.open(url, migrations: migrations)
            }
        }
        let store: any Store
        switch opened {
        case .success(let open): store = open
        case .failure(.unexpected(let reason)): throw .permanent(.failed("\(name): \(reason)"))
        case .failure(let error) where isAway(error): throw .away(reason: "\(name): \(error)")
        case .failure(let error): throw .permanent(.failed("\(name): \(error)"))
        }
        StoreEventLog.start(of: store, logger: logger)
        return store
    }

    /// Whether a database that could not be opened may be there later. A file that cannot be opened needs an operator.
    private func isAway(_ error: StoreError) -> Bool {
        guard case .unavailable = error else { return false }
        if case .postgres = settings.database { return true }
        return error == .busy
    }

    private static func result(
        _ body: () async throws(StoreError) -> any Store
    ) async -> Result<any Store, StoreError> {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }

    func loadBundle() throws(CommandFailure) -> Prompts.Bundle {
        let bundle: Prompts.Bundle
        do {
            bundle = try BundleLoader.load(home: settings.home, rules: Self.rules)
        } catch {
            throw .failed("the content files in \(settings.home) cannot be used (DOSSIER_HOME):\n\(error)")
        }
        let problems = try Self.routeProblems(bundle, settings)
        guard problems.isEmpty else {
            throw .failed("the content files cannot be used:\n" + problems.map(\.description).joined(separator: "\n"))
        }
        return bundle
    }

    /// The limits of users and of the service: the file of plans, and the settings that take precedence.
    func loadPlans() throws(CommandFailure) -> Plans {
        let path = settings.plansPath
        let plans: Plans?
        do {
            plans = try PlansReader.load(path: path)
        } catch {
            let problems = error.problems.map(\.description).joined(separator: "; ")
            throw .failed("the plans cannot be used: \(problems)")
        }
        guard plans != nil || settings.plans == nil else { throw .failed("DOSSIER_PLANS: there is no file \(path)") }
        return (plans ?? Plans()).overridden(
            startingCredits: settings.startingCredits, requestsPerMinute: settings.rateLimit)
    }

    // MARK: Data sources

    /// The sources of a broker's answers about stocks. All clients of a process share one rate limit towards the SEC.
    func stocks(over transport: HTTPClient, _ store: any Store) throws(CommandFailure) -> StockSources {
        let edgar = try edgar(over: transport, store)
        return StockSources(
            companies: edgar, market: market(over: transport), prices: prices(over: transport),
            library: edgar.map { FilingLibrary($0, documents: store, budgets: store) })
    }

    /// The sources of a broker's answers about news.
    func newsSources(over transport: HTTPClient, hasWorker: Bool) -> NewsSources {
        let hasModel = settings.anthropic.key != nil || settings.gemini.key != nil || settings.openAI.baseURL != nil
        return NewsSources(newsAPI: newsAPI(over: transport), modelsAreConfigured: hasWorker ? hasModel : nil)
    }

    /// The SEC; `nil` without a contact for it. Requests of all processes keep one pace.
    func edgar(over transport: HTTPClient, _ store: any Store) throws(CommandFailure) -> SECClient? {
        guard let agent = settings.secUserAgent else { return nil }
        do {
            return SECClient(
                try SECConfiguration(base: settings.secBaseURL, userAgent: agent), transport: transport,
                fleet: FleetPace(store))
        } catch {
            throw .usage("SEC_USER_AGENT: \(error)")
        }
    }

    func market(over transport: HTTPClient) -> FMPClient? {
        settings.fmpKey.map { FMPClient(key: $0, base: settings.fmpBaseURL, transport: transport) }
    }

    /// Prices over time: an operator's folder first, then FMP. `nil` without either.
    func prices(over transport: HTTPClient) -> PriceSources? {
        let folder = settings.prices.map { PriceFolder($0) }
        if let problem = folder?.problem {
            logger.warning("the folder of prices is of no use", ["reason": .string("DOSSIER_PRICES: \(problem)")])
        }
        return PriceSources([folder, market(over: transport)])
    }

    func newsAPI(over transport: HTTPClient) -> NewsAPIClient? {
        settings.newsKey.map { NewsAPIClient(key: $0, base: settings.newsBaseURL, transport: transport) }
    }

    func web(over transport: HTTPClient) -> WebFetcher {
        WebFetcher(transport: transport, allowing: settings.fetchAllow)
    }

    func content(over transport: HTTPClient) -> ContentFetcher {
        ContentFetcher(
            web: web(over: transport), videos: YouTubeClient(base: settings.youTubeBaseURL, transport: transport))
    }
}

/// Without a contact for the SEC every job fails with that reason.
struct UnconfiguredFilings: CompanyFactsSource {
    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
        throw .forbidden(.edgar, hint: "SEC_USER_AGENT is not set")
    }
}
