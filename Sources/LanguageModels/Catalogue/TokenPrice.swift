internal import JSON

/// What one token costs, exactly: whole millionths of a micro-dollar. A dollar per million tokens is a micro-dollar
/// per token.
package struct TokenPrice: Hashable, Sendable {
    let picodollars: Int64

    /// A price per token from one in US dollars per million tokens, as price lists print it; `nil` below zero, above
    /// 100,000 or with more than six decimals.
    package init?(dollarsPerMillion literal: String) {
        let parts = literal.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1] : ""
        guard (1...6).contains(parts[0].utf8.count), fraction.utf8.count <= 6,
            (parts[0].utf8 + Array(fraction.utf8)).allSatisfy({ (0x30...0x39).contains($0) }),
            let amount = Int64(parts[0] + fraction + String(repeating: "0", count: 6 - fraction.utf8.count))
        else { return nil }
        picodollars = amount
    }

    init?(_ value: JSON?) {
        guard let number = value?.number else { return nil }
        self.init(dollarsPerMillion: number.canonical)
    }
}
