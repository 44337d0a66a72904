import Agents
import Broker
import DataSources
import Foundation
import HTTP
import JobQueue
import LanguageModels
import Observability
import PostgresStore
import Prompts
import SQLiteStore
import Worker

/// Puts the parts of Dossier together as the settings say. The only place that knows all of them.
struct Composition: Sendable {
    let settings: Settings
    let logger: Logger

    /// What content files may refer to.
    static let rules = BundleRules(
        metrics: Metric.all.mapValues { Set($0.needs.map(\.rawValue)) },
        agents: AgentRequirements.all,
        zone: { name in
            guard let zone = TimeZone(identifier: name) else { return nil }
            return ZoneOffsets(name: name) { zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double($0))) }
        })

    // MARK: Stores and content

    func openStore() async throws(CommandFailure) -> any Store {
        switch settings.database {
        case .sqlite(let path):
            do {
                return try await SQLiteStore.open(path: path)
            } catch {
                throw .failed("\(path): \(error)")
            }
        case .postgres(let url):
            do {
                return try await PostgresStore.open(url)
            } catch {
                throw .failed("\(url): \(error)")
            }
        }
    }

    func loadBundle() throws(CommandFailure) -> Prompts.Bundle {
        do {
            return try BundleLoader.load(home: settings.home, rules: Self.rules)
        } catch {
            throw .failed("the content files cannot be used:\n\(error)")
        }
    }

    // MARK: Worker

    /// A worker over a store.
    func worker(
        over store: any Store, transport: HTTPClient, configuration: WorkerConfiguration, tracer: Tracer? = nil
    ) throws(CommandFailure) -> Worker {
        let models = try models()
        let cap = spendCap(of: models, over: store)
        let router = router(to: models, over: store, cap: cap, transport: transport, jobs: configuration.concurrency)
        for tier in Self.rules.tiers.sorted() where !router.canServe(tier) {
            logger.warning(
                "no model can be reached: set ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENAI_BASE_URL; jobs that need one will fail",
                ["tier": .string(tier)])
        }
        let agents = Self.agents(
            Dependencies(
                companies: try filings(over: transport), market: market(over: transport),
                content: content(over: transport), articles: Self.articles(in: store), stories: StoredStories(store),
                meaning: meaning(over: store, models: models, cap: cap, transport: transport), records: store,
                feeds: store, models: ModelCalls(router),
                news: news(over: store, models: models, transport: transport)))
        let process = ProcessInfo.processInfo
        return Worker(
            configuration: configuration, store: store,
            bundles: BundleCache(repository: store, rules: Self.rules), agents: agents, host: process.hostName,
            processID: process.processIdentifier, makeID: { WorkerID(rawValue: UUID().uuidString.lowercased()) },
            logger: logger, tracer: tracer)
    }

    /// The models that there are, and how to reach them.
    private typealias Models = (catalogue: ModelCatalogue, configuration: ModelsConfiguration)

    private func models() throws(CommandFailure) -> Models {
        let file = settings.home + "/models.yaml"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw .failed("\(file) cannot be read; start in Dossier's folder or set DOSSIER_HOME")
        }
        let catalogue: ModelCatalogue
        do {
            catalogue = try ModelCatalogue(parsing: text)
        } catch {
            throw .failed("\(error)")
        }
        return (
            catalogue,
            ModelsConfiguration(
                claude: settings.anthropic.configuration, gemini: settings.gemini.configuration,
                openai: settings.openAI.configuration)
        )
    }

    /// What the calls of one user may cost in a day.
    private func spendCap(of models: Models, over store: any Store) -> SpendCap? {
        models.configuration.dailySpendCap.map { cap in
            SpendCap(cap) { user in
                let day: Int64 = 86_400_000
                let midnight = Timestamp(milliseconds: try await store.now().milliseconds / day * day)
                return MicroDollars(
                    rawValue: try await store.modelSpend(of: user, since: midnight))
            }
        }
    }

    /// Asks models for so many jobs at once.
    private func router(
        to models: Models, over store: any Store, cap: SpendCap?, transport: HTTPClient, jobs: Int
    ) -> ModelRouter {
        var configuration = models.configuration
        // No job waits for a call of another one: how many run is decided once, by who claims them.
        configuration.concurrentCalls = max(configuration.concurrentCalls, jobs + configuration.interactiveReserve)
        return ModelRouter(
            models.catalogue, configuration: configuration, transport: transport, spendCap: cap,
            budgets: store,
            onCall: { [logger] record in
                logger.info(
                    "model call",
                    [
                        "provider": .string(record.provider.rawValue), "model": .string(record.model),
                        "outcome": .string(record.outcome), "milliseconds": .integer(record.duration.wholeMilliseconds),
                        "input_tokens": .integer(record.usage?.prompt ?? 0),
                        "output_tokens": .integer(record.usage?.output ?? 0),
                        "micro_dollars": .integer(record.cost?.rawValue ?? 0),
                    ])
                TraceScope.current?.record(record)
            })
    }

    /// Sends traces where `OTEL_EXPORTER_OTLP_ENDPOINT` says; `nil` without it.
    func tracer(over transport: HTTPClient) -> Tracer? {
        settings.collector.map {
            Tracer(
                endpoint: $0, service: "dossier", transport: transport, milliseconds: Logger.systemMilliseconds)
        }
    }

    /// Whom a broker asks about stocks. All clients of a process keep one pace towards the SEC.
    func stocks(over transport: HTTPClient) throws(CommandFailure) -> StockSources {
        StockSources(companies: try edgar(over: transport), market: market(over: transport))
    }

    private func filings(over transport: HTTPClient) throws(CommandFailure) -> any CompanyFactsSource {
        if let client = try edgar(over: transport) { return client }
        logger.warning("SEC_USER_AGENT is not set; research jobs will fail, since the SEC wants to know who asks")
        return UnconfiguredFilings()
    }

    private func edgar(over transport: HTTPClient) throws(CommandFailure) -> SECClient? {
        guard let agent = settings.secUserAgent else { return nil }
        do {
            return SECClient(try SECConfiguration(base: settings.secBaseURL, userAgent: agent), transport: transport)
        } catch {
            throw .usage("SEC_USER_AGENT: \(error)")
        }
    }

    private func content(over transport: HTTPClient) -> any ContentReader {
        ContentFetcher(
            web: WebFetcher(transport: transport, allowing: settings.fetchAllow),
            videos: YouTubeClient(base: settings.youTubeBaseURL, transport: transport))
    }

    private func market(over transport: HTTPClient) -> FMPClient? {
        settings.fmpKey.map { FMPClient(key: $0, base: settings.fmpBaseURL, transport: transport) }
    }

    /// Somebody waits for what a question is answered from, so the call is given up soon.
    private func meaning(
        over store: any Store, models: Models, cap: SpendCap?, transport: HTTPClient
    ) -> MeaningSearch? {
        EmbeddingModel(
            models.catalogue, configuration: models.configuration, over: transport, limit: .seconds(8), spendCap: cap
        ).map { MeaningSearch(PassageEmbedder($0, passages: store), passages: store, articles: store) }
    }

    private func news(over store: any Store, models: Models, transport: HTTPClient) -> Dependencies.News {
        let desk = NewsFetcher(
            feeds: FeedFetcher(web: WebFetcher(transport: transport, allowing: settings.fetchAllow)),
            headlines: settings.newsKey.map {
                NewsAPIClient(key: $0, base: settings.newsBaseURL, transport: transport)
            },
            stocks: market(over: transport), pages: content(over: transport))
        return Dependencies.News(
            desk: desk, stored: store, held: store,
            embedder: EmbeddingModel(models.catalogue, configuration: models.configuration, over: transport).map(
                ArticleEmbedder.init)
        )
    }
}

/// Stands where no contact for the SEC is set: every job learns why there are no filings.
private struct UnconfiguredFilings: CompanyFactsSource {
    func fundamentals(_ ticker: String) async throws(DataSourceError) -> CompanyFundamentals {
        throw .forbidden(.edgar, hint: "SEC_USER_AGENT is not set")
    }
}

extension Settings.Provider {
    var configuration: ModelsConfiguration.Provider { ModelsConfiguration.Provider(key: key, baseURL: baseURL) }
}
