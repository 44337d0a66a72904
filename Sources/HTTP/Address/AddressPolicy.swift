/// The addresses to which a request to `HTTPDestination.publicInternet` may connect.
struct AddressPolicy: Sendable {
    private let hosts: Set<String>
    private let blocks: [CIDRBlock]
    private let ports: Set<Int>

    /// - Parameters:
    ///   - allowing: Host names, addresses or CIDR blocks that may be private; any other text matches no host.
    ///   - ports: The ports that unlisted hosts may be reached at.
    init(allowing: [String], ports: Set<Int> = HTTPClientConfiguration().publicPorts) {
        self.ports = ports
        blocks = allowing.compactMap { CIDRBlock($0) }
        hosts = Set(allowing.filter { CIDRBlock($0) == nil }.map(Self.canonical))
    }

    func permits(_ address: IPAddress, of host: String) -> Bool {
        address.isPublic || isListed(address, of: host)
    }

    /// Ports of other protocols are forbidden: a mail server or a database could take parts of a request for commands.
    /// Listed hosts may use any port.
    func permits(port: Int, at address: IPAddress, of host: String) -> Bool {
        ports.contains(port) || isListed(address, of: host)
    }

    /// Whether the operator has opened a host, or its address when it is written as one.
    func lists(_ address: IPAddress?, host: String) -> Bool {
        address.map { address in blocks.contains { $0.contains(address) } } ?? false
            || hosts.contains(Self.canonical(host))
    }

    private func isListed(_ address: IPAddress, of host: String) -> Bool { lists(address, host: host) }

    private static func canonical(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}

/// A block of addresses: `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct CIDRBlock: Hashable, Sendable {
    package let base: IPAddress
    /// The number of leading bits that an address shares with the base.
    package let prefix: Int

    /// Reads `address/prefix` or an address alone; `nil` for any other text. Bits after the prefix are ignored.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let base = IPAddress(String(parts[0])) else { return nil }
        let width = if case .v4 = base { 32 } else { 128 }
        guard parts.count == 2 else {
            (self.base, prefix) = (base, width)
            return
        }
        guard parts[1].allSatisfy({ ("0"..."9").contains($0) }), let prefix = Int(parts[1]), prefix <= width else {
            return nil
        }
        (self.base, self.prefix) = (base, prefix)
    }

    /// Families never match each other: an IPv4 block does not contain an IPv4-mapped IPv6 address.
    package func contains(_ address: IPAddress) -> Bool {
        switch (base, address) {
        case (.v4(let base), .v4(let value)):
            (base ^ value) & ~(UInt32.max >> prefix) == 0
        case (.v6(let baseHigh, let baseLow), .v6(let high, let low)):
            (baseHigh ^ high) & ~(UInt64.max >> min(prefix, 64)) == 0
                && (baseLow ^ low) & ~(UInt64.max >> max(prefix - 64, 0)) == 0
        default: false
        }
    }
}
