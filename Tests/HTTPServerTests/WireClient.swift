import Glibc
import HTTPServer

/// A client that sends exactly the given bytes over a real socket. Each call blocks its own thread, never a thread of
/// the cooperative pool, and fails after a timeout.
final class WireClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let descriptor: Int32
    private let buffer = Buffer()

    /// Touched by one test at a time.
    private final class Buffer: @unchecked Sendable {
        var bytes: [UInt8] = []
    }

    /// Connects. `timeout` is in seconds and applies to each read and write; `source` is this side's IPv4 address.
    init(_ port: Int, timeout: Int = 120, host: String = "127.0.0.1", source: String? = nil) throws {
        let isIPv6 = host.contains(":")
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: timeout, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        if let source {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            inet_pton(AF_INET, source, &address.sin_addr)
            let bound = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard bound == 0 else { throw Failure(description: "bind: \(String(cString: strerror(errno)))") }
        }
        let status: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(port).bigEndian
            inet_pton(AF_INET6, host, &address.sin6_addr)
            status = Self.connect(descriptor, &address)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            inet_pton(AF_INET, host, &address.sin_addr)
            status = Self.connect(descriptor, &address)
        }
        // The descriptor is closed by `deinit`, which runs although this throws.
        guard status == 0 else { throw Failure(description: "connect: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws { try await onThread { try self.sendNow(bytes) } }

    func sendNow(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                let rest = UnsafeRawBufferPointer(rebasing: $0[sent...])
                return Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(description: "send: \(String(cString: strerror(errno)))") }
            sent += count
        }
    }

    /// Closes only the sending side.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Shrinks the kernel's buffer, for a client that does not read.
    func shrinkReceiveBuffer() {
        var size: Int32 = 4096
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Bytes up to and including an end mark.
    func read(through mark: String) async throws -> String {
        try await onThread { try self.readNow(mark) }
    }

    /// The next response.
    func response(toHead isHead: Bool = false) async throws -> WireResponse {
        try await onThread { try self.responseNow(toHead: isHead) }
    }

    /// Whether the server has closed the connection; unread bytes are dropped.
    func isClosed() async throws -> Bool {
        try await onThread {
            while try self.fill() {}
            return true
        }
    }

    /// Frees the read buffer.
    func forgetBuffer() { buffer.bytes = [] }

    func responseHeadNow() throws -> WireResponse { try WireResponse(head: readNow("\r\n\r\n")) }

    func readNow(_ mark: String) throws -> String {
        String(decoding: try readNow(through: Array(mark.utf8)), as: UTF8.self)
    }

    func responseNow(toHead isHead: Bool = false) throws -> WireResponse {
        var response = try responseHeadNow()
        if isHead || response.status == 204 || response.status == 304 || response.status < 200 { return response }
        if let length = response["Content-Length"].flatMap(Int.init) {
            response.body = try readNow(count: length)
        } else if response["Transfer-Encoding"] == "chunked" {
            while true {
                let line = String(decoding: try readNow(through: [13, 10]).dropLast(2), as: UTF8.self)
                guard let size = Int(line, radix: 16) else { throw Failure(description: "chunk size '\(line)'") }
                response.body += try readNow(count: size)
                guard try readNow(count: 2) == [13, 10] else { throw Failure(description: "chunk end") }
                if size == 0 { break }
            }
        } else {
            while try fill() {}
            response.body = buffer.bytes
            buffer.bytes = []
        }
        return response
    }

    private func readNow(through mark: [UInt8]) throws -> [UInt8] {
        var searched = 0
        while true {
            let bytes = buffer.bytes
            var index = searched
            while index + mark.count <= bytes.count {
                if bytes[index..<index + mark.count].elementsEqual(mark) {
                    buffer.bytes.removeFirst(index + mark.count)
                    return Array(bytes[..<(index + mark.count)])
                }
                index += 1
            }
            searched = index
            guard try fill() else {
                throw Failure(description: "closed after '\(String(decoding: buffer.bytes, as: UTF8.self))'")
            }
        }
    }

    private func readNow(count: Int) throws -> [UInt8] {
        while buffer.bytes.count < count {
            guard try fill() else { throw Failure(description: "closed after \(buffer.bytes.count) of \(count) bytes") }
        }
        defer { buffer.bytes.removeFirst(count) }
        return Array(buffer.bytes[..<count])
    }

    /// `false` when the connection is closed.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0, errno == ECONNRESET { return false }
        guard count >= 0 else { throw Failure(description: "read: \(String(cString: strerror(errno)))") }
        buffer.bytes += piece[..<count]
        return count > 0
    }
}

struct WireResponse {
    var status: Int
    var fields: [(name: String, value: String)]
    var body: [UInt8] = []

    init(head: String) throws {
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().components(separatedBy: " ")
        guard words.count >= 2, let status = Int(words[1]) else {
            throw WireClient.Failure(description: "status line '\(words)'")
        }
        self.status = status
        fields = lines.compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), String(line[line.index(colon, offsetBy: 2)...]))
        }
    }

    subscript(name: String) -> String? { fields.first { $0.name.lowercased() == name.lowercased() }?.value }

    var text: String { String(decoding: body, as: UTF8.self) }
}

extension String {
    fileprivate func components(separatedBy mark: String) -> [String] {
        split(separator: mark, omittingEmptySubsequences: true).map(String.init)
    }
}

/// Runs blocking work on its own thread.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let box = Unmanaged.passRetained(ThreadBody { continuation.resume(with: Result(catching: work)) })
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            box.release()
            return continuation.resume(throwing: WireClient.Failure(description: "no thread"))
        }
        pthread_detach(thread)
    }
}

private final class ThreadBody: Sendable {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

/// Runs a server on a free port during the body.
func withServer<Value>(
    _ configuration: HTTPServerConfiguration = HTTPServerConfiguration(), handler: @escaping RequestHandler,
    _ body: (HTTPServer, Int) async throws -> Value
) async throws -> Value {
    let server = HTTPServer(configuration: configuration, handler: handler)
    let port = try server.start().port
    do {
        let value = try await body(server, port)
        await server.shutdown(grace: .zero)
        return value
    } catch {
        await server.shutdown(grace: .zero)
        throw error
    }
}

extension WireClient {
    /// Everything that arrives until the server closes the connection.
    func readToEnd() async throws -> String {
        try await onThread {
            while try self.fill() {}
            defer { self.forgetBuffer() }
            return String(decoding: self.buffer.bytes, as: UTF8.self)
        }
    }
}

/// Sends one request on its own connection.
func ask(_ port: Int, _ text: String, toHead isHead: Bool = false) async throws -> WireResponse {
    let client = try WireClient(port)
    try await client.send(text)
    return try await client.response(toHead: isHead)
}

/// A `GET` of a path.
func get(_ path: String, headers: String = "") -> String { "GET \(path) HTTP/1.1\r\nHost: test\r\n\(headers)\r\n" }

extension ServerResponse {
    init(_ text: String) { self.init(bytes: Array(text.utf8)) }
}
