// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// The five parts of a calm explanation; all `nil` until it is written.
public struct StoryExplanation: Codable, Hashable, Sendable {
    public struct Source: Codable, Hashable, Sendable {
        public let publisher: String
        public let title: String
        /// `nil` when it is not known; the wire has an empty text then.
        public let publishedDate: Date?
        public let url: String

        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            publisher = try values.decode(String.self, forKey: .publisher)
            title = try values.decode(String.self, forKey: .title)
            publishedDate = try? values.decode(Date.self, forKey: .publishedDate)
            url = try values.decode(String.self, forKey: .url)
        }

        private enum CodingKeys: String, CodingKey { case publisher, title, publishedDate, url }
    }
    public let whatHappened: String?
    public let whyItHappened: String?
    public let whyItMattersNow: String?
    /// Scenarios as text.
    public let whatToWatchNext: String?
    public let whatThisDoesNotMean: String?
    public let sourcesSummary: [Source]
    public let causeConfidence: String?
    public let causeReason: String?
    public let decisionReasoning: [String]?

    public var isWritten: Bool { whatHappened != nil }
}

/// The result of a job of kind `explanation`.
public struct Explanation: Codable, Hashable, Sendable {
    public let explanation: StoryExplanation
    /// The holdings that it speaks of.
    public let holdings: [String]
    public let provenance: Provenance
}
