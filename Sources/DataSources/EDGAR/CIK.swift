/// The SEC's number of a filer (Central Index Key).
public struct CIK: Hashable, Sendable, CustomStringConvertible {
    public let number: Int64

    /// - Returns: `nil` unless the number is positive and has at most ten digits.
    public init?(_ number: Int64) {
        guard (1..<10_000_000_000).contains(number) else { return nil }
        self.number = number
    }

    /// Ten digits with leading zeros, as the SEC's addresses have it.
    public var padded: String {
        let digits = String(number)
        return String(repeating: "0", count: 10 - digits.count) + digits
    }

    public var description: String { String(number) }
}
