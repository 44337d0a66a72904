/// Which tags report a concept, in order of preference.
///
/// The tags of one tier mean the same total under different names, or a part of it in some filings: of several in one
/// filing the largest is the total. A later tier is taken only where no earlier one is reported.
struct TagList: Sendable {
    let tiers: [[String]]

    /// Each tag a tier of its own.
    init(_ tags: String...) { tiers = tags.map { [$0] } }

    init(tiers: [String]...) { self.tiers = tiers }

    var tags: [String] { tiers.flatMap { $0 } }
}
