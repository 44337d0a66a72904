import Synchronization

/// An HTTP/1.1 server.
///
/// ```swift
/// let server = HTTPServer(configuration: .init(address: "127.0.0.1:0")) { request in
///     ServerResponse(bytes: Array("hello".utf8))
/// }
/// let url = try server.start().url
/// …
/// await server.shutdown()
/// ```
///
/// A handler's task is cancelled when its client leaves or the server stops. What a server refuses on its own is rendered
/// by `HTTPServerConfiguration.errorResponse`. A server that is let go without `shutdown` stops without grace.
package final class HTTPServer: Sendable {
    private enum State {
        case fresh
        case running(ServerCore)
        case stopped
    }

    private let configuration: HTTPServerConfiguration
    private let handler: RequestHandler
    private let state = Mutex(State.fresh)

    package init(
        configuration: HTTPServerConfiguration = HTTPServerConfiguration(), handler: @escaping RequestHandler
    ) {
        self.configuration = configuration
        self.handler = handler
    }

    /// Listens; connections are accepted from here on.
    /// - Returns: where, with the port that the system picked if the configuration says 0.
    /// - Throws: `HTTPServerError`; every case is possible.
    package func start() throws(HTTPServerError) -> BoundAddress {
        try state.withLock { state throws(HTTPServerError) in
            guard case .fresh = state else { throw .alreadyStarted }
            let listener = try Listener(configuration.address)
            let address = listener.address
            let core = try ServerCore(configuration, handler: handler)
            try core.start(listener)
            state = .running(core)
            return address
        }
    }

    /// Connections that stand now.
    package var connectionCount: Int {
        state.withLock { if case .running(let core) = $0 { core.connections.count } else { 0 } }
    }

    /// Stops: no new connections, streams end, running handlers get `grace` to answer, then they are cancelled. Returns
    /// when the last connection is closed. Does nothing when the server does not run.
    package func shutdown(grace: Duration = .seconds(10)) async { await takeCore()?.stop(grace: grace) }

    deinit {
        if let core = takeCore() { Task { await core.stop(grace: .zero) } }
    }

    private func takeCore() -> ServerCore? {
        state.withLock { state in
            guard case .running(let core) = state else { return nil }
            state = .stopped
            return core
        }
    }
}
