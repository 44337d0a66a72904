public import Foundation

/// The answer to `POST /train-model`.
public struct TrainingResult: Codable, Hashable, Sendable {
    /// How well a model does.
    public struct Metrics: Codable, Hashable, Sendable {
        /// The share of right answers on the earlier rows that it was tested with, 0 to 1.
        public let validationAccuracy: Double
        /// The number of rows that it was trained with.
        public let trainSamples: Int
        /// The number of rows that it was tested with.
        public let validationSamples: Int
        /// Its loss on the rows of the training, in nats; 0.693 is a coin's.
        public let trainLoss: Double
        /// Its loss on the other rows.
        public let validationLoss: Double
        /// The share of right answers on the rows of the training.
        public let trainAccuracy: Double?
        /// The share of right answers on the latest rows.
        public let testAccuracy: Double?
        /// The number of the latest rows.
        public let testSamples: Int?

        private enum CodingKeys: String, CamelCaseKey {
            case validationAccuracy, trainSamples, validationSamples, trainLoss, validationLoss, trainAccuracy
            case testAccuracy, testSamples
        }
    }
    /// Which model it is.
    public struct ModelInfo: Codable, Hashable, Sendable {
        /// Hash of the model.
        public let modelHash: String
        /// The number of features.
        public let featureCount: Int
        /// When it was trained.
        public let trainedAt: Date

        private enum CodingKeys: String, CamelCaseKey { case modelHash, featureCount, trainedAt }
    }
    /// The stock.
    public let symbol: String
    /// The time that a bar is about.
    public let timeframe: Timeframe
    /// How far ahead it looks.
    public let horizon: Horizon?
    /// Calendar days that it was trained with.
    public let lookbackDays: Int
    /// `success`.
    public let status: String
    /// How well it does.
    public let trainingMetrics: Metrics
    /// `random_forest` and `gradient_boosting`; the sum is 1.
    public let ensembleWeights: [String: Double]
    /// Which model it is.
    public let modelInfo: ModelInfo?
    /// By name of the feature; the sum is 1.
    public let featureImportance: [String: Double]?
    /// What it says now.
    public let forecast: Forecast?
    /// What always saying the more frequent direction would have got. Show it beside every accuracy.
    public let baseline: Forecast.Baseline?
    /// Lowest and highest plausible accuracy (95 %).
    public let accuracyInterval: [Double]?
    /// The probability of such an accuracy by chance.
    public let pValue: Double?
    /// How much speaks for an edge.
    public let evidence: Double?
    /// What is to be known about it.
    public let issues: [Forecast.Issue]?
    /// What it rests on.
    public let provenance: Forecast.Provenance?
    /// The job that trained it.
    public let jobID: Job.ID?
    /// When it was answered.
    public let timestamp: Date
    /// What a rule without a model would have got on the latest rows.
    public let testBaseline: Forecast.Baseline?
    /// Lowest and highest plausible accuracy on the latest rows (95 %).
    public let testAccuracyInterval: [Double]?
    /// All rows that it was tested with.
    public let tested: Forecast.TestedRows?

    private enum CodingKeys: String, WireKey {
        case symbol, timeframe, horizon, lookbackDays, status, trainingMetrics, ensembleWeights, modelInfo
        case featureImportance, forecast, baseline, accuracyInterval, pValue, evidence, issues, provenance, jobID
        case timestamp, testBaseline, testAccuracyInterval, tested

        var wireName: String { self == .jobID ? "job_id" : stringValue }
    }
}

/// The answer to `POST /forecast-quality`.
public struct ForecastQuality: Codable, Hashable, Sendable {
    /// The stock.
    public let symbol: String
    /// How far ahead it looks.
    public let horizon: Horizon
    /// The time that a bar is about.
    public let timeframe: Timeframe
    /// 0 to 1; above 0.5 only with evidence of an edge.
    public let qualityScore: Double
    /// How sure the forecast is of its direction, 0 to 1.
    public let confidence: Double
    /// The share of models that agree, 0 to 1.
    public let modelAgreement: Double
    /// The agreement that chance would bring.
    public let agreementByChance: Double?
    /// What is to be known about it.
    public let issues: [Forecast.Issue]
    /// What it says now.
    public let forecast: Forecast?
    /// What a rule without a model would have got.
    public let baseline: Forecast.Baseline?
    /// Lowest and highest plausible accuracy (95 %).
    public let accuracyInterval: [Double]?
    /// The probability of such an accuracy by chance.
    public let pValue: Double?
    /// How much speaks for an edge.
    public let evidence: Double?
    /// What it rests on.
    public let provenance: Forecast.Provenance?
    /// The job that computed it.
    public let jobID: Job.ID?
    /// When it was answered.
    public let timestamp: Date
    /// Calendar days that the models were trained with.
    public let lookbackDays: Int?
    /// What the score consists of, each 0 to 1: `sample`, `freshness`, `data`, `calibration`, `evidence`.
    public let qualityParts: [String: Double]?
    /// The share of right answers, 0 to 1.
    public let accuracy: Double?
    /// Which model it is.
    public let modelInfo: TrainingResult.ModelInfo?
    /// How often those came true that were said with a probability.
    public let reliability: [Forecast.Reliability]?
    /// How far from the truth the probabilities were, 0 to 1.
    public let calibrationError: Double?
    /// The rows that the models were tested with.
    public let tested: Forecast.TestedRows?

    private enum CodingKeys: String, WireKey {
        case symbol, horizon, timeframe, qualityScore, confidence, modelAgreement, agreementByChance, issues, forecast
        case baseline, accuracyInterval, pValue, evidence, provenance, jobID, timestamp, lookbackDays, qualityParts
        case accuracy, modelInfo, reliability, calibrationError, tested

        var wireName: String { self == .jobID ? "job_id" : stringValue }
    }
}
