/// A block of addresses: `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct CIDRBlock: Hashable, Sendable {
    package let base: IPAddress
    /// How many leading bits an address shares with the base.
    package let prefix: Int

    /// `address/prefix` or an address alone. `nil` for anything else; bits after the prefix are allowed and ignored.
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

    /// Families never match each other: an IPv4 block says nothing of an IPv4-mapped IPv6 address.
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
