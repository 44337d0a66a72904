public import Foundation

/// A category of headlines, with NewsAPI's names.
public struct NewsCategory: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Companies and the economy.
    public static let business: NewsCategory = "business"
    /// Films, music and shows.
    public static let entertainment: NewsCategory = "entertainment"
    /// All sorts.
    public static let general: NewsCategory = "general"
    /// Medicine and health.
    public static let health: NewsCategory = "health"
    /// Research.
    public static let science: NewsCategory = "science"
    /// Sports.
    public static let sports: NewsCategory = "sports"
    /// Devices and software.
    public static let technology: NewsCategory = "technology"
}

/// `phone` or `watch`: how long a summary or an answer may be.
public struct FormFactor: OpenEnum {
    /// As it is on the wire.
    public let rawValue: String
    /// Takes any text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Two or three paragraphs.
    public static let phone: FormFactor = "phone"
    /// A few sentences.
    public static let watch: FormFactor = "watch"
}

/// An article of the news.
public struct Article: Codable, Hashable, Sendable, Identifiable {
    /// Names an article.
    public struct ID: OpenEnum {
        /// As it is on the wire.
        public let rawValue: String
        /// Takes any text.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    /// Who published an article.
    public struct Source: Codable, Hashable, Sendable {
        /// NewsAPI's name of the source, where it has one.
        public let id: String?
        /// For people.
        public let name: String
    }
    /// Names the article.
    public let id: ID
    /// The headline.
    public let title: String
    /// A sentence or two, where there are some.
    public let description: String?
    /// Where it is.
    public let url: String
    /// A picture, where there is one.
    public let imageURL: String?
    /// The same under NewsAPI's name.
    public let urlToImage: String?
    /// Who published it.
    public let source: Source
    /// Who wrote it, where it is known.
    public let author: String?
    /// The category in which it was found.
    public let category: NewsCategory?
    /// When it was published.
    public let publishedAt: Date
    /// Its text, as far as it is stored.
    public let content: String?
    /// In the answer to one article only, like the two that follow.
    public let contentIsWhole: Bool?
    /// The companies that it names.
    public let tickers: [String]?
    /// Questions that the article answers.
    public let suggestedQuestions: [String]?
}

/// Whether summaries and answers can be expected now.
public struct NewsAvailability: Codable, Hashable, Sendable {
    /// Whether both can.
    public let available: Bool
    /// Whether summaries can.
    public let summary: Bool
    /// Whether answers can.
    public let chat: Bool
    /// `no_worker`, `no_model` or `models_failing`; `nil` when both can.
    public let reason: String?
    /// When that was so.
    public let checkedAt: Date
}
