/// Which addresses a request to `HTTPDestination.publicInternet` may connect to.
struct AddressPolicy: Sendable {
    private let hosts: Set<String>
    private let blocks: [CIDRBlock]

    /// - Parameter allowing: host names, addresses or CIDR blocks that may be private. What is none of these names
    ///   no host and so allows nothing.
    init(allowing: [String]) {
        blocks = allowing.compactMap { CIDRBlock($0) }
        hosts = Set(allowing.filter { CIDRBlock($0) == nil }.map(Self.canonical))
    }

    func permits(_ address: IPAddress, of host: String) -> Bool {
        address.isPublic || isListed(address, of: host)
    }

    /// Ports of other protocols are closed: a mail server or a database that is sent a request may take parts of it for
    /// commands. Listed hosts may use any.
    func permits(port: Int, at address: IPAddress, of host: String) -> Bool {
        Self.webPorts.contains(port) || isListed(address, of: host)
    }

    private static let webPorts: Set<Int> = [
        80, 81, 443, 591, 3000, 4443, 5000, 8000, 8008, 8080, 8081, 8088, 8090, 8180, 8443, 8800, 8880, 8888, 9443,
    ]

    private func isListed(_ address: IPAddress, of host: String) -> Bool {
        blocks.contains { $0.contains(address) } || hosts.contains(Self.canonical(host))
    }

    private static func canonical(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
