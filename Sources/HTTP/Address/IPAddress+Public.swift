extension IPAddress {
    /// Whether the address is one of the public internet, after IANA's registries of special-purpose addresses.
    ///
    /// IPv6 addresses that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are never public: what
    /// they reach depends on the network they are used in.
    package var isPublic: Bool {
        switch self {
        case .v4: !Self.specialV4.contains { $0.contains(self) }
        case .v6: Self.globalUnicastV6.contains { $0.contains(self) } && !Self.specialV6.contains { $0.contains(self) }
        }
    }

    private static let specialV4 = blocks(
        "0.0.0.0/8",  // this network
        "10.0.0.0/8",  // private
        "100.64.0.0/10",  // carrier-grade NAT
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, with the clouds' metadata services
        "172.16.0.0/12",  // private
        "192.0.0.0/24",  // protocol assignments
        "192.0.2.0/24",  // documentation
        "192.88.99.0/24",  // 6to4 relays
        "192.168.0.0/16",  // private
        "198.18.0.0/15",  // benchmarks
        "198.51.100.0/24",  // documentation
        "203.0.113.0/24",  // documentation
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4"  // reserved, with the broadcast address
    )

    /// Everything outside is unspecified, loopback, mapped, compatible, NAT64, unique local, link-local, site-local,
    /// multicast or not assigned.
    private static let globalUnicastV6 = blocks("2000::/3")

    private static let specialV6 = blocks(
        "2001::/23",  // protocol assignments, with Teredo and ORCHID
        "2001:db8::/32",  // documentation
        "2002::/16",  // 6to4
        "3fff::/20"  // documentation
    )

    private static func blocks(_ texts: String...) -> [CIDRBlock] { texts.compactMap { CIDRBlock($0) } }
}
