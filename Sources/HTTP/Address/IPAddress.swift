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
