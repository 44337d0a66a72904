// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Horizon: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let day: Horizon = "1D"
    public static let week: Horizon = "1W"
    public static let month: Horizon = "1M"
}

public struct Timeframe: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let daily: Timeframe = "d1"
    public static let hourly: Timeframe = "h1"
}

/// A published probability and what is to be said about it.
public struct Forecast: Codable, Hashable, Sendable {
    public struct Issue: Codable, Hashable, Sendable {
        /// `info`, `warning` or `error`.
        public let level: String
        /// Such as `no_edge`, `few_samples`, `stale_data`.
        public let type: String
        public let message: String
        public let action: String
    }
    public struct Baseline: Codable, Hashable, Sendable {
        public let accuracy: Double
        public let loss: Double
        public let rule: String
    }
    public struct Provenance: Codable, Hashable, Sendable {
        public let source: String
        /// `YYYY-MM-DD`.
        public let from: String
        public let to: String
        public let bars: Int
        public let repaired: Int
        public let digest: String
        public let featureVersion: JSONValue
        public let seed: JSONValue
        public let library: String

        private enum CodingKeys: String, CamelCaseKey {
            case source, from, to, bars, repaired, digest, featureVersion, seed, library
        }
    }
    public let probabilityUp: Double
    /// `up` or `down`.
    public let direction: String
    /// `ensemble` where the evidence allows it, else `base_rate`.
    public let source: String
    public let asOf: String
    public let targetDate: String

    private enum CodingKeys: String, CamelCaseKey { case probabilityUp, direction, source, asOf, targetDate }
}
