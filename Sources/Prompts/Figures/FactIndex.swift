/// The facts that a figure may state, without comparing each of them in full.
///
/// A report has some forty figures and three hundred facts, which several rules compare. A fact stays only where its amount,
/// on any scale of its unit, is near enough to the written number; `FigureMatch` decides on what stays.
struct FactIndex: Sendable {
    /// A fact's amount without its sign and the form of its unit: nothing that has to be counted by reference.
    private struct Entry {
        var value: Double
        var isRatio: Bool
        /// Whether fractions and multiples in words may state it.
        var isShare: Bool
    }

    private let entries: [Entry]

    init(_ facts: [Fact]) {
        entries = facts.map { fact in
            let isShare = [.ratio, .percent, .times, .number].contains(fact.unit)
            return Entry(value: abs(fact.value), isRatio: fact.unit == .ratio, isShare: isShare)
        }
    }

    /// The places of the facts that a figure may state, in their order.
    func candidates(for figure: TextFigure) -> [Int] {
        let readings = figure.readings.map { reading in
            (
                value: reading.value, slack: reading.step / 2,
                isRough: reading.kind == .fraction || reading.kind == .multiple,
                isTable: reading.step == 1 && reading.value >= 10_000
            )
        }
        return entries.indices.filter { place in
            let entry = entries[place]
            return readings.contains { reading in
                func isNear(_ value: Double) -> Bool {
                    abs(value - reading.value) <= reading.slack + max(value, reading.value) * 1e-9
                }
                if reading.isRough { return entry.isShare }
                return isNear(entry.value) || entry.isRatio && isNear(entry.value * 100)
                    || reading.isTable
                        && (isNear(entry.value / 1e3) || isNear(entry.value / 1e6))
            }
        }
    }
}
