// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

/// Two or three paragraphs of a model, or the article's own text.
public struct ArticleSummary: Codable, Hashable, Sendable {
    public struct Sentiment: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let positive: Sentiment = "positive"
        public static let negative: Sentiment = "negative"
        public static let neutral: Sentiment = "neutral"
        public static let mixed: Sentiment = "mixed"
    }
    public struct Source: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let model: Source = "model"
        /// The article's own text stands in; `fallbackReason` says why.
        public static let original: Source = "original"
    }
    public let articleID: Article.ID
    public let formFactor: FormFactor
    public let summary: String
    public let paragraphs: [String]
    public let sentiment: Sentiment?
    /// `nil` in the result of a job of kind `summary`, like the three that follow.
    public let source: Source?
    public let fallbackReason: String?
    public let suggestedQuestions: [String]?
    public let jobID: Job.ID?
    public let provenance: Provenance?
}
