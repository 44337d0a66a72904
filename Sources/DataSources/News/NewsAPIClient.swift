import Articles
package import HTTP
import JSON
package import Basics

/// Reads NewsAPI, version 2. The key goes in a header, so neither an address nor an error contains it.
package struct NewsAPIClient: Sendable {
    package static let defaultBase = "https://newsapi.org/v2"

    package enum Category: String, Sendable, Hashable, CaseIterable {
        case business, entertainment, general, health, science, sports, technology
    }

    package enum Order: String, Sendable, Hashable, CaseIterable {
        case relevancy, popularity, publishedAt
    }

    private let base: String
    private let key: Secret
    private let transport: any HTTPTransport

    package init(key: Secret, base: String? = nil, transport: any HTTPTransport) {
        self.base = base ?? Self.defaultBase
        self.key = key
        self.transport = transport
    }

    /// The headlines of front pages now.
    ///
    /// - `country`: two letters; the source covers `us`.
    /// - `sources`: ids of publications, which go with neither country nor category.
    /// - `page`: from 1.
    /// - `pageSize`: 1 to 100.
    package func topHeadlines(
        category: Category? = nil, country: String? = nil, sources: [String] = [], query: String? = nil, page: Int = 1,
        pageSize: Int = 20
    ) async throws(DataSourceError) -> NewsPage {
        // The source wants at least one of them.
        let country = category == nil && sources.isEmpty && query == nil ? country ?? "us" : country
        return try await get(
            "top-headlines",
            [
                ("category", sources.isEmpty ? category?.rawValue : nil), ("country", sources.isEmpty ? country : nil),
                ("sources", Self.list(sources)), ("q", query), ("pageSize", "\(min(max(pageSize, 1), 100))"),
                ("page", "\(max(page, 1))"),
            ])
    }

    /// Everything that matches, of the last month as a rule.
    ///
    /// - `query`: at most 500 characters, with `"…"`, `+`, `-`, `AND`, `OR`, `NOT` and parentheses.
    /// - `from`: ISO 8601, as is `to`.
    /// - `language`: two letters.
    package func everything(
        query: String? = nil, sources: [String] = [], domains: [String] = [], from: String? = nil, to: String? = nil,
        language: String? = nil, order: Order = .publishedAt, page: Int = 1, pageSize: Int = 100
    ) async throws(DataSourceError) -> NewsPage {
        try await get(
            "everything",
            [
                ("q", query.map { String($0.prefix(500)) }), ("sources", Self.list(Array(sources.prefix(20)))),
                ("domains", Self.list(domains)), ("from", from), ("to", to), ("language", language),
                ("sortBy", order.rawValue), ("pageSize", "\(min(max(pageSize, 1), 100))"), ("page", "\(max(page, 1))"),
            ])
    }

    private static func list(_ values: [String]) -> String? { values.isEmpty ? nil : values.joined(separator: ",") }

    private func get(_ path: String, _ query: [(String, String?)]) async throws(DataSourceError) -> NewsPage {
        var limits = HTTPLimits()
        limits.total = .seconds(30)
        limits.body = 8 << 20
        let items = query.compactMap { name, value in value.map { (name, $0) } }
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await transport.send(
                HTTPRequest(
                    .get, URLPath.join(base, path, query: items),
                    headers: ["X-Api-Key": key.reveal(), "Accept": "application/json"], limits: limits))
        } catch {
            throw DataSourceError(error, from: .newsAPI)
        }
        let body = try? JSON(parsing: response.body).mapStrings(\.sanitized)
        guard response.status == 200, body?["status"]?.string == "ok", let articles = body?["articles"]?.array else {
            throw Self.failure(response, code: body?["code"]?.string)
        }
        return NewsPage(
            items: articles.compactMap(Self.item), total: body?["totalResults"]?.integer.map { Int(clamping: $0) })
    }

    /// Articles that were taken down stay in lists as `[Removed]`.
    private static func item(_ json: JSON) -> NewsItem? {
        func text(_ key: String) -> String? { json[key]?.string.map(HTMLText.line).flatMap { $0.isEmpty ? nil : $0 } }
        guard let title = text("title"), title != "[Removed]", let url = json["url"]?.string, WebAddress(url).isWeb
        else {
            return nil
        }
        return NewsItem(
            title: title, url: url, summary: text("description"), excerpt: text("content"),
            image: json["urlToImage"]?.string, author: text("author"), publication: json["source"]?["name"]?.string,
            publishedAt: json["publishedAt"]?.string.flatMap { PublishedDate($0) })
    }

    private static func failure(_ response: HTTPResponse, code: String?) -> DataSourceError {
        switch code {
        case "apiKeyDisabled", "apiKeyInvalid", "apiKeyMissing":
            return .forbidden(.newsAPI, hint: "the key is missing or not valid (NEWS_API_KEY)")
        case "apiKeyExhausted", "rateLimited":
            return .rateLimited(.newsAPI, retryAfter: DataSourceError.retryAfter(response.headers))
        case "maximumResultsReached", "upgradeRequired":
            return .forbidden(.newsAPI, hint: "the key's plan does not include the request")
        case "parameterInvalid", "parametersMissing", "sourcesTooMany", "sourceDoesNotExist":
            return .unexpected(.newsAPI, problem: "it does not accept a parameter of the request")
        default: break
        }
        if let known = DataSourceError(status: response.status, headers: response.headers, from: .newsAPI) {
            return known
        }
        return response.status == 401
            ? .forbidden(.newsAPI, hint: "the key is missing or not valid (NEWS_API_KEY)")
            : .unexpected(.newsAPI, problem: "HTTP \(response.status) without a list of articles")
    }
}
