internal import Foundation

/// Something that can be read and cached: an address with the type of its answer, its cache key and its lifetime.
///
/// ```swift
/// struct Quiz: Codable, Sendable { let topic: String }
///
/// extension Resource where Value == Quiz {
///     static func quiz(_ id: String) -> Self { Resource(path: "/api/v1/quizzes/\(id)") }
/// }
/// ```
public struct Resource<Value: Codable & Sendable>: Sendable, Hashable {
    /// Names the value in the cache, beside the account; equal resources have equal names.
    public let name: String
    /// When a stored value counts as how old.
    public let freshness: FreshnessPolicy
    /// Never evicted or purged, only replaced or removed: what the user expects to find offline.
    public let isKept: Bool
    let endpoint: Endpoint

    /// For addresses of a newer server.
    ///
    /// - Parameters:
    ///   - path: From the root, already escaped.
    ///   - query: Parameters, not escaped.
    ///   - freshness: When a stored value counts as how old.
    ///   - isKept: Whether it stays on the device until it is replaced or removed.
    public init(
        path: String, query: [String: String] = [:], freshness: FreshnessPolicy = .standard, isKept: Bool = false
    ) {
        self.init(.get(path, query: query), freshness: freshness, isKept: isKept)
    }

    init(_ endpoint: Endpoint, freshness: FreshnessPolicy = .standard, isKept: Bool = false) {
        self.endpoint = endpoint
        self.freshness = freshness
        self.isKept = isKept
        var name = endpoint.path
        if !endpoint.query.isEmpty {
            name +=
                "?"
                + endpoint.query.sorted { $0.key < $1.key }
                .map { "\(Endpoint.escaped($0.key))=\(Endpoint.escaped($0.value))" }.joined(separator: "&")
        }
        if let body = endpoint.body { name += " " + String(decoding: body, as: UTF8.self) }
        self.name = name
    }

    /// A read that is a `POST`, as for what is made when it is first asked for.
    static func posted(
        _ path: String, _ body: some Encodable, serverWait: Duration, freshness: FreshnessPolicy = .standard
    ) -> Self {
        Resource(
            Endpoint(
                method: .post, path: path, body: try? JSONEncoder.dossier.encode(body), isRepeatable: true,
                serverWait: serverWait),
            freshness: freshness)
    }
}

/// A list that comes in pages.
///
/// ```swift
/// for try await job in dossier.items(of: .jobs(status: .failed)) { print(job.id) }
/// ```
public struct Listing<Item: Codable & Sendable>: Sendable, Hashable {
    /// Names the list in the cache, beside the account.
    public let name: String
    /// When a stored page counts as how old.
    public let freshness: FreshnessPolicy
    private let path: String
    private let query: [String: String]

    /// For addresses of a newer server, with `cursor` or `page`.
    public init(path: String, query: [String: String] = [:], freshness: FreshnessPolicy = .standard) {
        self.path = path
        self.query = query
        self.freshness = freshness
        name = Resource<Page<Item>>(path: path, query: query).name
    }

    /// One page as a resource.
    func page(after cursor: PageCursor?) -> Resource<Page<Item>> {
        Resource(path: path, query: query.merging(cursor?.query ?? [:]) { $1 }, freshness: freshness)
    }
}
