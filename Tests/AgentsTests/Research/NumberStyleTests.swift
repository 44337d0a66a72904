import DataSources
import Prompts
import Testing

@testable import Agents

@Suite struct NumberStyleTests {
    @Test(arguments: [
        (0.469, Fact.Unit.ratio, "46.9%"), (-0.0277, .ratio, "-2.8%"), (0, .ratio, "0.0%"), (12.5, .ratio, "1,250.0%"),
        (-0.0001, .ratio, "0.0%"), (46.16, .percent, "46.2%"), (1.338, .times, "1.34 times"),
        (0.004, .times, "0.00 times"),
        (0.889, .years, "0.9 years"), (15_004_697_000, .shares, "15,005 million shares"),
        (950, .shares, "950.00 shares"),
        (416_161_000_000, .usd, "416,161 million USD"), (-1_297_000_000, .usd, "-1,297 million USD"),
        (1_234_567, .usd, "1.23 million USD"), (9_996_000, .usd, "10.00 million USD"),
        (10_000_000, .usd, "10 million USD"),
        (999_999, .usd, "999,999.00 USD"), (12_345.678, .usd, "12,345.68 USD"), (7.46, .usd, "7.46 USD"),
        (-3.8, .usd, "-3.80 USD"), (0.2475, .usd, "0.25 USD"), (0.05, .currency("EUR"), "0.05 EUR"),
        (67, .number, "67"), (6.7, .number, "6.7"), (0, .number, "0"),
    ])
    func aNumberIsWrittenWithFewDigitsAndItsUnit(value: Double, unit: Fact.Unit, text: String) {
        let written = NumberStyle.write(value, unit)
        #expect(written.number + written.unit == text)
    }

    @Test func absurdAmountsDoNotTrap() {
        for value in [1e25, -1e30, 1e300, .infinity, .nan] {
            for unit in [Fact.Unit.usd, .ratio, .shares, .number] {
                #expect(!NumberStyle.write(value, unit).number.isEmpty)
            }
        }
    }

    /// A model that copies a line of the sheet must pass the check of its figures.
    @Test func whatIsWrittenIsAcceptedAsItsOwnFact() {
        var random = Seeded(state: 7)
        let units: [Fact.Unit] = [.ratio, .times, .years, .shares, .usd, .number, .currency("EUR")]
        for unit in units {
            for _ in 0..<300 {
                let magnitude = power(10, Double.random(in: -3...12, using: &random))
                var value = magnitude * (Bool.random(using: &random) ? 1 : -1)
                if [.shares, .years, .number].contains(unit) { value = abs(value) }
                if [.ratio, .times, .years, .number].contains(unit), abs(value) > 1e5 { continue }
                if unit == .number { value = rounded(value, 1) }
                let written = NumberStyle.write(value, unit)
                let check = FigureCheck(facts: [Fact(value, unit, label: "it")])
                let sentence = "The figure was \(written.number)\(written.unit) in that year."
                #expect(check.unsupported(in: sentence) == [], "\(value) \(unit)")
            }
        }
    }

    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
