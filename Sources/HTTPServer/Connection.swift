import CMicrohttpd
import Glibc
import Synchronization

/// A client's connection, from accept to close.
///
/// `@unchecked Sendable`: the properties under "connection's thread" are touched only in callbacks of libmicrohttpd, which
/// calls for one connection from one thread; everything else is immutable, atomic or behind a lock.
final class Connection: @unchecked Sendable {
    /// What the server waits for; decides which deadline runs. Whoever leaves a waiting stage does so by exchanging it, so
    /// that a deadline and the request it was for never both win.
    enum Stage: UInt8, AtomicRepresentable {
        case awaitingHead
        case receivingBody
        case answering
        /// A deadline passed or the server stopped: the socket is shut down and the library about to notice.
        case expired
    }

    private struct Shared {
        var exchange: Exchange?
        var hasPeerLeft = false
        var isClosed = false
    }

    let id: UInt64
    let handle: OpaquePointer
    let core: ServerCore
    private let descriptor: Int32
    private let stage = Atomic(Stage.awaitingHead)
    private let deadline: Atomic<Int64>
    private let shared = Mutex(Shared())

    // Connection's thread.
    /// The target of the next request and its length before it was decoded.
    var target: Result<(RequestTarget, Int), ServerError> = .failure(.malformedRequest("no target"))
    var upload: RequestUpload?
    var exchange: Exchange?
    var isHead = false
    private var isActive = false
    lazy var remoteAddress = shim_connection_address(handle).flatMap(numericAddress)?.host ?? ""

    init(id: UInt64, handle: OpaquePointer, core: ServerCore) {
        self.id = id
        self.handle = handle
        self.core = core
        descriptor = shim_connection_fd(handle)
        deadline = Atomic(MonotonicClock.now() + core.configuration.headDeadline.nanoseconds)
    }

    // MARK: Connection's thread

    /// Leaves a waiting stage for the next; `false` when the deadline was faster.
    func advance(from: Stage, to next: Stage, within limit: Duration? = nil) -> Bool {
        deadline.store(limit.map { MonotonicClock.now() + $0.nanoseconds } ?? .max, ordering: .releasing)
        return stage.compareExchange(expected: from, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    var isReceivingBody: Bool { stage.load(ordering: .acquiring) == .receivingBody }

    /// From here to `reset` the server waits for this connection when it stops.
    func countAsActive() {
        isActive = true
        core.quiescence.enter()
    }

    /// The request is over; waits for the next.
    func reset() {
        exchange?.finish()
        exchange = nil
        upload = nil
        let hasPeerLeft = shared.withLock { shared in
            shared.exchange = nil
            return shared.hasPeerLeft
        }
        let configuration = core.configuration
        deadline.store(
            MonotonicClock.now() + configuration.idleTimeout.nanoseconds + configuration.headDeadline.nanoseconds,
            ordering: .releasing)
        for waiting in [Stage.answering, .receivingBody] {
            _ = stage.compareExchange(expected: waiting, desired: .awaitingHead, ordering: .acquiringAndReleasing)
        }
        if isActive {
            isActive = false
            core.quiescence.leave()
        }
        if hasPeerLeft { wakeOnHangUp() }
    }

    /// Lets other threads reach the exchange; before its handler starts, so that a shutdown misses none.
    func publish(_ exchange: Exchange) {
        self.exchange = exchange
        let hasPeerLeft = shared.withLock { shared in
            shared.exchange = exchange
            return shared.hasPeerLeft
        }
        if hasPeerLeft { exchange.clientLeft() }
    }

    /// The library closes the descriptor after this.
    func close() {
        exchange?.finish()
        shared.withLock { shared in
            shared.isClosed = true
            shared.exchange = nil
        }
    }

    /// Answers and ends the connection although a body is still arriving.
    func breakOffBody(saying closingResponse: [UInt8]) { shutDown(from: [.receivingBody], saying: closingResponse) }

    // MARK: Other threads

    /// The request that a handler or a stream is answering.
    var currentExchange: Exchange? { shared.withLock { $0.exchange } }

    /// The client closed its end.
    func peerLeft() {
        let exchange = shared.withLock { shared in
            shared.hasPeerLeft = true
            return shared.exchange
        }
        if let exchange { exchange.clientLeft() } else { wakeOnHangUp() }
    }

    /// Ends the connection if its head or body is late: says so and shuts the socket down. Called again and again.
    func expire(now: Int64) {
        // Said once, it may be overheard as well.
        if shared.withLock({ $0.hasPeerLeft && $0.exchange == nil }) { wakeOnHangUp() }
        guard deadline.load(ordering: .acquiring) <= now else { return }
        shutDown(from: [.awaitingHead, .receivingBody], saying: core.encodedTimeout)
    }

    /// Ends the connection if no request is on it.
    func closeIfIdle() { shutDown(from: [.awaitingHead], saying: []) }

    /// Makes every further read and write of the library fail, so that it closes the connection.
    func breakOff() {
        shared.withLock { shared in
            if !shared.isClosed { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Wakes the library for an end of file that it may have slept through: it is told of one together with the last bytes,
    /// and told once, but forgets it when it reads just those bytes. Shutting down a side that the client has closed
    /// changes nothing else.
    private func wakeOnHangUp() {
        shared.withLock { shared in
            if !shared.isClosed { _ = Glibc.shutdown(descriptor, Int32(SHUT_RD)) }
        }
    }

    private func shutDown(from waiting: [Stage], saying closingResponse: [UInt8]) {
        let hasWon = waiting.contains {
            stage.compareExchange(expected: $0, desired: .expired, ordering: .acquiringAndReleasing).exchanged
        }
        guard hasWon else { return }
        shared.withLock { shared in
            guard !shared.isClosed else { return }
            if !closingResponse.isEmpty {
                _ = send(descriptor, closingResponse, closingResponse.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }
}
