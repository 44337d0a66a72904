internal import Basics
package import DataSources
internal import FoundationEssentials
internal import Glibc

/// A property of a company that is calculated from its figures.
package struct Metric: Sendable {
    package enum Unit: String, Sendable {
        /// A share or a rate of growth: 0.25 is 25 %.
        case ratio
        /// A multiple: 2.5 is 2.5 times.
        case times
        case years
        /// Money in the currency of the filings.
        case money
    }

    /// The name that personas use (`roic_median`).
    package var name: String
    /// The name for readers: `Median return on invested capital`.
    package var title: String
    package var unit: Unit
    /// The reported figures it is made of.
    package var needs: [Concept]
    /// Whether it also needs a price, which filings do not have.
    package var needsPrice: Bool
    /// In words, with its assumptions.
    package var formula: String
    let calculate: @Sendable (CompanyHistory) throws(Abstention) -> Calculation

    init(
        _ name: String, _ title: String, _ unit: Unit, needs: [Concept], needsPrice: Bool = false, formula: String,
        calculate: @escaping @Sendable (CompanyHistory) throws(Abstention) -> Calculation
    ) {
        self.name = name
        self.title = title
        self.unit = unit
        self.needs = needs
        self.needsPrice = needsPrice
        self.formula = formula
        self.calculate = calculate
    }

    /// All metrics, by name.
    package static let all: [String: Metric] = Dictionary(
        (growth + profitability + cash + balanceSheet + ownership + valuation).map { ($0.name, $0) }
    ) { first, _ in first }
}

/// A calculated value and the figures it came from.
struct Calculation: Sendable {
    var value: Double
    var inputs: [Figure]
}

/// Why a metric has no value. A metric whose data is missing abstains with a reason.
struct Abstention: Error, Sendable {
    var reason: String
    /// Figures that rule a value out, such as a loss for the ratio of price and earnings. No data is missing, so
    /// leaving the question out would flatter the company.
    var shortfall: [Figure]?

    init(_ reason: String) { self.reason = reason }

    static func shortfall(_ reason: String, _ figures: [Figure]) -> Abstention {
        var abstention = Abstention(reason)
        abstention.shortfall = figures
        return abstention
    }
}

/// A metric of a company, or why there is none.
package struct MetricOutcome: Sendable {
    package var metric: Metric
    package var value: Double?
    /// Why there is no value, if figures are missing.
    package var abstention: String?
    /// Why there is no value, if the figures rule one out: the lowest score.
    package var shortfall: String?
    /// The ids of the figures that were used.
    package var inputs: [String]

    init(_ metric: Metric, of history: CompanyHistory) {
        self.metric = metric
        do throws(Abstention) {
            let calculation = try metric.calculate(history)
            guard calculation.value.isFinite else { throw Abstention("the figures give no finite value") }
            value = calculation.value
            inputs = calculation.inputs.map(\.id).uniqued()
        } catch {
            if error.shortfall != nil { shortfall = error.reason } else { abstention = error.reason }
            inputs = (error.shortfall ?? []).map(\.id).uniqued()
        }
    }
}

/// `base` to the power of `exponent`.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

extension Decimal {
    var asDouble: Double { Double(description) ?? .nan }
}
