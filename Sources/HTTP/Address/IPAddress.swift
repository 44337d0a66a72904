/// An IPv4 or IPv6 address without port or zone.
package enum IPAddress: Hashable, Sendable {
    /// In host byte order: 127.0.0.1 is 0x7F000001.
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)
}

extension IPAddress: CustomStringConvertible {
    /// Dotted decimal, or the canonical form of RFC 5952 (lower case, the longest run of zeros as `::`).
    package var description: String {
        switch self {
        case .v4(let value):
            return [24, 16, 8, 0].map { String((value >> $0) & 0xFF) }.joined(separator: ".")
        case .v6(let high, let low):
            let groups = [high, low].flatMap { half in [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) } }
            let texts = groups.map { String($0, radix: 16) }
            guard let zeros = Self.longestRunOfZeros(in: groups) else { return texts.joined(separator: ":") }
            return texts[..<zeros.lowerBound].joined(separator: ":") + "::"
                + texts[zeros.upperBound...].joined(separator: ":")
        }
    }

    /// Runs of one group are written out, as RFC 5952 asks.
    private static func longestRunOfZeros(in groups: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start >= 2, index - start > (best?.count ?? 0) { best = start..<index }
            start = index + 1
        }
        return best
    }
}

extension IPAddress {
    /// Reads the usual notations only: four decimal numbers, or IPv6 without brackets and zone.
    package init?(_ text: String) {
        let address = text.utf8.contains(UInt8(ascii: ":")) ? Self.parseV6(text) : Self.parseDottedDecimal(text)
        guard let address else { return nil }
        self = address
    }

    /// Reads IPv4 also in the notations that `inet_aton` and browsers accept: one to four numbers, each decimal, octal
    /// (`0…`) or hexadecimal (`0x…`), where the last number fills the remaining bytes, with or without a final dot.
    package init?(looseIPv4 text: String) {
        var parts = text.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
        guard (1...4).contains(parts.count) else { return nil }
        var value: UInt64 = 0
        for (index, part) in parts.enumerated() {
            guard let number = Self.looseNumber(part) else { return nil }
            if index < parts.count - 1 {
                guard number <= 0xFF else { return nil }
                value |= number << (24 - 8 * UInt64(index))
            } else {
                guard number < 1 << (32 - 8 * UInt64(index)) else { return nil }
                value |= number
            }
        }
        self = .v4(UInt32(value))
    }

    private static func looseNumber(_ text: Substring) -> UInt64? {
        let digits = text.lowercased()
        if digits.hasPrefix("0x") { return digits.count == 2 ? 0 : number(digits.dropFirst(2), radix: 16) }
        if digits.hasPrefix("0"), digits.count > 1 { return number(digits.dropFirst(), radix: 8) }
        return number(digits[...], radix: 10)
    }

    /// Digits only: `UInt64.init(_:radix:)` alone also takes a sign.
    private static func number(_ digits: Substring, radix: Int) -> UInt64? {
        digits.first == "+" || digits.first == "-" ? nil : UInt64(digits, radix: radix)
    }

    private static func parseDottedDecimal(_ text: String) -> IPAddress? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var value: UInt32 = 0
        for part in parts {
            guard part.count == 1 || (part.count <= 3 && part.first != "0"),
                let number = number(part, radix: 10), number <= 0xFF
            else { return nil }
            value = value << 8 | UInt32(number)
        }
        return .v4(value)
    }

    private static func parseV6(_ text: String) -> IPAddress? {
        let groups: [UInt16]
        if let gap = text.firstRange(of: "::") {
            guard let head = groupsOfV6(text[..<gap.lowerBound]), let tail = groupsOfV6(text[gap.upperBound...]),
                head.count + tail.count <= 7
            else { return nil }
            groups = head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
        } else {
            guard let all = groupsOfV6(text[...]), all.count == 8 else { return nil }
            groups = all
        }
        let halves = [groups[..<4], groups[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
        return .v6(high: halves[0], low: halves[1])
    }

    /// The 16-bit groups of one side of `::`; the last may be an IPv4 address.
    private static func groupsOfV6(_ text: Substring) -> [UInt16]? {
        if text.isEmpty { return [] }
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, case .v4(let value)? = parseDottedDecimal(String(part)) {
                groups += [UInt16(value >> 16), UInt16(value & 0xFFFF)]
            } else {
                guard (1...4).contains(part.count), let number = number(part, radix: 16) else { return nil }
                groups.append(UInt16(number))
            }
        }
        return groups
    }
}

extension IPAddress {
    /// Whether the address is public, by IANA's registries of special-purpose addresses.
    ///
    /// IPv6 addresses that contain an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are never public: their
    /// destination depends on the network.
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

    /// Every other address is unspecified, loopback, mapped, compatible, NAT64, unique local, link-local, site-local,
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
