package import Foundation
import Glibc
import Synchronization

/// A server on the loopback interface that does with each request what a test says: passes it on to a real server,
/// loses it or its answer, cuts or falsifies the answer, or answers by itself.
package final class HostileProxy: Sendable {
    /// What happens to a request.
    package enum Fate: Sendable {
        /// The server behind answers, over as many bytes as there are.
        case pass
        /// The connection ends before the server has seen the request.
        case dropBefore
        /// The server does what is asked; the connection ends without an answer.
        case dropAfter
        /// The server does what is asked; the connection is reset behind this many bytes of the answer.
        case cut(after: Int)
        /// The server sees the request twice, and the second answer is passed on.
        case duplicate
        /// The pieces are sent as they are, and the connection is closed.
        case send([Piece])
    }

    /// A part of an answer.
    package enum Piece: Sendable {
        case text(String)
        case bytes([UInt8])
        /// Nothing more is sent until the signal has fired.
        case wait(Signal)
        /// Nothing more is sent until the client has closed the connection; then the signal fires.
        case silence(Signal?)
    }

    /// A request as it came.
    package struct Request: Sendable {
        package let method: String
        /// With the query.
        package let target: String
        /// By lowercase name.
        package let headers: [String: String]
        package let body: [UInt8]
        /// From 1.
        package let number: Int
        /// The number of the connection it came on.
        package let connection: Int
        fileprivate let head: String

        /// `GET /path?query`
        package var line: String { "\(method) \(target)" }
    }

    private let listener: Int32
    private let upstream: UInt16?
    private let fate: @Sendable (Request) -> Fate
    private let state = Mutex<(requests: [Request], connections: Int, open: Set<Int32>, isClosed: Bool)>(
        ([], 0, [], false))
    package let port: UInt16

    /// Listens on a port of its own.
    ///
    /// - Parameters:
    ///   - upstream: The port of the server behind, if there is one.
    ///   - fate: Decides about each request, on a thread of its connection.
    /// - Throws: when no port is free.
    package init(to upstream: UInt16? = nil, _ fate: @escaping @Sendable (Request) -> Fate) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { [listener] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                listener >= 0 && bind(listener, $0, length) == 0 && listen(listener, 512) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        port = UInt16(bigEndian: address.sin_port)
        self.upstream = upstream
        self.fate = fate
        Thread.detachNewThread { [self] in acceptForever() }
    }

    /// `http://127.0.0.1:PORT`
    package var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    package var requests: [Request] { state.withLock { $0.requests } }
    /// The number of connections that are open now.
    package var openConnections: Int { state.withLock { $0.open.count } }

    package func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return state.open
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    private func acceptForever() {
        while true {
            let client = accept(listener, nil, nil)
            if client < 0 {
                if errno == EINTR || errno == ECONNABORTED { continue }
                Glibc.close(listener)
                return
            }
            _ = fcntl(client, F_SETFD, FD_CLOEXEC)
            let number: Int? = state.withLock { state in
                guard !state.isClosed else { return nil }
                state.connections += 1
                state.open.insert(client)
                return state.connections
            }
            guard let number else {
                Glibc.close(client)
                continue
            }
            Thread.detachNewThread { [self] in
                while let request = read(client, number), answer(request, client) {}
                state.withLock { _ = $0.open.remove(client) }
                Glibc.close(client)
            }
        }
    }

    // MARK: One request

    private func read(_ client: Int32, _ connection: Int) -> Request? {
        var bytes: [UInt8] = []
        let end: [UInt8] = [13, 10, 13, 10]
        while bytes.count < 4 || Array(bytes.suffix(4)) != end {
            var byte: UInt8 = 0
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            bytes.append(byte)
        }
        let head = String(decoding: bytes, as: UTF8.self)
        let lines = head.split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        var body = [UInt8](repeating: 0, count: Int(headers["content-length"] ?? "0") ?? 0)
        var count = 0
        while count < body.count {
            let more = body.withUnsafeMutableBytes {
                recv(client, $0.baseAddress?.advanced(by: count), $0.count - count, 0)
            }
            guard more > 0 else { return nil }
            count += more
        }
        return state.withLock { state in
            let request = Request(
                method: String(words[0]), target: String(words[1]), headers: headers, body: body,
                number: state.requests.count + 1, connection: connection, head: head)
            state.requests.append(request)
            return request
        }
    }

    /// Does what the test says; false when the connection is over.
    private func answer(_ request: Request, _ client: Int32) -> Bool {
        switch fate(request) {
        case .pass: forward(request) { send($0, client) }
        case .dropBefore: break
        case .dropAfter: forward(request) { _ in true }
        case .cut(let limit):
            var left = limit
            forward(request) { bytes in
                let piece = Array(bytes.prefix(left))
                left -= piece.count
                return send(piece, client) && left > 0
            }
            reset(client)
        case .duplicate:
            forward(request) { _ in true }
            forward(request) { send($0, client) }
        case .send(let pieces):
            var keepsOpen = !pieces.isEmpty
            for piece in pieces where keepsOpen { keepsOpen = perform(piece, client) }
            return keepsOpen && request.headers["connection"]?.lowercased() != "close"
        }
        return false
    }

    private func perform(_ piece: Piece, _ client: Int32) -> Bool {
        switch piece {
        case .text(let text): return send(Array(text.utf8), client)
        case .bytes(let bytes): return send(bytes, client)
        case .wait(let signal):
            signal.waitOnThread()
            return true
        case .silence(let signal):
            var byte: UInt8 = 0
            while recv(client, &byte, 1, 0) > 0 {}
            signal?.fire()
            return false
        }
    }

    /// Asks the server behind and hands on what it answers, until it closes or nobody wants more.
    private func forward(_ request: Request, _ take: ([UInt8]) -> Bool) {
        guard let upstream else { return }
        let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { Glibc.close(server) }
        var address = Self.loopback(upstream)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let lines = request.head.components(separatedBy: "\r\n").filter { !$0.lowercased().hasPrefix("connection:") }
        let head = ([lines[0], "Connection: close"] + lines.dropFirst()).joined(separator: "\r\n")
        guard isConnected, send(Array(head.utf8) + request.body, server) else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(server, &chunk, chunk.count, 0)
            guard count > 0, take(Array(chunk.prefix(count))) else { return }
        }
    }

    private func send(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let more = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard more > 0 else { return false }
            sent += more
        }
        return true
    }

    /// The close that follows tells the client that the connection broke.
    private func reset(_ descriptor: Int32) {
        var hard = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }
}

extension HostileProxy.Fate {
    /// An answer with a status and headers, whole and with its length.
    package static func answer(_ status: Int, _ body: String, headers: [String: String] = ["X-API-Version": "1.0"])
        -> Self
    {
        let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
        return .send([.text("HTTP/1.1 \(status) X\r\nContent-Length: \(body.utf8.count)\r\n\(lines)\r\n\(body)")])
    }

    /// What a captive portal answers to everything.
    package static var portal: Self {
        .answer(
            200, "<html>Welcome to our café. Please accept the terms.</html>", headers: ["Content-Type": "text/html"])
    }

    package static var garbage: Self { .send([.bytes((0..<300).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 128) })]) }
}
