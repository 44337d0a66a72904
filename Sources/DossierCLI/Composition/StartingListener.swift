import Broker
import HTTPServer
import Observability
import Synchronization

/// Listens for a broker that waits for its database: `/health` answers, and everything else says why it does not.
final class StartingListener: Sendable {
    private let composition: Composition
    private struct State {
        var server: HTTPServer?
        var isOver = false
    }

    private let state = Mutex(State())

    init(_ composition: Composition) { self.composition = composition }

    /// Starts to listen. An address that is taken is told when the broker itself starts.
    func start() {
        state.withLock { state in
            guard !state.isOver else { return }
            let configuration = HTTPServerConfiguration(address: composition.settings.listen)
            let server = HTTPServer(configuration: configuration, handler: BareAnswers.starting.handler)
            guard let address = try? server.start() else { return }
            state.server = server
            composition.logger.info("listening while the database is away", ["url": .string(address.url)])
        }
    }

    /// Frees the address for the broker.
    func stop() async {
        let server = state.withLock { state in
            state.isOver = true
            defer { state.server = nil }
            return state.server
        }
        await server?.shutdown(grace: .zero)
    }
}
