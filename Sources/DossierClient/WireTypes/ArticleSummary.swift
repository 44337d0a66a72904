/// Two or three paragraphs of a model, or the article's own text.
public struct ArticleSummary: Codable, Hashable, Sendable {
    /// The mood of an article.
    public struct Sentiment: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Good news.
        public static let positive: Sentiment = "positive"
        /// Bad news.
        public static let negative: Sentiment = "negative"
        /// Neither.
        public static let neutral: Sentiment = "neutral"
        /// Both.
        public static let mixed: Sentiment = "mixed"
    }
    /// Who wrote the text.
    public struct Source: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A model wrote it.
        public static let model: Source = "model"
        /// The article's own text stands in; `fallbackReason` says why.
        public static let original: Source = "original"
    }
    /// The article.
    public let articleID: Article.ID
    /// How long it may be.
    public let formFactor: FormFactor
    /// The whole text.
    public let summary: String
    /// The same in paragraphs.
    public let paragraphs: [String]
    /// The mood of the article.
    public let sentiment: Sentiment?
    /// `nil` in the result of a job of kind `summary`, like the three that follow.
    public let source: Source?
    /// Why no model wrote it.
    public let fallbackReason: String?
    /// Whether the page is for subscribers, so that the summary rests on what its source shows to all.
    public let forSubscribers: Bool?
    /// Questions that the article answers.
    public let suggestedQuestions: [String]?
    /// The job that made it.
    public let jobID: Job.ID?
    /// Which prompts and models made it.
    public let provenance: Provenance?
    /// The language that was chosen; `nil` where it is that of the article.
    public let language: String?
}
