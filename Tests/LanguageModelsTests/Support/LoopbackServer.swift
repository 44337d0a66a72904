import Foundation
import Glibc
import Synchronization

/// A provider on loopback: reads one request per connection and answers it with the next scripted bytes.
final class LoopbackServer: Sendable {
    struct Reply: Sendable {
        var head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"
        var pieces: [String] = []
        /// Keeps the connection open after the last piece until the client leaves.
        var holds = false
    }

    struct NoSocket: Error {}

    let baseURL: String
    /// Yields when a client has left a held connection.
    let departures: AsyncStream<Void>
    private let departure: AsyncStream<Void>.Continuation
    private let listener: Int32
    private let state: Mutex<(replies: [Reply], requests: [String])>

    init(_ replies: Reply...) throws {
        (departures, departure) = AsyncStream.makeStream()
        state = Mutex((replies, []))
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        listener = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isListening else { throw NoSocket() }
        baseURL = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
        Thread { [self] in serve() }.start()
    }

    /// Heads and bodies of all requests so far.
    var requests: [String] { state.withLock(\.requests) }

    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func serve() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            handle(connection)
            close(connection)
        }
        close(listener)
    }

    private func handle(_ connection: Int32) {
        guard let request = readRequest(connection) else { return }
        let reply = state.withLock { state in
            state.requests.append(request)
            return state.replies.isEmpty ? Reply(head: "HTTP/1.1 500 E\r\n\r\n") : state.replies.removeFirst()
        }
        for piece in [reply.head] + reply.pieces {
            let bytes = Array(piece.utf8)
            guard Glibc.send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
        }
        if reply.holds {
            while read(connection) != nil {}
            departure.yield()
        }
    }

    private func readRequest(_ connection: Int32) -> String? {
        var text = ""
        while true {
            guard let more = read(connection) else { return nil }
            text += more
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text.range(of: "content-length: ", options: .caseInsensitive).flatMap { range in
                Int(text[range.upperBound...].prefix { $0.isNumber })
            }
            if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
        }
    }

    /// What has arrived; `nil` at the end.
    private func read(_ connection: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.recv(connection, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
