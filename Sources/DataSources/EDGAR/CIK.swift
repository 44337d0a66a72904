/// The SEC's number of a filer (Central Index Key).
package struct CIK: Hashable, Sendable, CustomStringConvertible {
    package let number: Int64

    /// - Returns: `nil` unless the number is positive and has at most ten digits.
    package init?(_ number: Int64) {
        guard (1..<10_000_000_000).contains(number) else { return nil }
        self.number = number
    }

    /// Ten digits with leading zeros, as the SEC's addresses have it.
    package var padded: String {
        let digits = String(number)
        return String(repeating: "0", count: 10 - digits.count) + digits
    }

    package var description: String { String(number) }
}
