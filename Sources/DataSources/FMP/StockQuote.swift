package import JSON

/// A price with what belongs to it, as a source gives it. Every field that the source does not give is null.
package struct StockQuote: Sendable, Hashable {
    /// `price`, `change`, `change_percent` (in percent), `open`, `previous_close`, `day_low`, `day_high`, `year_low`,
    /// `year_high`, `market_cap`: numbers in the currency of the listing. `volume`: shares. `as_of`: seconds since 1970.
    package let json: JSON

    /// `nil` without a price: a source's zero stands for a number that it does not have.
    init?(fmp record: JSON) {
        func positive(_ key: String) -> JSON {
            record[key]?.number.flatMap { $0.double > 0 ? .number($0) : nil } ?? .null
        }
        func any(_ key: String) -> JSON { record[key]?.number.map { .number($0) } ?? .null }
        let price = positive("price")
        guard !price.isNull else { return nil }
        json = [
            "price": price, "change": any("change"), "change_percent": any("changePercentage"),
            "open": positive("open"), "previous_close": positive("previousClose"), "day_low": positive("dayLow"),
            "day_high": positive("dayHigh"), "year_low": positive("yearLow"), "year_high": positive("yearHigh"),
            "volume": positive("volume"), "market_cap": positive("marketCap"),
            "as_of": JSON(record["timestamp"]?.integer.flatMap { $0 > 0 ? $0 : nil }),
        ]
    }
}
