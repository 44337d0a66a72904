// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// The answer to `POST /train-model`.
public struct TrainingResult: Codable, Hashable, Sendable {
    public struct Metrics: Codable, Hashable, Sendable {
        public let validationAccuracy: Double
        public let trainSamples: Int
        public let validationSamples: Int
        public let trainLoss: Double
        public let validationLoss: Double
        public let trainAccuracy: Double?
        public let testAccuracy: Double?
        public let testSamples: Int?

        private enum CodingKeys: String, CamelCaseKey {
            case validationAccuracy, trainSamples, validationSamples, trainLoss, validationLoss, trainAccuracy
            case testAccuracy, testSamples
        }
    }
    public struct ModelInfo: Codable, Hashable, Sendable {
        public let modelHash: String
        public let featureCount: Int
        public let trainedAt: Date

        private enum CodingKeys: String, CamelCaseKey { case modelHash, featureCount, trainedAt }
    }
    public let symbol: String
    public let timeframe: Timeframe
    public let horizon: Horizon?
    public let lookbackDays: Int
    /// `success`.
    public let status: String
    public let trainingMetrics: Metrics
    /// `random_forest` and `gradient_boosting`; the sum is 1.
    public let ensembleWeights: [String: Double]
    public let modelInfo: ModelInfo?
    /// By name of the feature; the sum is 1.
    public let featureImportance: [String: Double]?
    public let forecast: Forecast?
    /// What always saying the more frequent direction would have got. Show it beside every accuracy.
    public let baseline: Forecast.Baseline?
    /// Lowest and highest plausible accuracy (95 %).
    public let accuracyInterval: [Double]?
    public let pValue: Double?
    public let evidence: Double?
    public let issues: [Forecast.Issue]?
    public let provenance: Forecast.Provenance?
    public let jobID: Job.ID?
    public let timestamp: Date

    private enum CodingKeys: String, WireKey {
        case symbol, timeframe, horizon, lookbackDays, status, trainingMetrics, ensembleWeights, modelInfo
        case featureImportance, forecast, baseline, accuracyInterval, pValue, evidence, issues, provenance, jobID
        case timestamp

        var wireName: String { self == .jobID ? "job_id" : stringValue }
    }
}

/// The answer to `POST /forecast-quality`.
public struct ForecastQuality: Codable, Hashable, Sendable {
    public let symbol: String
    public let horizon: Horizon
    public let timeframe: Timeframe
    /// 0 to 1; above 0.5 only with evidence of an edge.
    public let qualityScore: Double
    public let confidence: Double
    public let modelAgreement: Double
    public let agreementByChance: Double?
    public let issues: [Forecast.Issue]
    public let forecast: Forecast?
    public let baseline: Forecast.Baseline?
    public let accuracyInterval: [Double]?
    public let pValue: Double?
    public let evidence: Double?
    public let provenance: Forecast.Provenance?
    public let jobID: Job.ID?
    public let timestamp: Date

    private enum CodingKeys: String, WireKey {
        case symbol, horizon, timeframe, qualityScore, confidence, modelAgreement, agreementByChance, issues, forecast
        case baseline, accuracyInterval, pValue, evidence, provenance, jobID, timestamp

        var wireName: String { self == .jobID ? "job_id" : stringValue }
    }
}
