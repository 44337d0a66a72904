package import HTTP
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
/// A handler's task is cancelled when its client disconnects or the server stops.
/// `HTTPServerConfiguration.errorResponse` renders the server's own errors. A server that is released without
/// `shutdown` stops without grace.
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

    /// Starts to accept connections.
    ///
    /// - Returns: The address, with the port that the system chose if the configuration says 0.
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

    /// The number of open connections.
    package var connectionCount: Int {
        state.withLock { if case .running(let core) = $0 { core.connections.count } else { 0 } }
    }

    /// The memory of bodies that have begun to arrive and are not complete.
    package var unfinishedBodyBytes: Int {
        state.withLock { if case .running(let core) = $0 { core.bodies.taken } else { 0 } }
    }

    /// Stops the server: new connections are refused, streams end, running handlers get `grace` to respond, then they
    /// are cancelled. Returns when the last connection is closed. Does nothing when the server does not run.
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

/// The settings and limits of a server.
package struct HTTPServerConfiguration: Sendable {
    /// `host:port`: `127.0.0.1:5001`, `0.0.0.0:80`, `[::1]:0`, `localhost:8080`. Port 0 lets the system choose one.
    package var address: String
    /// Threads that read requests and write responses.
    package var threads = 2
    /// Connections over all threads. One more gets `ServerError.overloaded` and is closed.
    package var maximumConnections = 10_000
    /// Connections of one client address (of IPv6, of one /64); `nil` for no limit. A few more get
    /// `ServerError.tooManyConnections` for their request, the others at once.
    package var connectionsPerAddress: Int?
    /// The proxies whose last entry in `X-Forwarded-For` is the address of the client. They have no limit of
    /// connections.
    package var trustedProxies: [CIDRBlock] = []
    /// Bytes of request line and headers, with about 70 more for each header. A connection reserves 2 KiB more than
    /// this while it is open, so it decides the cost of an idle client.
    package var maximumHeadSize = 6 * 1024
    /// Bytes of a request's body.
    package var maximumBodySize = 1 << 20
    /// Bytes of all bodies that have begun to arrive and are not complete. One address may have a quarter of it. A body
    /// without room gets `ServerError.tooManyBodies`.
    package var unfinishedBodies = 64 << 20
    /// Decides about a request with a body before the body is read.
    package var checkHead: HeadCheck = { _ in .readBody(upTo: .max) }
    /// Receives the address of each connection that is refused before it sends a request.
    package var connectionRefused: @Sendable (_ address: String) -> Void = { _ in }
    /// For a whole head. Counts from the start of a connection; on a connection that is kept alive, from the end of
    /// `idleTimeout` after the last response. Slow bytes do not extend it.
    package var headDeadline: Duration = .seconds(10)
    /// For a whole body, from the end of its head. Slow bytes do not extend it.
    package var bodyDeadline: Duration = .seconds(30)
    /// The time for a client that is still sending a refused body to read the response; what it sends is dropped.
    package var refusedBodyGrace: Duration = .seconds(2)
    /// Silence after which a connection that waits for its client is closed; whole seconds. A running handler and a
    /// quiet event stream are not silence.
    package var idleTimeout: Duration = .seconds(75)
    /// The time for a handler that was cancelled at shutdown to respond before the server responds for it.
    package var cancellationGrace: Duration = .seconds(2)
    /// Whether a handler starts on the thread that read the request and, if it never suspends, also responds there.
    /// This saves two thread switches and four system calls for each request. Turn it off for handlers that compute for
    /// more than some milliseconds before their first suspension, since the thread's other connections wait meanwhile.
    package var startsHandlersInline = true
    /// Renders the server's own errors, given the decoded path if one was read. libmicrohttpd itself answers a head
    /// that is not HTTP or far over `maximumHeadSize`, with `400`, `414` or `431` and a short HTML body.
    package var errorResponse: @Sendable (_ error: ServerError, _ path: String?) -> ServerResponse

    package init(
        address: String = "127.0.0.1:0",
        errorResponse: @escaping @Sendable (ServerError, String?) -> ServerResponse = { error, _ in
            error.plainResponse
        }
    ) {
        self.address = address
        self.errorResponse = errorResponse
    }
}

/// The reason why a server did not start.
package enum HTTPServerError: Error, Equatable, Sendable {
    /// Not `host:port`, or the host has no address.
    case invalidAddress(String)
    /// The system refused the address: in use, not of this machine, or a privileged port.
    case cannotListen(address: String, reason: String)
    /// A thread, a descriptor or memory was refused.
    case outOfResources(String)
    /// `start` was called before.
    case alreadyStarted
}

extension HTTPServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .invalidAddress(let address): "'\(address)' is not an address of the form host:port"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        case .outOfResources(let what): "the system refused \(what)"
        case .alreadyStarted: "the server was started before"
        }
    }
}

/// The address of a started server.
package struct BoundAddress: Sendable, Equatable {
    /// A numeric address, IPv6 without brackets.
    package var host: String
    package var port: Int

    /// `http://127.0.0.1:5001`, without a trailing slash. An unspecified address (`0.0.0.0`, `::`) shows as the
    /// loopback address, which reaches it.
    package var url: String { "http://" + Self(host: reachableHost, port: port).description }

    private var reachableHost: String {
        switch host {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}

extension BoundAddress: CustomStringConvertible {
    /// `127.0.0.1:5001`, `[::1]:5001`
    package var description: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
