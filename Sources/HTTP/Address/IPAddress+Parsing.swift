extension IPAddress {
    /// Reads the usual notations: four decimal numbers, or IPv6 without brackets and zone. Nothing else.
    package init?(_ text: String) {
        let address = text.utf8.contains(UInt8(ascii: ":")) ? Self.parseV6(text) : Self.parseDottedDecimal(text)
        guard let address else { return nil }
        self = address
    }

    /// Reads IPv4 also in the notations that `inet_aton` and browsers take: one to four numbers, each decimal, octal
    /// (`0…`) or hexadecimal (`0x…`), the last one filling what remains, with or without a final dot.
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
