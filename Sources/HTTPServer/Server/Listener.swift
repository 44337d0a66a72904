import CMicrohttpd
import Glibc

/// A listening socket; closed on `deinit` unless it was handed over.
struct Listener: ~Copyable {
    private var descriptor: Int32
    let address: BoundAddress

    /// - Parameters:
    ///   - text: `host:port`, the host in brackets when it is an IPv6 address.
    ///   - backlog: The number of connections that may wait to be accepted.
    /// - Throws: `invalidAddress`, `cannotListen`.
    init(_ text: String, backlog: Int32 = 4096) throws(HTTPServerError) {
        guard let (host, port) = Self.split(text) else { throw .invalidAddress(text) }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
            throw .invalidAddress(text)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(
            first.pointee.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .cannotListen(address: text, reason: Self.lastError()) }
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
        if first.pointee.ai_family == AF_INET6 {
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
        }
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0, listen(descriptor, backlog) == 0,
            let bound = Self.boundAddress(of: descriptor)
        else {
            let reason = Self.lastError()
            close(descriptor)
            throw .cannotListen(address: text, reason: reason)
        }
        self.descriptor = descriptor
        address = bound
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Gives the descriptor to a caller that will close it.
    consuming func handOver() -> Int32 {
        defer { descriptor = -1 }
        return descriptor
    }

    static func split(_ text: String) -> (host: String, port: UInt16)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inner = host.dropFirst().dropLast()
            return inner.contains(":") ? (String(inner), port) : nil
        }
        return host.isEmpty || host.contains(":") ? nil : (String(host), port)
    }

    private static func boundAddress(of descriptor: Int32) -> BoundAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                return numericAddress(address)
            }
        }
    }

    private static func lastError() -> String { String(cString: strerror(errno)) }
}

/// The host without brackets and the port; an IPv4 address mapped into IPv6 is shown as IPv4.
func numericAddress(_ address: UnsafePointer<sockaddr>) -> BoundAddress? {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let port: in_port_t
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
        port = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { internet in
            var bytes = internet.pointee.sin_addr
            inet_ntop(AF_INET, &bytes, &text, socklen_t(text.count))
            return internet.pointee.sin_port
        }
    case AF_INET6:
        port = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { internet in
            var bytes = internet.pointee.sin6_addr
            inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
            return internet.pointee.sin6_port
        }
    default: return nil
    }
    let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let isMapped = host.hasPrefix("::ffff:") && host.contains(".")
    return BoundAddress(host: isMapped ? String(host.dropFirst(7)) : host, port: Int(UInt16(bigEndian: port)))
}
