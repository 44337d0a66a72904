/// A summary of an article.
public struct SummaryInput: JobInput {
    /// Two or three paragraphs.
    public typealias Output = ArticleSummary
    /// The kind of job.
    public var kind: Job.Kind { .summary }
    /// The article.
    public let articleID: Article.ID
    /// How long it may be.
    public let formFactor: FormFactor

    /// Asks for a summary.
    public init(article: Article.ID, formFactor: FormFactor = .phone) {
        articleID = article
        self.formFactor = formFactor
    }
}

/// A question about an article.
public struct ArticleQuestionInput: JobInput {
    /// The answer with its citations.
    public typealias Output = ArticleAnswer
    /// The kind of job.
    public var kind: Job.Kind { .chat }
    /// What is asked.
    public let question: String
    /// The article.
    public let articleID: Article.ID
    /// The conversation to continue.
    public let conversationID: Conversation.ID?
    /// How long the answer may be.
    public let formFactor: FormFactor

    /// Asks a question.
    public init(
        _ question: String, about article: Article.ID, in conversation: Conversation.ID? = nil,
        formFactor: FormFactor = .phone
    ) {
        self.question = question
        articleID = article
        conversationID = conversation
        self.formFactor = formFactor
    }
}

/// A question about investing.
public struct EducationInput: JobInput {
    /// The answer with its citations.
    public typealias Output = EducationAnswer
    /// The kind of job.
    public var kind: Job.Kind { .education }
    /// What is asked.
    public let question: String
    /// The conversation to continue.
    public let conversationID: Conversation.ID?

    /// Asks a question.
    public init(_ question: String, in conversation: Conversation.ID? = nil) {
        self.question = question
        conversationID = conversation
    }
}

/// A training of models of a stock's direction.
public struct TrainingInput: JobInput {
    /// What the models are worth.
    public typealias Output = TrainingResult
    /// The kind of job.
    public var kind: Job.Kind { .training }
    /// The stock.
    public let symbol: String
    /// The bars to learn from.
    public let timeframe: Timeframe
    /// Calendar days to learn from.
    public let lookbackDays: Int
    /// How far ahead; `nil` for the server's default.
    public let horizon: Horizon?

    /// Asks for a training.
    public init(
        symbol: String, timeframe: Timeframe = .daily, lookbackDays: Int = 90, horizon: Horizon? = nil
    ) {
        self.symbol = symbol
        self.timeframe = timeframe
        self.lookbackDays = lookbackDays
        self.horizon = horizon
    }

    private enum CodingKeys: String, CamelCaseKey { case symbol, timeframe, lookbackDays, horizon }
}

/// A forecast of a stock's direction, and what it is worth.
public struct ForecastInput: JobInput {
    /// The forecast with its evidence.
    public typealias Output = ForecastQuality
    /// The kind of job.
    public var kind: Job.Kind { .forecast }
    /// The stock.
    public let symbol: String
    /// How far ahead.
    public let horizon: Horizon
    /// The bars to learn from.
    public let timeframe: Timeframe

    /// Asks for a forecast.
    public init(symbol: String, horizon: Horizon = .day, timeframe: Timeframe = .daily) {
        self.symbol = symbol
        self.horizon = horizon
        self.timeframe = timeframe
    }
}
