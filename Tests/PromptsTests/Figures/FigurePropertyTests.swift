import TestSupport
import Testing

@testable import Prompts

/// A way to write a number: the number of digits after the point, the scale, and the words around it.
private struct Style {
    var unit: Fact.Unit
    var decimals: ClosedRange<Int>
    /// The written unit as a part of the fact's.
    var scale: Double
    var write: @Sendable (String) -> String
}

private let styles: [Style] = [
    Style(unit: .usd, decimals: 0...3, scale: 1e9) { "Sales came to $\($0) billion in 2025." },
    Style(unit: .usd, decimals: 1...3, scale: 1e9) { "Sales of \($0)bn dollars are reported." },
    Style(unit: .usd, decimals: 0...2, scale: 1e9) { "It sold $\($0)B of goods." },
    Style(unit: .usd, decimals: 0...0, scale: 1e6) { "Sales were US$\(grouped($0)) million." },
    Style(unit: .usd, decimals: 0...2, scale: 1e6) { "Sales were USD \($0)m." },
    Style(unit: .usd, decimals: 0...1, scale: 1e6) { "It sold \($0) million U.S. dollars' worth." },
    Style(unit: .usd, decimals: 0...0, scale: 1) { "The books say $\(grouped($0))." },
    Style(unit: .ratio, decimals: 0...2, scale: 0.01) { "A margin of \($0)% was kept." },
    Style(unit: .ratio, decimals: 0...2, scale: 0.01) { "Its \($0)-percent margin held." },
    Style(unit: .ratio, decimals: 0...2, scale: 0.01) { "It is \($0) percentage points." },
    Style(unit: .ratio, decimals: 0...0, scale: 0.0001) { "It is \($0) basis points." },
    Style(unit: .ratio, decimals: 2...4, scale: 1) { "The ratio is \($0)." },
    Style(unit: .percent, decimals: 0...2, scale: 1) { "A yield of \($0) per cent." },
    Style(unit: .times, decimals: 0...2, scale: 1) { "It trades at \($0)x earnings." },
    Style(unit: .times, decimals: 0...2, scale: 1) { "Interest is earned \($0) times over." },
    Style(unit: .shares, decimals: 0...3, scale: 1e9) { "There are \($0) billion diluted shares." },
    Style(unit: .number, decimals: 0...1, scale: 1) { "The score is \($0) of 100." },
    Style(unit: .number, decimals: 0...1, scale: 1) { "It scores \($0)/100." },
]

private func grouped(_ digits: String) -> String {
    var result = ""
    for (place, digit) in digits.reversed().enumerated() {
        if place > 0, place % 3 == 0 { result = "," + result }
        result = String(digit) + result
    }
    return result
}

private func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { value, _ in value * 10 } }

/// The number of units of the last digit, as decimal text.
private func decimalText(_ units: Int64, decimals: Int) -> String {
    let digits = String(units)
    guard decimals > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
}

@Suite struct FigurePropertyTests {
    @Test(arguments: styles.indices, 0..<40)
    func aFactIsFoundInEveryStyleAndNotWhenItIsOffByMoreThanRounding(_ index: Int, _ seed: Int) {
        let style = styles[index]
        var generator = SeededRandom(seed: UInt64(index * 1000 + seed))
        let decimals = Int.random(in: style.decimals, using: &generator)
        // 1.5 to 999,999 units of the last digit, not near the middle between two roundings.
        let units = Int64.random(in: 15...999_999, using: &generator)
        let offset = Double.random(in: -0.45...0.45, using: &generator)
        let step = style.scale / power(decimals)
        let fact = Fact((Double(units) + offset) * step, style.unit, label: "the fact")
        let check = FigureCheck(facts: [fact])

        let right = style.write(decimalText(units, decimals: decimals))
        #expect(check.unsupported(in: right) == [], "\(fact.value)")
        for wrong in [units - 1, units + 1, units * 10, units + 7] {
            let text = style.write(decimalText(wrong, decimals: decimals))
            #expect(check.unsupported(in: text).count == 1, "\(fact.value) as \(text)")
        }
    }

    @Test(arguments: styles.indices)
    func aFactOfAnotherUnitIsNotTheFigure(_ index: Int) {
        let style = styles[index]
        let text = style.write("123")
        let others: [Fact.Unit] = [.usd, .currency("EUR"), .ratio, .percent, .shares, .times, .years]
        for unit in others where unit != style.unit {
            // A bare number states anything, and a ratio may be written as a multiple.
            let isBare = style.unit == .number || style.scale == 1 && style.unit == .ratio
            let isMultiple = style.unit == .times && unit == .ratio
            let isShare = style.unit == .percent && unit == .ratio || style.unit == .ratio && unit == .percent
            if isBare && unit != .years || isMultiple || isShare && style.scale < 0.01 { continue }
            let value = isShare ? (unit == .ratio ? 123 : 1.23) : 123 * style.scale
            #expect(
                FigureCheck(facts: [Fact(value, unit, label: "other")]).unsupported(in: text).count == 1,
                "\(text) \(unit)")
        }
    }
}
