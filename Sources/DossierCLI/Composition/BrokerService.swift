import Broker
import HTTP
import HTTPServer
import JobQueue
import Observability
import Prompts

/// A broker that is listening.
struct BrokerService: Sendable {
    let broker: Broker
    let bundle: CurrentBundle
    let server: HTTPServer
    /// `http://127.0.0.1:5001`.
    let url: String

    /// Starts to listen with a validated bundle; `hasWorker` says whether this process also runs jobs.
    static func start(
        _ composition: Composition, bundle: Bundle, plans: CurrentPlans, store: any Store, transport: HTTPClient,
        hasWorker: Bool, tracer: Tracer? = nil
    ) async throws(CommandFailure) -> BrokerService {
        let settings = composition.settings
        let current: CurrentBundle
        do {
            current = try await CurrentBundle(bundle, storedIn: store)
        } catch {
            throw .failed("the bundle cannot be stored: \(error)")
        }
        var configuration = BrokerConfiguration()
        configuration.authentication = settings.authentication
        configuration.plans = plans
        let clock = await ServiceClock.start(of: store, logger: composition.logger)
        let broker = Broker(
            configuration: configuration, store: store, records: store, bundle: current,
            news: composition.newsSources(over: transport, hasWorker: hasWorker),
            stocks: try composition.stocks(over: transport), now: clock.now, logger: composition.logger,
            tracer: tracer)
        let server = HTTPServer(
            configuration: HTTPServerConfiguration(
                address: settings.listen, errorResponse: { broker.errorResponse($0, at: $1) }), handler: broker.handler)
        do {
            let address = try server.start()
            return BrokerService(broker: broker, bundle: current, server: server, url: address.url)
        } catch {
            throw .failed("cannot listen on \(settings.listen): \(error)")
        }
    }
}
