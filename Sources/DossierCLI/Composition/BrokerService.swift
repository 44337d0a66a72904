import Broker
import HTTP
import HTTPServer
import JobQueue
import Observability
import Prompts
import Worker

/// A broker that is listening.
struct BrokerService: Sendable {
    let broker: Broker
    let bundle: CurrentBundle
    private let server: HTTPServer
    /// The operators' listener.
    private let adminServer: HTTPServer?
    /// `http://127.0.0.1:5001`.
    let url: String
    let adminURL: String?

    /// Starts to listen with a validated bundle; `hasWorker` says whether this process also runs jobs.
    static func start(
        _ composition: Composition, bundle: Bundle, plans: CurrentPlans, store: any Store, transport: HTTPClient,
        hasWorker: Bool, telemetry: Telemetry? = nil, metrics: WorkerMetrics = WorkerMetrics()
    ) async throws(CommandFailure) -> BrokerService {
        let settings = composition.settings
        let current: CurrentBundle
        do {
            current = try await CurrentBundle(bundle, storedIn: store)
        } catch {
            throw .failed("the bundle cannot be stored: \(error)")
        }
        var configuration = BrokerConfiguration()
        configuration.cors = CORSPolicy(origins: settings.corsOrigins)
        configuration.plans = plans
        configuration.slots = settings.userSlots
        configuration.streamLifetime = settings.streamLifetime
        configuration.hasAdminListener = settings.adminListen != nil
        configuration.publicURL = settings.publicURL
        configuration.webhookHosts = settings.fetchAllow
        configuration.hasConsole = settings.hasConsole
        configuration.isSimulated = settings.isSimulated
        configuration.writeProcessMetrics = { text in
            metrics.writeProcess(to: &text)
            telemetry?.write(to: &text)
        }
        (configuration.budgets, configuration.clocks) = composition.monitoredModels()
        configuration.callRequests = JournalReplay(composition: composition, store: store, transport: transport)
        configuration.suite = InstalledSuite(home: settings.home, bundle: current)
        let clock = await ServiceClock.start(of: store, logger: composition.logger)
        configuration.authentication = settings.authentication.connected(
            over: transport, now: clock.now, logger: composition.logger)
        let broker = Broker(
            configuration: configuration, store: store, records: store, bundle: current,
            news: composition.newsSources(over: transport, hasWorker: hasWorker),
            stocks: try composition.stocks(over: transport, store), now: clock.now, logger: composition.logger,
            tracer: telemetry?.tracer)
        let server = makeServer(for: broker, settings)
        let adminServer = settings.adminListen.map { makeAdminServer(for: broker, on: $0, settings) }
        let url = try start(server)
        var adminURL: String?
        if let adminServer { adminURL = try start(adminServer) }
        return BrokerService(
            broker: broker, bundle: current, server: server, adminServer: adminServer, url: url, adminURL: adminURL)
    }

    private static func makeServer(for broker: Broker, _ settings: Settings) -> HTTPServer {
        var configuration = HTTPServerConfiguration(
            address: settings.listen, errorResponse: { broker.errorResponse($0, at: $1) })
        configuration.connectionsPerAddress = settings.connectionsPerAddress
        configuration.trustedProxies = settings.trustedProxies
        configuration.unfinishedBodies = settings.unfinishedBodyBytes
        configuration.connectionRefused = broker.connectionRefused
        configuration.checkHead = broker.headCheck
        return HTTPServer(configuration: configuration, handler: broker.handler)
    }

    private static func makeAdminServer(for broker: Broker, on listen: String, _ settings: Settings) -> HTTPServer {
        var configuration = HTTPServerConfiguration(
            address: listen, errorResponse: { broker.errorResponse($0, at: $1) })
        configuration.maximumConnections = 1000
        configuration.unfinishedBodies = settings.unfinishedBodyBytes
        configuration.checkHead = broker.adminHeadCheck
        return HTTPServer(configuration: configuration, handler: broker.adminHandler)
    }

    private static func start(_ server: HTTPServer) throws(CommandFailure) -> String {
        do {
            return try server.start().url
        } catch {
            throw .failed("\(error)")
        }
    }

    /// Stops the listeners.
    func shutdown(grace: Duration) async {
        await server.shutdown(grace: grace)
        await adminServer?.shutdown(grace: .zero)
    }
}
