import Foundation
import Glibc
import Synchronization

/// A proxy on the loopback interface whose connections can be cut or made to swallow all data.
final class TCPProxy: Sendable {
    enum Way: Sendable {
        case open
        /// Connections break, and new ones too.
        case cut
        /// Data is swallowed, and no end is notified.
        case swallowing
        /// Every piece of data arrives late by this many milliseconds.
        case lagging(Int)

        fileprivate var isHeld: Bool { if case .swallowing = self { true } else { false } }
        fileprivate var isCut: Bool { if case .cut = self { true } else { false } }
        fileprivate var delay: Int { if case .lagging(let milliseconds) = self { milliseconds } else { 0 } }
    }

    let port: UInt16
    private let server: UInt16
    private let listener: Int32
    private let state: Mutex<State>

    private struct State {
        var way = Way.open
        var links: [Link] = []
        var isClosed = false
    }

    init(to server: UInt16) throws {
        self.server = server
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw SystemFailure("no socket can be made") }
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw SystemFailure("no port is free") }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
        state = Mutex(State())
        Thread.detachNewThread { [self] in acceptForever() }
    }

    /// Breaks all connections and each new one, or lets nothing through.
    func turn(_ way: Way) {
        let links = state.withLock { state in
            state.way = way
            return state.links
        }
        for link in links { link.turn(way) }
        if way.isCut { breakConnections() }
    }

    /// Breaks the connections that there are.
    func breakConnections() {
        let links = state.withLock { state in
            defer { state.links = [] }
            return state.links
        }
        for link in links { link.close() }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        breakConnections()
    }

    private func acceptForever() {
        while true {
            let client = accept(listener, nil, nil)
            guard client >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                Glibc.close(listener)
                return
            }
            let way = state.withLock { $0.isClosed ? .cut : $0.way }
            guard !way.isCut, let link = Link(client, to: Self.loopback(server)) else {
                Link.reset(client)
                continue
            }
            link.turn(way)
            // A connection cut meanwhile must not stay.
            let isKept = state.withLock { state in
                guard !state.way.isCut, !state.isClosed else { return false }
                link.turn(state.way)
                state.links.removeAll(where: \.isOver)
                state.links.append(link)
                return true
            }
            if !isKept { link.close() }
            link.start()
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}

/// A connection of a client and the one from the proxy to the server.
private final class Link: Sendable {
    private struct State {
        var isHeld = false
        var delay = 0
        var isClosed = false
        var pumps = 2
    }

    private let client: Int32
    private let server: Int32
    private let state = Mutex(State())

    init?(_ client: Int32, to address: sockaddr_in) {
        var address = address
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            Glibc.close(server)
            return nil
        }
        for descriptor in [client, server] {
            var one: Int32 = 1
            setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        (self.client, self.server) = (client, server)
    }

    /// Holds or delays the bytes that come from now on.
    func turn(_ way: TCPProxy.Way) {
        state.withLock { state in
            state.isHeld = way.isHeld
            state.delay = way.delay
        }
    }

    /// Whether bytes wait here instead of going on.
    private var isHeld: Bool { state.withLock { $0.isHeld } }

    var isOver: Bool { state.withLock { $0.pumps == 0 } }

    func start() {
        Thread.detachNewThread { [self] in pump(from: client, to: server) }
        Thread.detachNewThread { [self] in pump(from: server, to: client) }
    }

    /// Breaks both connections; their threads close their own sockets. Afterwards the descriptors may belong to others,
    /// such as a connection of the simulator.
    func close() {
        state.withLock { state in
            state.isClosed = true
            guard state.pumps > 0 else { return }
            for descriptor in [client, server] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends a connection without a word.
    static func reset(_ descriptor: Int32) {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(descriptor)
    }

    private func pump(from source: Int32, to target: Int32) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var entry = pollfd(fd: source, events: Int16(POLLIN), revents: 0)
        pumping: while waitUntilLetThrough() {
            guard poll(&entry, 1, 50) != 0 else { continue }
            guard !isHeld else { continue }
            let count = read(source, &chunk, chunk.count)
            guard count > 0, waitUntilLetThrough() else { break }
            let delay = state.withLock { $0.delay }
            if delay > 0 { usleep(UInt32(delay) * 1000) }
            var sent = 0
            while sent < count {
                let more = chunk[sent..<count].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard more > 0 else { break pumping }
                sent += more
            }
        }
        close()
        // The last thread closes both: until then neither number may be reused.
        let isLast = state.withLock { state in
            state.pumps -= 1
            return state.pumps == 0
        }
        if isLast { for descriptor in [client, server] { Self.reset(descriptor) } }
    }

    /// `false` when the connection was broken.
    private func waitUntilLetThrough() -> Bool {
        while true {
            let (isHeld, isClosed) = state.withLock { ($0.isHeld, $0.isClosed) }
            if isClosed { return false }
            if !isHeld { return true }
            usleep(10_000)
        }
    }
}
