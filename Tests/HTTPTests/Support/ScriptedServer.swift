import Foundation
import Glibc
import Synchronization

/// A server on loopback that runs a script for each connection on its own thread, byte by byte, to send bytes that a
/// real server never would.
final class ScriptedServer: Sendable {
    typealias Script = @Sendable (ServerConnection) -> Void

    private struct State {
        var open: [Int32: ServerConnection] = [:]
        var accepted = 0
        var requests: [ReceivedRequest] = []
    }

    let port: Int
    private let listener: Int32
    private let script: Script
    private let state = Mutex(State())

    init(_ script: @escaping Script) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4096) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw SocketFailure(code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        self.script = script
        onThread { [self] in accept() }
    }

    struct SocketFailure: Error { var code: Int32 }

    var url: String { "http://127.0.0.1:\(port)" }

    /// The number of accepted connections.
    var accepted: Int { state.withLock(\.accepted) }

    var openConnections: Int { state.withLock(\.open.count) }

    /// The requests read over all connections.
    var requests: [ReceivedRequest] { state.withLock(\.requests) }

    /// Ends every connection and the listener. Scripts that wait for bytes see the end of file.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        state.withLock { state in for connection in state.open.values { connection.cut() } }
    }

    private func accept() {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = state.withLock { [self] state in
                state.accepted += 1
                let connection = ServerConnection(descriptor, number: state.accepted) { request in
                    self.state.withLock { $0.requests.append(request) }
                }
                state.open[descriptor] = connection
                return connection
            }
            onThread { [self] in
                script(connection)
                // Closed under the lock: `stop` must not cut a descriptor that has been reused.
                state.withLock { state in
                    state.open[descriptor] = nil
                    close(descriptor)
                }
            }
        }
        close(listener)
    }
}

/// A detached thread with a small stack: tests start hundreds.
func onThread(_ run: @escaping @Sendable () -> Void) {
    let thread = Thread(block: run)
    thread.stackSize = 256 << 10
    thread.start()
}

/// A request as it was on the wire.
struct ReceivedRequest: Sendable {
    var line: String
    var headers: [(name: String, value: String)]
    var body: [UInt8]

    var method: String { String(line.split(separator: " ").first ?? "") }
    var target: String { String(line.split(separator: " ").dropFirst().first ?? "") }

    subscript(name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// The server's side of one connection. Only its script's thread uses it, except for `cut`.
final class ServerConnection: Sendable {
    private let descriptor: Int32
    private let received = Mutex<[UInt8]>([])
    private let record: @Sendable (ReceivedRequest) -> Void
    /// 1 for the first connection that the server accepted.
    let number: Int

    init(_ descriptor: Int32, number: Int, record: @escaping @Sendable (ReceivedRequest) -> Void) {
        self.descriptor = descriptor
        self.number = number
        self.record = record
    }

    /// The next request with its body (by Content-Length); `nil` when the client has disconnected.
    func readRequest() -> ReceivedRequest? {
        received.withLock { buffer in
            var end = buffer.firstRange(of: Array("\r\n\r\n".utf8))
            while end == nil {
                guard let more = readSome() else { return nil }
                buffer += more
                end = buffer.firstRange(of: Array("\r\n\r\n".utf8))
            }
            guard let end else { return nil }
            var lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            buffer.removeSubrange(..<end.upperBound)
            let line = String(lines.removeFirst())
            var request = ReceivedRequest(line: line, headers: lines.map(Self.field), body: [])
            let length = request["Content-Length"].flatMap { Int($0) } ?? 0
            while buffer.count < length {
                guard let more = readSome() else { return nil }
                buffer += more
            }
            request.body = Array(buffer.prefix(length))
            buffer.removeFirst(length)
            record(request)
            return request
        }
    }

    /// - Returns: `false` when the client has disconnected.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { bytes in
                Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }

    /// Waits until the client has left and discards its remaining bytes.
    func waitForEnd() { while readSome() != nil {} }

    /// Sends as many bytes as the socket takes now.
    ///
    /// - Returns: the number of bytes; `nil` when the client has disconnected.
    func sendWhatFits(_ bytes: [UInt8]) -> Int? {
        let count = bytes.withUnsafeBytes { bytes in
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        }
        return count >= 0 ? count : errno == EAGAIN ? 0 : nil
    }

    /// Limits the kernel's send buffer.
    func setSendBuffer(_ bytes: Int32) {
        var size = bytes
        setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether the socket accepts more bytes within this time.
    func canSend(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, milliseconds) == 1 && entry.revents & Int16(POLLOUT) != 0
    }

    func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func readSome() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? Array(chunk.prefix(count)) : nil
    }

    private static func field(_ line: Substring) -> (name: String, value: String) {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
        return (String(parts[0]), String(value))
    }
}

extension ServerConnection {
    /// Responds with a body of known length, and keeps the connection.
    @discardableResult
    func answer(_ status: Int = 200, headers: [String] = [], _ body: String = "") -> Bool {
        answer(status, headers: headers, Array(body.utf8))
    }

    @discardableResult
    func answer(_ status: Int, headers: [String] = [], _ body: [UInt8]) -> Bool {
        let lines = ["HTTP/1.1 \(status) Scripted", "Content-Length: \(body.count)"] + headers
        return send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Starts a body of unknown length.
    @discardableResult
    func beginChunked(headers: [String] = []) -> Bool {
        send((["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
    }

    @discardableResult
    func chunk(_ text: String) -> Bool { chunk(Array(text.utf8)) }

    @discardableResult
    func chunk(_ bytes: [UInt8]) -> Bool {
        send(Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8))
    }

    func endChunked() { send("0\r\n\r\n") }
}

extension ServerConnection {
    /// Pauses between two bytes, for tests of time limits.
    func pause(milliseconds: Int32) { poll(nil, 0, milliseconds) }
}
