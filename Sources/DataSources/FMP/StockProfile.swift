package import JSON

/// Who a company is, as a source of market data has it. Every field that the source does not give is null.
package struct StockProfile: Sendable, Hashable {
    /// Texts: `name`, `exchange`, `sector`, `industry`, `country`, `currency` (ISO 4217), `website`, `ceo`,
    /// `description`, `ipo_date` (`YYYY-MM-DD`). Numbers: `employees`, `beta`. `is_etf`: true or false.
    package let json: JSON

    /// How much of a description is kept.
    private static let longestDescription = 4000

    init(fmp record: JSON) {
        func text(_ key: String) -> JSON {
            JSON(record[key]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(500)) })
        }
        json = [
            "name": text("companyName"), "exchange": text("exchange"), "sector": text("sector"),
            "industry": text("industry"), "country": text("country"), "currency": text("currency"),
            "website": text("website"), "ceo": text("ceo"),
            "description": JSON(
                record["description"]?.string.flatMap { $0.isEmpty ? nil : String($0.prefix(Self.longestDescription)) }),
            // A number that is written as text.
            "employees": JSON(
                record["fullTimeEmployees"].flatMap { $0.integer ?? $0.string.flatMap { Int64($0) } }.flatMap {
                    $0 > 0 ? $0 : nil
                }),
            "beta": record["beta"]?.number.map { .number($0) } ?? .null,
            "ipo_date": JSON(record["ipoDate"]?.string.flatMap { CalendarDate($0) }.map { "\($0)" }),
            "is_etf": record["isEtf"]?.bool.map { JSON($0) } ?? .null,
        ]
    }
}
