import CMicrohttpd
import Glibc
import HTTP
import Synchronization

/// A running server: libmicrohttpd's daemon and the state of its callbacks.
///
/// `@unchecked Sendable`: `daemon` is written once, in `start`, before another thread can reach the core; the library
/// lets any thread use it.
final class ServerCore: @unchecked Sendable {
    private enum Mode: UInt8, AtomicRepresentable {
        case serving
        /// Connections are closed after their response.
        case draining
        /// Requests are refused.
        case refusing
    }

    let configuration: HTTPServerConfiguration
    let handler: RequestHandler
    let connections = ConnectionTable()
    let watcher: ConnectionWatcher
    let activeRequests = InFlightCount()
    let bodies: BodyBudget
    /// The encoded response to a late request: the library cannot respond in the middle of a request.
    let encodedTimeout: [UInt8]
    /// The encoded response to a connection over the limit of its address.
    private let encodedAddressLimit: [UInt8]
    private let mode = Atomic(Mode.serving)
    private var daemon: OpaquePointer?
    /// The socket that takes connections, which the daemon owns.
    private var listener: Int32 = -1

    var isDraining: Bool { mode.load(ordering: .sequentiallyConsistent) != .serving }
    var isRefusing: Bool { mode.load(ordering: .sequentiallyConsistent) == .refusing }
    var isOverloaded: Bool { connections.count > configuration.maximumConnections }

    /// - Throws: `outOfResources`.
    init(_ configuration: HTTPServerConfiguration, handler: @escaping RequestHandler) throws(HTTPServerError) {
        self.configuration = configuration
        self.handler = handler
        encodedTimeout = configuration.errorResponse(.requestTimeout, nil).encodedForClosing()
        let addressLimit = ServerError.tooManyConnections(limit: configuration.connectionsPerAddress ?? 0)
        encodedAddressLimit = configuration.errorResponse(addressLimit, nil).encodedForClosing()
        let share = max(configuration.unfinishedBodies / 4, configuration.maximumBodySize)
        bodies = BodyBudget(limit: configuration.unfinishedBodies, share: share)
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
        (self.daemon, self.listener) = (daemon, descriptor)
        do throws(HTTPServerError) {
            try watcher.start(
                hangUp: { self.connections[$0]?.peerClosed() },
                sweep: {
                    let now = MonotonicClock.now()
                    for connection in self.connections.all { connection.expire(now: now) }
                })
        } catch {
            MHD_stop_daemon(daemon)
            throw error
        }
    }

    /// Takes in a connection that was accepted. The connections of one address over its limit are refused: a few by
    /// their request's response, so that clients understand, all others before they send anything.
    func accept(_ handle: OpaquePointer) -> Connection {
        let limit = configuration.connectionsPerAddress ?? .max
        let (connection, count) = connections.insert { Connection(id: $0, handle: handle, core: self) }
        connection.isOverAddressLimit = count > limit
        watcher.watchHangUp(of: shim_connection_fd(handle), id: connection.id)
        if count > limit.addingReportingOverflow(Self.answeredOverLimit).partialValue, limit < .max {
            connection.refuse(sending: encodedAddressLimit)
            configuration.connectionRefused(connection.remoteAddress)
        }
        return connection
    }

    /// The connections over the limit of an address that get a response to their request.
    private static let answeredOverLimit = 16

    /// Refuses the connections of the calling thread whose head has a length that is no number. The library does not say
    /// which of them it means; each of them would be next.
    func refuseMalformedLengths() {
        for connection in connections.all where connection.hasMalformedLength() {
            let error = ServerError.malformedRequest("Content-Length is not a number")
            connection.refuse(sending: configuration.errorResponse(error, connection.readPath).encodedForClosing())
        }
    }

    /// Stops in steps, each for the requests that the step before left: new and idle connections are closed and streams
    /// end; handlers get `grace` to respond; they are cancelled and get `cancellationGrace`; the server responds for
    /// them. libmicrohttpd aborts the process if it is stopped while a connection is suspended, so the daemon is
    /// stopped last.
    func stop(grace: Duration) async {
        mode.store(.draining, ordering: .sequentiallyConsistent)
        closeListener()
        for connection in connections.all {
            connection.closeIfIdle()
            connection.currentExchange?.endStream()
        }
        _ = await activeRequests.wait(atMost: grace)
        // A request that began before this is already counted, so the next wait cannot miss it.
        mode.store(.refusing, ordering: .sequentiallyConsistent)
        for connection in connections.all { connection.currentExchange?.cancel() }
        var isIdle = await activeRequests.wait(atMost: configuration.cancellationGrace)
        if !isIdle {
            let response = configuration.errorResponse(.shuttingDown, nil)
            for connection in connections.all {
                connection.currentExchange?.endStream()
                connection.currentExchange?.respond(insteadOfHandler: response)
            }
            isIdle = await activeRequests.wait(atMost: Self.closingGrace)
        }
        if !isIdle {
            // Clients that do not read, or do not finish their requests.
            for connection in connections.all {
                connection.currentExchange?.finish()
                connection.abort()
            }
            isIdle = await activeRequests.wait(atMost: Self.closingGrace)
        }
        if isIdle { await closeConnections() }
        await stopThreads(stoppingDaemon: isIdle)
    }

    /// Closes the socket that takes connections, by putting a descriptor without events in its place: the kernel takes
    /// the socket out of the epoll sets of all threads. `MHD_quiesce_daemon` aborts the process when one of them takes
    /// the socket out of its set at the same time. The library closes the descriptor with the daemon.
    private func closeListener() {
        let silent = eventfd(0, Int32(EFD_CLOEXEC))
        guard listener >= 0, silent >= 0 else { return }
        _ = dup2(silent, listener)
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        Glibc.close(silent)
    }

    /// Waits until the library has closed its connections. It crashes when it is stopped while it responds by itself to a
    /// head that it cannot read: it forgets the response and goes on with it.
    private func closeConnections() async {
        let end = ContinuousClock.now + Self.closingGrace
        while !connections.all.isEmpty, ContinuousClock.now < end {
            for connection in connections.all { connection.closeIfIdle() }
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    /// The time for clients to receive their last response.
    private static let closingGrace = Duration.milliseconds(500)

    /// - Parameter stoppingDaemon: `false` when a handler still blocks one of the daemon's threads: waiting for it
    ///   could take forever, so the daemon runs until the process ends.
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

    /// Raises the descriptor limit to the number of connections, if the system allows it.
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
    /// The encoded response for a connection that closes after it; a streamed body is left out, and for `HEAD` any.
    func encodedForClosing(toHead isHead: Bool = false) -> [UInt8] {
        var content: [UInt8] = []
        if case .bytes(let bytes) = body { content = bytes }
        var text = "HTTP/1.1 \(status) \(String(cString: MHD_get_reason_phrase_for(UInt32(status))))\r\n"
        for field in headers.fields where FieldSyntax.isToken(field.name.utf8) && FieldSyntax.isValue(field.value.utf8)
        {
            text += "\(field.name): \(field.value)\r\n"
        }
        text += "Connection: close\r\nContent-Length: \(content.count)\r\n\r\n"
        return Array(text.utf8) + (isHead ? [] : content)
    }
}

/// Counts the requests in flight, and lets one task wait until there are none.
final class InFlightCount: Sendable {
    private struct Waiter {
        var continuation: CheckedContinuation<Bool, Never>?
        /// Identifies a wait, so that a late timer does not end the next one.
        var round = 0
    }

    private let count = Atomic(0)
    private let waiter = Mutex(Waiter())

    private var isZero: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func enter() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    func leave() {
        if count.wrappingSubtract(1, ordering: .sequentiallyConsistent).newValue == 0 { wake(true) }
    }

    /// Waits until no request is in flight. At most one task may wait.
    ///
    /// - Returns: `false` when the time passed first.
    func wait(atMost limit: Duration) async -> Bool {
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        return await withCheckedContinuation { continuation in
            let round = waiter.withLock { waiter in
                waiter.continuation = continuation
                waiter.round += 1
                return waiter.round
            }
            timer = Task {
                try await Task.sleep(for: limit)
                wake(false, round: round)
            }
            // The last request may have ended before the continuation was stored.
            if isZero { wake(true) }
        }
    }

    private func wake(_ result: Bool, round: Int? = nil) {
        let continuation = waiter.withLock { waiter -> CheckedContinuation<Bool, Never>? in
            if let round, round != waiter.round { return nil }
            defer { waiter.continuation = nil }
            return waiter.continuation
        }
        continuation?.resume(returning: result)
    }
}
