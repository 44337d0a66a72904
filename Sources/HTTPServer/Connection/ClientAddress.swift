package import HTTP

/// Finds the address of a client, which is the peer's unless the peer is a proxy that is trusted to name it.
struct ClientAddress {
    /// The peer of the connection; `nil` when it is no IP address.
    let peer: IPAddress?
    let isTrustedProxy: Bool

    init(peer text: String, trusting proxies: [CIDRBlock]) {
        let peer = IPAddress(text)?.unmapped
        self.peer = peer
        isTrustedProxy = peer.map { peer in proxies.contains { $0.contains(peer) } } ?? false
    }

    /// The client that a request names. Only the last entry was written by the proxy; clients write the others.
    func client(of headers: HTTPHeaders) -> IPAddress? {
        guard isTrustedProxy, let entry = headers.values(of: "X-Forwarded-For").last?.split(separator: ",").last else {
            return peer
        }
        return Self.address(String(entry))?.unmapped ?? peer
    }

    /// The address whose connections and bodies count against a limit; `nil` for a trusted proxy, which has none.
    func counted(_ client: IPAddress?) -> IPAddress? {
        isTrustedProxy && client == peer ? nil : client?.network
    }

    /// An address with or without a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
    private static func address(_ entry: String) -> IPAddress? {
        let text = entry.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let colon = UInt8(ascii: ":")
        if text.first == UInt8(ascii: "[") {
            return IPAddress(String(decoding: text.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self))
        }
        let hasPort = text.count { $0 == colon } == 1
        return IPAddress(String(decoding: hasPort ? Array(text.prefix { $0 != colon }) : text, as: UTF8.self))
    }
}

extension IPAddress {
    /// The IPv4 address of an address that is mapped into IPv6 (`::ffff:192.0.2.1`), else the address itself.
    var unmapped: IPAddress {
        if case .v6(high: 0, let low) = self, low >> 32 == 0xFFFF { .v4(UInt32(truncatingIfNeeded: low)) } else { self }
    }

    /// The address by which clients are counted: the 64 leading bits of IPv6, since one client has all addresses below.
    package var network: IPAddress {
        switch unmapped {
        case .v4(let address): .v4(address)
        case .v6(let high, _): .v6(high: high, low: 0)
        }
    }
}
