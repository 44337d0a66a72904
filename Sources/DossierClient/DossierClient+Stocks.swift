package import DossierAPI
internal import Foundation
internal import HTTP

extension DossierClient {
    /// Which periods of a company's figures are asked for.
    package enum Periods: String, Sendable, Hashable, CaseIterable {
        case annual, quarter, ttm, all
    }

    /// Reads profile, price and head figures of a stock.
    ///
    /// - Parameter ticker: In any case; `BRK.B` and `BRK-B` are the same.
    /// - Returns: The stock. What cannot be had is `nil`, and `parts` says why.
    /// - Throws: `ClientError`; `refused` with `stockNotFound` when no source knows the stock.
    package func stock(_ ticker: String) async throws(ClientError) -> StockResource {
        try await read(.get, "/api/v1/stocks/\(Self.escaped(ticker))")
    }

    /// Reads what a company has reported.
    ///
    /// - Parameters:
    ///   - ticker: As for ``stock(_:)``.
    ///   - periods: Which periods.
    ///   - limit: How many periods at most, 1 to 100; `nil` for as many as the service shows by itself.
    /// - Returns: The periods, the newest first, each figure with its source.
    /// - Throws: `ClientError`.
    package func fundamentals(
        of ticker: String, periods: Periods = .annual, limit: Int? = nil
    ) async throws(ClientError) -> [FundamentalResource] {
        let query = "period=\(periods.rawValue)" + (limit.map { "&limit=\($0)" } ?? "")
        return try await read(.get, "/api/v1/stocks/\(Self.escaped(ticker))/fundamentals?\(query)")
    }

    /// Finds companies by ticker or name.
    ///
    /// - Parameters:
    ///   - text: A ticker or a part of a name, up to 100 bytes.
    ///   - limit: How many at most, 1 to 50.
    /// - Returns: The companies, the best matches first.
    /// - Throws: `ClientError`.
    package func searchStocks(_ text: String, limit: Int = 20) async throws(ClientError) -> [StockSearchResult] {
        try await read(.get, "/api/v1/stocks/search?q=\(Self.escaped(text))&limit=\(limit)")
    }

    // MARK: Watchlist

    /// The stocks that the user watches, the latest first.
    package func watchlist() async throws(ClientError) -> [WatchlistItemResource] {
        try await read(.get, "/api/v1/watchlist")
    }

    /// Puts a stock on the user's watchlist; one that is there stays as it is.
    package func watch(_ ticker: String) async throws(ClientError) -> WatchlistItemResource {
        try await read(.put, "/api/v1/watchlist/\(Self.escaped(ticker))")
    }

    /// Takes a stock off the user's watchlist.
    ///
    /// - Returns: Whether it was there.
    @discardableResult
    package func unwatch(_ ticker: String) async throws(ClientError) -> Bool {
        let removal: WatchlistRemoval = try await read(.delete, "/api/v1/watchlist/\(Self.escaped(ticker))")
        return removal.removed
    }

    /// A text as one part of an address, whatever it holds.
    private static func escaped(_ text: String) -> String {
        let safe = CharacterSet(charactersIn: "-._~").union(.alphanumerics)
        return text.addingPercentEncoding(withAllowedCharacters: safe) ?? ""
    }
}
