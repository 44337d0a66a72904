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
        /// The share of right answers of a rule by weekday or hour alone.
        public let calendarAccuracy: Double?
        /// The first of the rows, `YYYY-MM-DD`.
        public let from: String?
        /// The last of the rows, `YYYY-MM-DD`.
        public let to: String?

        private enum CodingKeys: String, CamelCaseKey { case accuracy, loss, rule, calendarAccuracy, from, to }
    }
    /// The rows that a model was tested with.
    public struct TestedRows: Codable, Hashable, Sendable {
        /// Their number.
        public let rows: Int
        /// The first of them, `YYYY-MM-DD`.
        public let from: String
        /// The last of them, `YYYY-MM-DD`.
        public let to: String
        /// Their number without those that overlap.
        public let independentRows: Double
        /// The share of right answers, 0 to 1.
        public let accuracy: Double
        /// In nats; 0.693 is a coin's.
        public let loss: Double
        /// What a rule without a model would have got.
        public let baseline: Baseline
        /// Lowest and highest plausible accuracy (95 %).
        public let accuracyInterval: [Double]

        private enum CodingKeys: String, CamelCaseKey {
            case rows, from, to, independentRows, accuracy, loss, baseline, accuracyInterval
        }
    }
    /// How often those came true that were said with a probability.
    public struct Reliability: Codable, Hashable, Sendable {
        /// The least probability.
        public let from: Double
        /// The greatest probability.
        public let to: Double
        /// The number of forecasts.
        public let rows: Int
        /// The share that was said to go up.
        public let expectedUp: Double
        /// The number that went up.
        public let up: Int

        private enum CodingKeys: String, CamelCaseKey { case from, to, rows, expectedUp, up }
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
        /// True for invented prices, which a server in development has.
        public let simulated: Bool?
        /// The number of rows without trading that were left out.
        public let untraded: Int?
        /// The number of bars of sessions without a row.
        public let missing: Int?

        private enum CodingKeys: String, CamelCaseKey {
            case source, from, to, bars, repaired, digest, featureVersion, seed, library, simulated, untraded, missing
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
