package import Basics
package import Prices

/// Gives the prices of a symbol over many years; `FMPClient` in production, a folder of files for operators.
package protocol PriceSource: Sendable {
    /// Whether calls are few: then the source is not asked again for a symbol that it does not have before the next
    /// close.
    var isMetered: Bool { get }

    /// The rows of a range of days, in any order, as the source has them.
    ///
    /// - Throws: `notFound` when the source knows no such symbol.
    func prices(
        of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
    ) async throws(DataSourceError) -> SourcedPrices
}

/// Rows of a source.
package struct SourcedPrices: Sendable {
    package var rows: [RawPriceBar]
    package var source: DataSource
    /// Whether a simulator made them.
    package var isSimulated: Bool

    package init(rows: [RawPriceBar], source: DataSource, isSimulated: Bool = false) {
        (self.rows, self.source, self.isSimulated) = (rows, source, isSimulated)
    }
}

/// Asks a folder first, then another source for symbols that the folder does not have.
package struct PriceSources: PriceSource {
    private let sources: [any PriceSource]

    package var isMetered: Bool { sources.contains(where: \.isMetered) }

    /// - Returns: `nil` without a source.
    package init?(_ sources: [(any PriceSource)?]) {
        self.sources = sources.compactMap { $0 }
        if self.sources.isEmpty { return nil }
    }

    package func prices(
        of ticker: Ticker, _ timeframe: Timeframe, from first: CalendarDate, to last: CalendarDate
    ) async throws(DataSourceError) -> SourcedPrices {
        var reason = DataSourceError.notFound(ticker: ticker.text)
        for source in sources {
            do throws(DataSourceError) {
                return try await source.prices(of: ticker, timeframe, from: first, to: last)
            } catch {
                switch error {
                case .notFound: break
                case .missingPrices: reason = error
                default: throw error
                }
            }
        }
        throw reason
    }
}
