import Basics
import Broker
import Foundation
import Glibc
import HTTP
import HTTPServer
import JSON
import JSONSchema
import Synchronization

extension FuzzTarget {
    /// What a client sends.
    static let requests = [
        FuzzTarget("request", microsecondsPerKiB: 2000) { bytes in LiveServer.shared.exchange(bytes) },
        FuzzTarget("query", microsecondsPerKiB: 2000) { bytes in
            // A target of a request line ends at the first space or control character.
            let target = bytes.filter { $0 > 0x20 && $0 != 0x7F }
            LiveServer.shared.exchange(Array("GET /".utf8) + target + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        },
        FuzzTarget("json") { bytes in
            guard let value = try? JSON(parsing: bytes, longestKey: 256) else { return }
            let safe = value.mapStrings(\.sanitized)
            _ = safe == value
            _ = Set(safe.object?.keys ?? [])
            let again = try? JSON(parsing: safe.compact)
            precondition(again == safe, "what was written is not read as the same")
        },
        FuzzTarget("schema", microsecondsPerKiB: 4000) { bytes in
            // A schema and a value, separated by a line feed.
            let parts = bytes.split(separator: 0x0A, maxSplits: 1)
            guard parts.count == 2, let source = try? JSON(parsing: parts[0]), let value = try? JSON(parsing: parts[1]),
                let schema = try? JSONSchema(source)
            else { return }
            _ = schema.validate(value)
        },
        FuzzTarget("jwt") { bytes in
            _ = try? WebToken.verify(String(decoding: bytes, as: UTF8.self), secret: "0123456789abcdef", now: 0)
        },
        FuzzTarget("text") { bytes in
            let text = String(decoding: bytes, as: UTF8.self).sanitized
            precondition(text.sanitized.utf8.elementsEqual(text.utf8), "sanitizing again changed the text")
            // The cost of comparing and hashing is bounded after it.
            _ = text.hashValue
            _ = text == text + "a"
        },
    ]
}

/// A server on loopback that is sent raw bytes.
private final class LiveServer: Sendable {
    static let shared = LiveServer()

    private let server: HTTPServer
    private let port: Int

    private init() {
        var configuration = HTTPServerConfiguration()
        configuration.address = "127.0.0.1:0"
        configuration.connectionsPerAddress = nil
        server = HTTPServer(configuration: configuration) { request in
            guard !request.body.isEmpty else {
                return ServerResponse(bytes: Array((request.query("q") ?? request.path).utf8))
            }
            guard let body = try? JSON(parsing: request.body, longestKey: 256) else {
                return ServerResponse(status: 400)
            }
            return ServerResponse(bytes: Array(body.compact.utf8))
        }
        port = (try? server.start().port) ?? 0
        precondition(port > 0, "the server did not start")
    }

    /// Sends bytes on a connection of their own, ends the sending, and reads until the server closes.
    func exchange(_ bytes: [UInt8]) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(status == 0, "the server does not accept connections any more")
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { break }
            sent += count
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            precondition(count >= 0 || errno != EAGAIN, "the server neither answers nor closes")
            if count <= 0 { break }
        }
    }
}
