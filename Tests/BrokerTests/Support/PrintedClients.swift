// The types have the names of the documents.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import HTTP

// The part of Foundation's networking that the printed clients use, over HTTPClient: FoundationNetworking is not
// imported anywhere. The names are Foundation's, so that the clients are copied without a change.

struct URLRequest {
    var url: URL
    var httpMethod: String? = "GET"
    var httpBody: Data?
    private(set) var fields: [(String, String)] = []

    init(url: URL) { self.url = url }

    mutating func setValue(_ value: String, forHTTPHeaderField name: String) {
        fields.removeAll { $0.0 == name }
        fields.append((name, value))
    }
}

class URLResponse {}

final class HTTPURLResponse: URLResponse {
    let statusCode: Int

    init(statusCode: Int) { self.statusCode = statusCode }
}

struct URLSession: Sendable {
    static let shared = URLSession()

    private let client = HTTPClient()

    func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        let response = try await client.send(
            HTTPRequest(
                HTTPMethod(rawValue: request.httpMethod ?? "GET"), request.url.absoluteString,
                headers: HTTPHeaders(request.fields), body: request.httpBody.map { Array($0) } ?? []))
        return (Data(response.body), HTTPURLResponse(statusCode: response.status))
    }
}

/// The answers of the AI Value Investor document, as it prints them: the envelopes of its section 8, and the fields
/// that its polling reads of a report. Its app converts from snake case.
enum InvestorClient {
    struct Success<Payload: Decodable>: Decodable {
        let success: Bool
        let data: Payload
        let meta: Meta
    }

    struct Page: Decodable {
        let success: Bool
        let data: [Anything]
        let pagination: Pagination
        let meta: Meta
    }

    struct Failure: Decodable {
        let success: Bool
        let error: APIError
        let meta: FailureMeta
    }

    struct Meta: Decodable {
        let requestId: String
        let timestamp: String
        let cacheHit: Bool?
        let version: String
    }

    struct FailureMeta: Decodable {
        let requestId: String
        let timestamp: String
    }

    struct APIError: Decodable {
        let code: String
        let message: String
        let userMessage: String
        let action: String?
        let retryAfter: Int?
    }

    struct Pagination: Decodable {
        let page: Int
        let perPage: Int
        let totalItems: Int
        let totalPages: Int
        let hasNext: Bool
        let hasPrev: Bool
    }

    struct ResearchJobResponse: Decodable {
        let reportId: String
        let status: String
        let estimatedSeconds: Int
        let pollUrl: String
    }

    struct ReportStatusResponse: Decodable {
        let status: String
        let progress: Int
        let currentStep: String?
        let errorMessage: String?
        let completedAt: String?
    }

    struct CreditBalance: Decodable {
        let remaining: Int
        let used: Int
    }

    /// An element whose members no test reads.
    struct Anything: Decodable {}
}

/// The types of the app that uses `/api/analyze`, as its document prints them.
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

/// The types of the app that uses `/v1`, as its document prints them.
enum NewsClient {
    struct Signal: Codable {
        let id: String
        let url: String
        let title: String
        let source: String
        // The type has the names of the document.
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

/// The types of the app that uses `/v1/preferences`, as its document prints them.
extension NewsClient {
    struct PreferencesResponse: Decodable {
        let success: Bool
        let focus_profile: String
        let holdings_count: Int
    }

    struct Holding: Codable {
        let ticker: String
        let label: String?
        let notes: String?
    }

    /// The document has no type for `GET`; its holdings have the one that it prints for a change.
    struct Holdings: Decodable {
        let holdings: [Holding]
    }
}
