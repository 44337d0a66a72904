// The client as the news document prints it, with its names.
// swift-format-ignore-file

import Foundation

/// The "complete Swift implementation" of the news document: its calls and its types. Two things differ. The base URL
/// is an argument. And `fetchFeed` and `fetchPersonalizedFeed` decode the objects that the document prints as answers,
/// as their versions beside the endpoints do: here the document decodes bare arrays, which no endpoint of it answers.
final class NewsAggregatorAPI {
    enum APIError: Error {
        case invalidURL
        case invalidResponse
        case decodingError(String)
        case rateLimited
        case serverError(String)
    }

    private let baseURL: String
    var userId: String = "1"

    init(baseURL: String) { self.baseURL = baseURL }

    func fetchFeed(limit: Int = 20) async throws -> FeedResponse {
        let url = "\(baseURL)/v1/feed?limit=\(limit)"
        return try await makeRequest(url: url, method: "GET")
    }

    func fetchPersonalizedFeed(limit: Int = 50) async throws -> PersonalizedFeedResponse {
        let url = "\(baseURL)/v1/personalized-feed?limit=\(limit)"
        return try await makeRequest(url: url, method: "GET")
    }

    func fetchStoryGroups(
        date: String? = nil,
        limitGlobal: Int = 5,
        limitPerTicker: Int = 3
    ) async throws -> StoryGroupsResponse {
        var components = URLComponents(string: "\(baseURL)/v1/feed/story-groups")!
        var queryItems: [URLQueryItem] = [
            URLQueryItem(name: "limit_global", value: "\(limitGlobal)"),
            URLQueryItem(name: "limit_per_ticker", value: "\(limitPerTicker)")
        ]
        if let date = date {
            queryItems.append(URLQueryItem(name: "date", value: date))
        }
        components.queryItems = queryItems

        guard let url = components.url?.absoluteString else { throw APIError.invalidURL }
        return try await makeRequest(url: url, method: "GET")
    }

    func interpretContent(_ content: String) async throws -> Signal {
        let body = ["textOrUrl": content]
        return try await makeRequest(
            url: "\(baseURL)/v1/interpret",
            method: "POST",
            body: try JSONEncoder().encode(body)
        )
    }

    func updatePreferences(
        focusProfile: String = "balanced",
        holdings: [String]? = nil
    ) async throws -> PreferencesResponse {
        var body: [String: Any] = ["focus_profile": focusProfile]
        if let holdings = holdings {
            body["holdings"] = holdings
        }

        var request = URLRequest(url: URL(string: "\(baseURL)/v1/preferences")!)
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(userId, forHTTPHeaderField: "X-User-ID")
        request.httpBody = try JSONSerialization.data(withJSONObject: body)

        let (data, response) = try await URLSession.shared.data(for: request)

        guard let httpResponse = response as? HTTPURLResponse, httpResponse.statusCode == 200 else {
            throw APIError.invalidResponse
        }

        return try JSONDecoder().decode(PreferencesResponse.self, from: data)
    }

    private func makeRequest<T: Decodable>(
        url: String,
        method: String = "GET",
        body: Data? = nil
    ) async throws -> T {
        guard let url = URL(string: url) else { throw APIError.invalidURL }

        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(userId, forHTTPHeaderField: "X-User-ID")

        if let body = body {
            request.httpBody = body
        }

        let (data, response) = try await URLSession.shared.data(for: request)

        guard let httpResponse = response as? HTTPURLResponse else {
            throw APIError.invalidResponse
        }

        switch httpResponse.statusCode {
        case 200...299:
            return try JSONDecoder().decode(T.self, from: data)
        case 429:
            throw APIError.rateLimited
        case 400...499:
            if let error = try? JSONDecoder().decode(ErrorResponse.self, from: data) {
                throw APIError.serverError(error.error)
            }
            throw APIError.serverError("Client error: \(httpResponse.statusCode)")
        case 500...:
            throw APIError.serverError("Server error: \(httpResponse.statusCode)")
        default:
            throw APIError.invalidResponse
        }
    }

    // MARK: - Supporting types

    struct ErrorResponse: Decodable {
        let error: String
        let details: String?
    }

    struct PreferencesResponse: Decodable {
        let success: Bool
        let focus_profile: String
        let holdings_count: Int
    }

    struct FeedResponse: Codable {
        let items: [Signal]
        let next_cursor: String?
    }

    struct Signal: Codable {
        let id: String
        let url: String
        let title: String
        let source: String
        let published_at: String
        let verdict: String
        let why: [String]
        let action: String
        let horizon: String?
        let opportunity_type: String
        let opportunity_note: String
        let confidence: Int
        let importance_score: Int
    }

    struct StoryGroupsResponse: Decodable {
        let date: String
        let user_id: Int
        let user_holdings: [String]
        let generated_at: String
        let global: [StoryGroup]
        let by_ticker: [String: [StoryGroup]]
        let merged_feed: [MergedStoryGroup]
    }

    struct StoryGroup: Decodable {
        let id: Int
        let scope: String
        let primary_ticker: String?
        let group_title: String
        let impact_level: String
        let confidence_level: String
        let article_count: Int
        let model_version: String
        let pipeline_version: String
        let date_bucket: String
        let created_at: String
        let updated_at: String
        let explanation: StoryGroupExplanation
        let articles: [StoryGroupArticle]
        let related_tickers: [RelatedTicker]
    }

    struct MergedStoryGroup: Decodable {
        let id: Int
        let scope: String
        let primary_ticker: String?
        let group_title: String
        let impact_level: String
        let rank_reason: String
        let confidence_level: String
        let article_count: Int
        let model_version: String
        let pipeline_version: String
        let date_bucket: String
        let created_at: String
        let updated_at: String
        let explanation: StoryGroupExplanation
        let articles: [StoryGroupArticle]
        let related_tickers: [RelatedTicker]
    }

    struct StoryGroupExplanation: Decodable {
        let what_happened: String?
        let why_it_happened: String?
        let why_it_matters_now: String?
        let what_to_watch_next: String?
        let what_this_does_not_mean: String?
        let sources_summary: [Source]
        let cause_confidence: String?
        let cause_reason: String?
        let decision_reasoning: [String]?
    }

    struct Source: Decodable {
        let publisher: String
        let title: String
        let published_date: String
        let url: String
    }

    struct StoryGroupArticle: Decodable {
        let article_id: String
        let similarity_score: Double
        let added_at: String
    }

    struct RelatedTicker: Decodable {
        let ticker: String
        let relationship_type: String?
    }

    struct PersonalizedFeedResponse: Codable {
        let items: [PersonalizedSignal]
        let next_cursor: String?
    }

    struct PersonalizedSignal: Codable {
        let id: String
        let title: String
        let shortSummary: String
        let tickerSummary: String
        let impactLevel: String
        let scopeType: String
        let opportunitySignal: String
        let relevanceType: String
        let profileTier: String
        let rawArticles: [RawArticle]
        let explanation: Explanation?

        struct RawArticle: Codable {
            let articleNumber: Int
            let source: String
            let title: String
            let description: String
            let body: String
            let url: String
        }

        struct Explanation: Codable {
            let summary: String
            let whyItMattersForYou: String
            let whyThisHappened: String
            let mostLikelyScenarios: [Scenario]
            let whatToKeepInMind: [String]
            let sources: [Source]
            let confidence: Double

            struct Scenario: Codable {
                let scenario: String
                let likelihood: String
                let whatConfirmsIt: String
                let whatMakesItUnlikely: String
            }

            struct Source: Codable {
                let name: String
                let type: String
                let reason: String
            }
        }
    }

    /// The same items as the document's data models print them.
    struct PersonalizedFeedOfTheModels: Decodable {
        let items: [Item]

        struct Item: Decodable {
            let id: String
            let explanation: Explanation?

            struct Explanation: Decodable {
                let headline: String
                let impact: String
                let action: String
                let context: String
                let confidence: Double
            }
        }
    }

    struct BriefResponse: Decodable {
        let items: [Signal]
        let generated_at: String?
    }
}
