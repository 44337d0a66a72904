/// A number that a text may state: a reported figure, a metric computed from such figures, a score.
package struct Fact: Sendable, Hashable {
    /// What a fact counts; decides in which forms it may be written.
    package enum Unit: Sendable, Hashable {
        /// A share of one, 0.4616. Written as `46.2%`, `46.2 percentage points`, `4,616 basis points`, `0.46` or `0.46x`.
        case ratio
        /// In percent already, 46.16. Written as `46.2%`.
        case percent
        /// An amount of money in whole units of a currency (ISO 4217), per share or in all. `$416.2 billion`, `$6.08`.
        case currency(String)
        case shares
        /// A multiple, 3.5. Written as `3.5x`, `3.5 times`.
        case times
        case years
        /// Anything else that is counted or scored.
        case number

        package static let usd = Unit.currency("USD")
    }

    package var value: Double
    package var unit: Unit
    /// What it is, for messages (`Revenue FY2025`).
    package var label: String

    package init(_ value: Double, _ unit: Unit, label: String) {
        self.value = value
        self.unit = unit
        self.label = label
    }
}
