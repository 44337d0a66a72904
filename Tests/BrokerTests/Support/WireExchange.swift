import Glibc

/// One connection that sends raw bytes and reads everything that comes back, for requests that no client would make.
enum WireExchange {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The whole response, until the server closes the connection. Fails after some seconds without data.
    static func send(_ bytes: [UInt8], to port: Int) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            let body = Body { continuation.resume(with: Result { try exchange(bytes, port) }) }
            let box = Unmanaged.passRetained(body)
            var thread = pthread_t()
            let status = pthread_create(
                &thread, nil,
                { context in
                    if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                }, box.toOpaque())
            guard status == 0 else {
                box.release()
                return continuation.resume(throwing: Failure(description: "no thread"))
            }
            pthread_detach(thread)
        }
    }

    static func send(_ text: String, to port: Int) async throws -> String {
        try await send(Array(text.utf8), to: port)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func exchange(_ bytes: [UInt8], _ port: Int) throws -> String {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(description: "connect: \(errno)") }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(
                    descriptor, UnsafeRawBufferPointer(rebasing: $0[sent...]).baseAddress, bytes.count - sent,
                    Int32(MSG_NOSIGNAL))
            }
            // The server may close before the request ends; its response can still be read.
            guard count > 0 else { break }
            sent += count
        }
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = recv(descriptor, &piece, piece.count, 0)
            if count == 0 || count < 0 && errno == ECONNRESET { break }
            guard count > 0 else { throw Failure(description: "read: \(errno)") }
            answer += piece[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
