import Foundation

/// The types of the app that asks for `/api/analyze`, as its document prints them.
enum AnalyzeClient {
    struct AnalyzeRequest: Codable {
        let contentUrl: String
        let userIdHash: String
        let goalId: String
        let goalDescription: String
        let knownConcepts: [String]
        let weakConcepts: [String]
    }

    struct AnalyzeResponse: Codable {
        let traceId: String
        let concepts: [String]
        let relevanceScore: Double
        let learningValueScore: Double
        let decision: Decision
        let recallQuestions: [RecallQuestion]
    }

    enum Decision: String, Codable {
        case triggered
        case ignored
    }

    struct RecallQuestion: Codable {
        let question: String
        let type: QuestionType
    }

    enum QuestionType: String, Codable {
        case open
        case mcq
    }

    struct ErrorResponse: Codable {
        let error: String
        let message: String?
        let details: [ValidationError]?
    }

    struct ValidationError: Codable {
        let path: [String]
        let message: String
    }

    /// The body as the app sends it.
    static func body(of request: AnalyzeRequest) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(request), as: UTF8.self)
    }

    static let request = AnalyzeRequest(
        contentUrl: "https://learn.example/a", userIdHash: "abc123hashed", goalId: "goal-123",
        goalDescription: "Learn machine learning", knownConcepts: [], weakConcepts: ["gradient descent"])
}

/// The types of the app that asks for `/v1`, as its document prints them.
enum NewsClient {
    struct Signal: Codable {
        let id: String
        let url: String
        let title: String
        let source: String
        // The document's names stand in the type itself.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let published_at: String
        let verdict: String
        let why: [String]
        let action: String
        let horizon: String?
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let opportunity_type: String
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let opportunity_note: String
        let confidence: Int
        // swift-format-ignore: AlwaysUseLowerCamelCase
        let importance_score: Int
    }

    struct ErrorResponse: Decodable {
        let error: String
        let details: String?
    }
}
