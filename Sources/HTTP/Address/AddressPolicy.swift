/// Which addresses a request to `HTTPDestination.publicInternet` may connect to.
struct AddressPolicy: Sendable {
    private let hosts: Set<String>
    private let blocks: [CIDRBlock]
    private let ports: Set<Int>

    /// `allowing` lists host names, addresses or CIDR blocks that may be private; what is none of these names no host and
    /// so allows nothing. `ports` are those at which hosts that are not listed may be reached.
    init(allowing: [String], ports: Set<Int> = HTTPClientConfiguration().publicPorts) {
        self.ports = ports
        blocks = allowing.compactMap { CIDRBlock($0) }
        hosts = Set(allowing.filter { CIDRBlock($0) == nil }.map(Self.canonical))
    }

    func permits(_ address: IPAddress, of host: String) -> Bool {
        address.isPublic || isListed(address, of: host)
    }

    /// Ports of other protocols are closed: a mail server or a database that is sent a request may take parts of it for
    /// commands. Listed hosts may use any.
    func permits(port: Int, at address: IPAddress, of host: String) -> Bool {
        ports.contains(port) || isListed(address, of: host)
    }

    private func isListed(_ address: IPAddress, of host: String) -> Bool {
        blocks.contains { $0.contains(address) } || hosts.contains(Self.canonical(host))
    }

    private static func canonical(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
