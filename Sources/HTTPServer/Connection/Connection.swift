import CMicrohttpd
import Glibc
import HTTP
import Synchronization

/// A client's connection, from accept to close.
///
/// `@unchecked Sendable`: the properties under "connection's thread" are touched only in callbacks of libmicrohttpd,
/// which calls for one connection from one thread; everything else is immutable, atomic or guarded by a lock.
final class Connection: @unchecked Sendable {
    /// The stage of the request, which decides the deadline. A stage is left by compare and exchange, so that either
    /// the deadline or the request wins, never both.
    enum Stage: UInt8, AtomicRepresentable {
        case awaitingHead
        case receivingBody
        case answering
        /// A deadline passed or the server stopped: the socket is shut down, and the library is about to notice.
        case expired
    }

    private struct Shared {
        var exchange: Exchange?
        var hasPeerClosed = false
        var isClosed = false
        /// What a request gets that is ended at its deadline; `nil` for the usual answer to a late one.
        var expiry: [UInt8]?
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
    /// The path of a target that is refused for its query, so that the error has the form of that path.
    var pathOfBadQuery: String?
    var upload: RequestUpload?
    /// The place in the library's buffer at which a body in chunks begins.
    var chunksBegin: UnsafeRawPointer?
    var exchange: Exchange?
    var isHead = false
    /// The response was sent before the body, which is read and dropped.
    var isRefused = false
    var isOverAddressLimit = false
    /// The query has more parameters than a head may have fields.
    var hasManyParameters = false
    /// The request line has arrived, the whole head has not.
    var hasBegunHead = false
    private var isActive = false
    let remoteAddress: String
    let address: ClientAddress
    private let thread = pthread_self()

    init(id: UInt64, handle: OpaquePointer, core: ServerCore) {
        self.id = id
        self.handle = handle
        self.core = core
        descriptor = shim_connection_fd(handle)
        remoteAddress = shim_connection_address(handle).flatMap(numericAddress)?.host ?? ""
        address = ClientAddress(peer: remoteAddress, trusting: core.configuration.trustedProxies)
        deadline = Atomic(MonotonicClock.now() + core.configuration.headDeadline.nanoseconds)
    }

    // MARK: Connection's thread

    /// Whether a head that is arriving on the calling thread has a `Content-Length` that is no number.
    func hasMalformedLength() -> Bool {
        guard pthread_equal(thread, pthread_self()) != 0, hasBegunHead else { return false }
        var isMalformed = false
        MHD_get_connection_values_n(handle, .HEADER_KIND, findMalformedLength, &isMalformed)
        return isMalformed
    }

    /// Moves to the next stage; `false` when the deadline was faster.
    func advance(from: Stage, to next: Stage, within limit: Duration? = nil) -> Bool {
        deadline.store(limit.map { MonotonicClock.now() + $0.nanoseconds } ?? .max, ordering: .releasing)
        return stage.compareExchange(expected: from, desired: next, ordering: .acquiringAndReleasing).exchanged
    }

    var isReceivingBody: Bool { stage.load(ordering: .acquiring) == .receivingBody }

    /// From here to `reset`, a server that stops waits for this connection.
    func countAsActive() {
        isActive = true
        core.activeRequests.enter()
    }

    /// The request is over; the connection waits for the next one.
    func reset() {
        exchange?.finish()
        exchange = nil
        upload?.release()
        upload = nil
        chunksBegin = nil
        isRefused = false
        let hasPeerClosed = shared.withLock { shared in
            shared.exchange = nil
            shared.expiry = nil
            return shared.hasPeerClosed
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
            core.activeRequests.leave()
        }
        if hasPeerClosed { wakeOnHangUp() }
    }

    /// Makes the exchange visible to other threads, before its handler starts, so that a shutdown misses none.
    func publish(_ exchange: Exchange) {
        self.exchange = exchange
        let hasPeerClosed = shared.withLock { shared in
            shared.exchange = exchange
            return shared.hasPeerClosed
        }
        if hasPeerClosed { exchange.clientClosed() }
    }

    /// The library closes the descriptor after this.
    func close() {
        exchange?.finish()
        shared.withLock { shared in
            shared.isClosed = true
            shared.exchange = nil
        }
    }

    /// Responds and closes the connection although a body is still arriving.
    func abortBody(sending closingResponse: [UInt8]) { shutDown(from: [.receivingBody], sending: closingResponse) }

    /// Responds before the body has arrived and ends the sending side. The body is dropped until the client has read the
    /// response or the deadline passes: a connection that is closed with unread bytes is reset, and the response lost.
    func refuseBody(sending closingResponse: [UInt8]) {
        isRefused = true
        deadline.store(MonotonicClock.now() + core.configuration.refusedBodyGrace.nanoseconds, ordering: .releasing)
        shared.withLock { shared in
            guard !shared.isClosed else { return }
            _ = send(descriptor, closingResponse, closingResponse.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            _ = Glibc.shutdown(descriptor, Int32(SHUT_WR))
        }
    }

    /// Ends the request soon with an answer unless its head arrives before.
    func expire(soonSending answer: [UInt8]) {
        shared.withLock { $0.expiry = answer }
        deadline.store(MonotonicClock.now() + Self.refusalPause, ordering: .releasing)
    }

    /// The time for the library to go through a head that has arrived whole.
    private static let refusalPause: Int64 = 100_000_000

    /// Responds to a connection without a request and closes it.
    func refuse(sending closingResponse: [UInt8]) { shutDown(from: [.awaitingHead], sending: closingResponse) }

    // MARK: Other threads

    /// The exchange of the current request.
    var currentExchange: Exchange? { shared.withLock { $0.exchange } }

    /// The client closed its side.
    func peerClosed() {
        let exchange = shared.withLock { shared in
            shared.hasPeerClosed = true
            return shared.exchange
        }
        if let exchange { exchange.clientClosed() } else { wakeOnHangUp() }
    }

    /// Closes the connection if its head or body is late: responds 408 and shuts the socket down. Called periodically.
    func expire(now: Int64) {
        // The library may have missed the first wake-up.
        if shared.withLock({ $0.hasPeerClosed && $0.exchange == nil }) { wakeOnHangUp() }
        guard deadline.load(ordering: .acquiring) <= now else { return }
        let answer = shared.withLock(\.expiry) ?? core.encodedTimeout
        shutDown(from: [.awaitingHead, .receivingBody], sending: answer)
    }

    /// Closes the connection if it has no request.
    func closeIfIdle() { shutDown(from: [.awaitingHead], sending: []) }

    /// Makes every further read and write of the library fail, so that it closes the connection.
    func abort() {
        shared.withLock { shared in
            if !shared.isClosed { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Wakes the library for an end of file that it may have missed: epoll reports it once, together with the last
    /// bytes, and the library forgets it when it reads just those bytes. Shutting down the side that the client has
    /// closed has no other effect.
    private func wakeOnHangUp() {
        shared.withLock { shared in
            if !shared.isClosed { _ = Glibc.shutdown(descriptor, Int32(SHUT_RD)) }
        }
    }

    private func shutDown(from waiting: [Stage], sending closingResponse: [UInt8]) {
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

/// Called by libmicrohttpd for each header, with a `Bool` as context.
private func findMalformedLength(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameLength: Int,
    _ value: UnsafePointer<CChar>?, _ valueLength: Int
) -> MHD_Result {
    guard let name, let value else { return .YES }
    let field = UnsafeRawBufferPointer(start: name, count: nameLength)
    guard FieldSyntax.matches(field, "content-length") else { return .YES }
    if RequestFraming.isLength(UnsafeRawBufferPointer(start: value, count: valueLength)) { return .YES }
    context?.assumingMemoryBound(to: Bool.self).pointee = true
    return .NO
}

/// All open connections, for deadlines, hang-ups and shutdown.
final class ConnectionTable: Sendable {
    private struct Entries {
        var byID: [UInt64: Connection] = [:]
        var counts: [IPAddress: Int] = [:]
        var nextID: UInt64 = 1
    }

    private let entries = Mutex(Entries())
    /// The number of entries, outside the lock because each request reads it.
    private let size = Atomic(0)

    var count: Int { size.load(ordering: .relaxed) }
    var all: [Connection] { entries.withLock { Array($0.byID.values) } }

    subscript(id: UInt64) -> Connection? { entries.withLock { $0.byID[id] } }

    /// Adds a connection. Ids start at 1.
    ///
    /// - Returns: The connection, and the number of connections of its address; 0 for an address without a limit.
    func insert(_ make: (UInt64) -> Connection) -> (Connection, ofAddress: Int) {
        entries.withLock { entries in
            let connection = make(entries.nextID)
            entries.byID[entries.nextID] = connection
            entries.nextID += 1
            size.store(entries.byID.count, ordering: .relaxed)
            guard let address = connection.address.counted(connection.address.peer) else { return (connection, 0) }
            entries.counts[address, default: 0] += 1
            return (connection, entries.counts[address, default: 0])
        }
    }

    func remove(_ connection: Connection) {
        entries.withLock { entries in
            entries.byID[connection.id] = nil
            size.store(entries.byID.count, ordering: .relaxed)
            guard let address = connection.address.counted(connection.address.peer) else { return }
            let count = entries.counts[address, default: 0] - 1
            entries.counts[address] = count > 0 ? count : nil
        }
    }
}

/// Nanoseconds of the system's monotonic clock: one number that fits an atomic, for deadlines of sockets.
enum MonotonicClock {
    static func now() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// Whole nanoseconds, at most about a century.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 3_000_000_000) * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
