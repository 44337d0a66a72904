// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

public struct NewsCategory: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let business: NewsCategory = "business"
    public static let entertainment: NewsCategory = "entertainment"
    public static let general: NewsCategory = "general"
    public static let health: NewsCategory = "health"
    public static let science: NewsCategory = "science"
    public static let sports: NewsCategory = "sports"
    public static let technology: NewsCategory = "technology"
}

/// `phone` or `watch`: how long a summary or an answer may be.
public struct FormFactor: OpenEnum {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let phone: FormFactor = "phone"
    public static let watch: FormFactor = "watch"
}

public struct Article: Codable, Hashable, Sendable, Identifiable {
    public struct ID: OpenEnum {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
    }
    public struct Source: Codable, Hashable, Sendable {
        public let id: String?
        public let name: String
    }
    public let id: ID
    public let title: String
    public let description: String?
    public let url: String
    public let imageURL: String?
    /// The same under NewsAPI's name.
    public let urlToImage: String?
    public let source: Source
    public let author: String?
    public let category: NewsCategory?
    public let publishedAt: Date
    public let content: String?
    /// In the answer to one article only, like the two that follow.
    public let contentIsWhole: Bool?
    public let tickers: [String]?
    public let suggestedQuestions: [String]?
}

public struct NewsAvailability: Codable, Hashable, Sendable {
    public let available: Bool
    public let summary: Bool
    public let chat: Bool
    public let reason: String?
    public let checkedAt: Date
}
