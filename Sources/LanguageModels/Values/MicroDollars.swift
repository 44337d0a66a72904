/// An exact amount of money in millionths of a US dollar.
public struct MicroDollars: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public static let zero = MicroDollars(rawValue: 0)

    /// An amount from millionths of a micro-dollar, rounded half up: the only place where money is rounded, so it is
    /// called once for each total and never for its parts.
    init(roundingPicodollars amount: Int128) {
        self.init(rawValue: Int64(clamping: (amount + 500_000) / 1_000_000))
    }

    public static func + (left: MicroDollars, right: MicroDollars) -> MicroDollars {
        let (sum, overflow) = left.rawValue.addingReportingOverflow(right.rawValue)
        return MicroDollars(rawValue: overflow ? .max : sum)
    }

    public static func < (left: MicroDollars, right: MicroDollars) -> Bool { left.rawValue < right.rawValue }
}

extension MicroDollars: CustomStringConvertible {
    /// `$0.003150`
    public var description: String {
        let amount = rawValue.magnitude
        let fraction = String(amount % 1_000_000)
        let padding = String(repeating: "0", count: 6 - fraction.count)
        return "\(rawValue < 0 ? "-" : "")$\(amount / 1_000_000).\(padding)\(fraction)"
    }
}
