/// How far ahead a forecast looks.
public struct Horizon: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A day.
    public static let day: Horizon = "1D"
    /// A week.
    public static let week: Horizon = "1W"
    /// A month.
    public static let month: Horizon = "1M"
}

/// The time that a bar of prices is about.
public struct Timeframe: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// A trading day.
    public static let daily: Timeframe = "d1"
    /// An hour.
    public static let hourly: Timeframe = "h1"
}

/// A published probability and what is to be said about it.
public struct Forecast: Codable, Hashable, Sendable {
    /// Something to know about a forecast.
    public struct Issue: Codable, Hashable, Sendable {
        /// `info`, `warning` or `error`.
        public let level: String
        /// Such as `no_edge`, `few_samples`, `stale_data`.
        public let type: String
        /// For people.
        public let message: String
        /// What can be done: `review`, `retrain`, …
        public let action: String
    }
    /// What a rule without a model would have got.
    public struct Baseline: Codable, Hashable, Sendable {
        /// The share of its right answers, 0 to 1.
        public let accuracy: Double
        /// Its loss, in nats; 0.693 is a coin's.
        public let loss: Double
        /// What it always says.
        public let rule: String
    }
    /// What a forecast rests on.
    public struct Provenance: Codable, Hashable, Sendable {
        /// Where the prices come from.
        public let source: String
        /// `YYYY-MM-DD`.
        public let from: String
        /// The last day of the prices, `YYYY-MM-DD`.
        public let to: String
        /// The number of bars.
        public let bars: Int
        /// The number of bars that were mended.
        public let repaired: Int
        /// Hash of the prices.
        public let digest: String
        /// The version of the features.
        public let featureVersion: JSONValue
        /// The seed of the training.
        public let seed: JSONValue
        /// The library that trained, with its version.
        public let library: String

        private enum CodingKeys: String, CamelCaseKey {
            case source, from, to, bars, repaired, digest, featureVersion, seed, library
        }
    }
    /// 0 to 1.
    public let probabilityUp: Double
    /// `up` or `down`.
    public let direction: String
    /// `ensemble` where the evidence allows it, else `base_rate`.
    public let source: String
    /// The last day whose prices were known, `YYYY-MM-DD`.
    public let asOf: String
    /// The day that it is about, `YYYY-MM-DD`.
    public let targetDate: String

    private enum CodingKeys: String, CamelCaseKey { case probabilityUp, direction, source, asOf, targetDate }
}
