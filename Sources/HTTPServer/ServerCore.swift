import CMicrohttpd
import Glibc
import HTTP
import Synchronization

/// A running server: libmicrohttpd's daemon and what its callbacks need.
///
/// `@unchecked Sendable`: `daemon` is written once, in `start`, before anyone else sees the core; the library lets any
/// thread use it.
final class ServerCore: @unchecked Sendable {
    private enum Mode: UInt8, AtomicRepresentable {
        case serving
        /// Answers end their connection.
        case draining
        /// Requests are refused.
        case refusing
    }

    let configuration: HTTPServerConfiguration
    let handler: RequestHandler
    let connections = ConnectionTable()
    let watcher: ConnectionWatcher
    let quiescence = Quiescence()
    /// What a client hears whose request is late, as bytes, because the library cannot answer in the middle of a request.
    let encodedTimeout: [UInt8]
    private let mode = Atomic(Mode.serving)
    private var daemon: OpaquePointer?

    var isDraining: Bool { mode.load(ordering: .sequentiallyConsistent) != .serving }
    var isRefusing: Bool { mode.load(ordering: .sequentiallyConsistent) == .refusing }
    var isOverloaded: Bool { connections.count > configuration.maximumConnections }

    /// - Throws: `outOfResources`.
    init(_ configuration: HTTPServerConfiguration, handler: @escaping RequestHandler) throws(HTTPServerError) {
        self.configuration = configuration
        self.handler = handler
        encodedTimeout = configuration.errorResponse(.requestTimeout, nil).encodedAlone
        let shortest = min(configuration.headDeadline, configuration.bodyDeadline)
        watcher = try ConnectionWatcher(interval: min(max(shortest / 8, .milliseconds(5)), .seconds(1)))
    }

    /// Starts the daemon's threads and the watcher's; they keep the core alive until `stop`.
    /// - Throws: `outOfResources`.
    func start(_ listener: consuming Listener) throws(HTTPServerError) {
        Self.raiseDescriptorLimit(to: configuration.maximumConnections)
        let descriptor = listener.handOver()
        var options = DaemonCallbacks.options(
            context: Unmanaged.passUnretained(self).toOpaque(), listener: descriptor, configuration: configuration)
        guard let daemon = shim_start_daemon(&options) else {
            Glibc.close(descriptor)
            throw .outOfResources("the server's threads")
        }
        self.daemon = daemon
        do throws(HTTPServerError) {
            try watcher.start(
                hangUp: { self.connections[$0]?.peerLeft() },
                sweep: {
                    let now = MonotonicClock.now()
                    for connection in self.connections.all { connection.expire(now: now) }
                })
        } catch {
            MHD_stop_daemon(daemon)
            throw error
        }
    }

    /// Stops in steps, each for what the one before left: no new connections and no idle ones; streams end; handlers
    /// get `grace` to answer; they are cancelled and get `cancellationGrace`; they are answered for. libmicrohttpd aborts
    /// the process if it is stopped while a connection is suspended, so only then is the daemon stopped.
    func stop(grace: Duration) async {
        mode.store(.draining, ordering: .sequentiallyConsistent)
        let listener = MHD_quiesce_daemon(daemon)
        if listener >= 0 { Glibc.close(listener) }
        for connection in connections.all {
            connection.closeIfIdle()
            connection.currentExchange?.endStream()
        }
        _ = await quiescence.wait(atMost: grace)
        // A request that began before this counts as under way already, so the next wait cannot miss it.
        mode.store(.refusing, ordering: .sequentiallyConsistent)
        for connection in connections.all { connection.currentExchange?.cancel() }
        var isQuiet = await quiescence.wait(atMost: configuration.cancellationGrace)
        if !isQuiet {
            let answer = configuration.errorResponse(.shuttingDown, nil)
            for connection in connections.all {
                connection.currentExchange?.endStream()
                connection.currentExchange?.answer(insteadOfHandler: answer)
            }
            isQuiet = await quiescence.wait(atMost: Self.closingResponse)
        }
        if !isQuiet {
            // Clients that do not read, or do not finish what they are sending.
            for connection in connections.all {
                connection.currentExchange?.finish()
                connection.breakOff()
            }
            isQuiet = await quiescence.wait(atMost: Self.closingResponse)
        }
        await stopThreads(stoppingDaemon: isQuiet)
    }

    /// How long a client gets to take an answer that waits for it, once everything else is over.
    private static let closingResponse = Duration.milliseconds(500)

    /// - Parameter stoppingDaemon: `false` when a handler still blocks one of the daemon's threads: waiting for it might
    ///   take forever, so the daemon is left to the end of the process.
    private func stopThreads(stoppingDaemon: Bool) async {
        await withCheckedContinuation { continuation in
            watcher.stop {
                if stoppingDaemon {
                    MHD_stop_daemon(self.daemon)
                } else {
                    _ = Unmanaged.passRetained(self)
                }
                continuation.resume()
            }
        }
    }

    /// Lets the process hold as many descriptors as it may have connections, if the system allows it.
    private static func raiseDescriptorLimit(to connections: Int) {
        var limit = rlimit()
        let wanted = rlim_t(connections + 256)
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < wanted else {
            return
        }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}

extension ServerResponse {
    /// The answer as bytes of a connection that ends with it; a stream is left out.
    var encodedAlone: [UInt8] {
        var content: [UInt8] = []
        if case .bytes(let bytes) = body { content = bytes }
        var text = "HTTP/1.1 \(status) \(String(cString: MHD_get_reason_phrase_for(UInt32(status))))\r\n"
        for field in headers.fields where FieldSyntax.isToken(field.name.utf8) && FieldSyntax.isValue(field.value.utf8)
        {
            text += "\(field.name): \(field.value)\r\n"
        }
        text += "Connection: close\r\nContent-Length: \(content.count)\r\n\r\n"
        return Array(text.utf8) + content
    }
}
