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
        address.isPublic || blocks.contains { $0.contains(address) } || hosts.contains(Self.canonical(host))
    }

    private static func canonical(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
