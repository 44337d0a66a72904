/// The figures that headlines of an economy's prices, jobs and growth state, and the directions that they name.
///
/// `US inflation slows to 2.4%` and `Inflation rises to 3.9%` have their words in common and are two events: of another
/// country or another month. What tells them apart is the figure, or where it went.
struct EconomicFigures: Sendable, Hashable {
    /// What a figure measures. Figures of different measures say nothing against each other: those of a month and of a
    /// year, the core's and the whole's, jobs and their rate.
    struct Measure: Sendable, Hashable {
        var noun: Noun
        var unit: Unit
        /// Prices without food and energy.
        var isCore = false
        /// Of a month or a quarter, where others are of a year.
        var isShort = false
        /// By how much a count went up or down, where others say what it came to.
        var isChange = false
    }

    enum Noun: Sendable, Hashable {
        case prices, producerPrices, unemployment, jobs, pay, claims, continuingClaims, growth, sales, output, orders
        case factoryIndex, servicesIndex, index, exports, imports, balance
    }

    enum Unit: Sendable, Hashable { case percent, count, money, index }

    /// A number in thousandths, with the size of its last digit that counts: `2.4` is 2,400 to the nearest 100.
    struct Amount: Sendable, Hashable {
        var thousandths: Int
        var precision: Int

        /// Whether both are one number, rounded to the coarser of the two: `163,000` and `163,400`.
        func isCloseTo(_ other: Amount) -> Bool {
            2 * abs(thousandths - other.thousandths) <= max(precision, other.precision)
        }
    }

    /// What moves: the rate of inflation slows while prices rise, and growth slows while the economy grows.
    struct Mover: Sendable, Hashable {
        var name: String
        var isCore = false
    }

    /// By measure the figure that a headline is about.
    private(set) var main: [Measure: Set<Amount>] = [:]
    /// By measure all figures, the earlier and the expected ones as well.
    private(set) var all: [Measure: Set<Amount>] = [:]
    private(set) var directions: [Mover: Set<MarketMove>] = [:]

    var isEmpty: Bool { all.isEmpty && directions.isEmpty }

    mutating func insert(_ amount: Amount, of measure: Measure, isMain: Bool) {
        if isMain { main[measure, default: []].insert(amount) }
        all[measure, default: []].insert(amount)
    }

    mutating func insert(_ direction: MarketMove, of mover: Mover) { directions[mover, default: []].insert(direction) }

    mutating func formUnion(_ other: EconomicFigures) {
        main.merge(other.main) { $0.union($1) }
        all.merge(other.all) { $0.union($1) }
        directions.merge(other.directions) { $0.union($1) }
    }

    /// Whether both are about one figure.
    func agrees(with other: EconomicFigures) -> Bool {
        main.contains { measure, amounts in amounts.isMet(in: other.main[measure]) }
    }

    /// Whether both cannot be of one event: what they state of one measure differs and neither has the other's figure,
    /// or what they name went up in one and down in the other.
    func contradicts(_ other: EconomicFigures) -> Bool {
        guard !isEmpty, !other.isEmpty else { return false }
        var differs = false
        for (measure, amounts) in main {
            guard let others = other.main[measure] else { continue }
            if amounts.isMet(in: other.all[measure]) || others.isMet(in: all[measure]) { return false }
            differs = true
        }
        return differs
            || directions.contains { mover, moves in other.directions[mover].map(moves.isDisjoint) ?? false }
    }
}

extension Set<EconomicFigures.Amount> {
    fileprivate func isMet(in others: Self?) -> Bool {
        guard let others else { return false }
        return contains { amount in others.contains(where: amount.isCloseTo) }
    }
}
