/// An exact amount of money in millionths of a US dollar.
package struct MicroDollars: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package static let zero = MicroDollars(rawValue: 0)

    /// An amount from millionths of a micro-dollar, rounded half up: the only place where money is rounded, so it is
    /// called once for each total and never for its parts.
    init(roundingPicodollars amount: Int128) {
        self.init(rawValue: Int64(clamping: (amount + 500_000) / 1_000_000))
    }

    package static func + (left: MicroDollars, right: MicroDollars) -> MicroDollars {
        let (sum, overflow) = left.rawValue.addingReportingOverflow(right.rawValue)
        return MicroDollars(rawValue: overflow ? .max : sum)
    }

    package static func < (left: MicroDollars, right: MicroDollars) -> Bool { left.rawValue < right.rawValue }
}

extension MicroDollars: CustomStringConvertible {
    /// `$0.003150`
    package var description: String {
        let amount = rawValue.magnitude
        let fraction = String(amount % 1_000_000)
        let padding = String(repeating: "0", count: 6 - fraction.count)
        return "\(rawValue < 0 ? "-" : "")$\(amount / 1_000_000).\(padding)\(fraction)"
    }
}
