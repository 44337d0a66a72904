public import Foundation

/// A report on a company in the voice of an investor.
public struct ResearchInput: JobInput {
    /// Prose, figures and their sources.
    public typealias Output = ResearchReport
    /// The kind of job.
    public var kind: Job.Kind { .research }
    /// The company.
    public let ticker: String
    /// The investor.
    public let persona: Persona.ID

    /// Asks for a report.
    public init(ticker: String, persona: Persona.ID) {
        self.ticker = ticker
        self.persona = persona
    }
}

/// Companies side by side as an investor reads them, or one company as several investors read it.
public struct ComparisonInput: JobInput {
    /// A table and a short text.
    public typealias Output = Comparison
    /// The kind of job.
    public var kind: Job.Kind { .comparison }
    /// The companies: one, or two to four.
    public let tickers: [String]
    /// The investors: one, or two to six.
    public let personas: [Persona.ID]

    /// Compares two to four companies.
    public init(tickers: [String], persona: Persona.ID) {
        (self.tickers, personas) = (tickers, [persona])
    }

    /// Compares what two to six investors make of a company.
    public init(ticker: String, personas: [Persona.ID]) {
        (tickers, self.personas) = ([ticker], personas)
    }
}

/// An explanation of a story of the service, or of articles that the app brings along.
public struct ExplanationInput: JobInput {
    /// The explanation with the holdings that it names.
    public typealias Output = Explanation

    /// An article that the app brings along.
    public struct Article: Codable, Hashable, Sendable {
        /// Its title.
        public let title: String
        /// The publisher.
        public let source: String
        /// Its address.
        public let url: String
        /// Its text.
        public let text: String
        /// When it was published, if that is known.
        public let publishedAt: Date?

        /// Takes an article.
        public init(title: String, source: String, url: String, text: String, publishedAt: Date? = nil) {
            self.title = title
            self.source = source
            self.url = url
            self.text = text
            self.publishedAt = publishedAt
        }
    }

    /// The kind of job.
    public var kind: Job.Kind { .explanation }
    /// The story of the service.
    public let storyID: StoryGroup.ID?
    /// The app's own articles.
    public let articles: [Article]?
    /// A title for the app's own articles.
    public let title: String?
    /// What the reader owns.
    public let holdings: [String]?

    /// Asks about a story of the service.
    ///
    /// - Parameters:
    ///   - story: The story.
    ///   - holdings: `nil` for the reader's own, `[]` for an explanation that names none.
    public init(story: StoryGroup.ID, holdings: [String]? = nil) {
        storyID = story
        articles = nil
        title = nil
        self.holdings = holdings
    }

    /// Asks about articles that the app brings along.
    public init(articles: [Article], title: String? = nil, holdings: [String] = []) {
        storyID = nil
        self.articles = articles
        self.title = title
        self.holdings = holdings
    }
}

/// What an article or a video teaches.
public struct AnalysisInput: JobInput {
    /// Concepts, scores and questions.
    public typealias Output = Analysis
    /// The kind of job.
    public var kind: Job.Kind { .analyze }
    /// An article or a video.
    public let contentURL: String
    /// A label of the app's own.
    public let userIDHash: String
    /// A label of the app's own.
    public let goalID: String
    /// What the learner wants to learn.
    public let goalDescription: String
    /// What the learner knows.
    public let knownConcepts: [String]
    /// What the learner finds hard.
    public let weakConcepts: [String]

    /// Asks for an analysis.
    ///
    /// - Parameters:
    ///   - contentURL: An article or a video; anything but an `http` or `https` address is refused by the server.
    ///   - userIDHash: A label of the app's own.
    ///   - goalID: A label of the app's own.
    ///   - goalDescription: What the learner wants to learn.
    ///   - knownConcepts: What the learner knows.
    ///   - weakConcepts: What the learner finds hard.
    public init(
        contentURL: String, userIDHash: String, goalID: String, goalDescription: String,
        knownConcepts: [String] = [], weakConcepts: [String] = []
    ) {
        self.contentURL = contentURL
        self.userIDHash = userIDHash
        self.goalID = goalID
        self.goalDescription = goalDescription
        self.knownConcepts = knownConcepts
        self.weakConcepts = weakConcepts
    }
}

/// Whether a text matters to somebody who invests.
public struct InterpretationInput: JobInput {
    /// A signal and what explains it.
    public typealias Output = Interpretation
    /// The kind of job.
    public var kind: Job.Kind { .interpret }
    /// A text, or the address of one.
    public let textOrURL: String

    /// Asks about a text or what is found at an address.
    public init(_ textOrURL: String) { self.textOrURL = textOrURL }

    private enum CodingKeys: String, CamelCaseKey { case textOrURL }
}
