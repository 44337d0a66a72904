/// Prices of a stock over time, adjusted for splits and not for dividends.
public struct Prices: Codable, Hashable, Sendable {
    /// The time that a bar is about.
    public struct Interval: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A trading day.
        public static let day: Interval = "1d"
        /// An hour.
        public static let hour: Interval = "1h"
    }

    /// The prices of a day or an hour.
    public struct Bar: Codable, Hashable, Sendable {
        /// `YYYY-MM-DD`, with the time in UTC for an hour.
        public let date: String
        /// The first price.
        public let open: Double
        /// The highest price.
        public let high: Double
        /// The lowest price.
        public let low: Double
        /// The last price.
        public let close: Double
        /// The number of shares that were traded, where it is known.
        public let volume: Double?
    }

    /// The stock.
    public let ticker: String
    /// The time that each bar is about.
    public let interval: Interval
    /// Where the prices come from.
    public let source: String
    /// True for invented prices, which a server in development has.
    public let simulated: Bool
    /// `splits`.
    public let adjustment: String
    /// The first day that was asked for, `YYYY-MM-DD`.
    public let from: String
    /// The last day that was asked for, `YYYY-MM-DD`.
    public let to: String
    /// The oldest first.
    public let bars: [Bar]
}
