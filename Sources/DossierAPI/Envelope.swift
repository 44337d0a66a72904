/// What every answer of the native API is wrapped in.
public struct Envelope<Payload: Codable & Sendable>: Codable, Sendable {
    public var success: Bool
    public var data: Payload?
    public var error: ErrorResource?
    public var pagination: Pagination?
    public var meta: Meta

    public init(
        success: Bool, data: Payload?, error: ErrorResource? = nil, pagination: Pagination? = nil, meta: Meta
    ) {
        self.success = success
        self.data = data
        self.error = error
        self.pagination = pagination
        self.meta = meta
    }
}

/// About the answer itself.
public struct Meta: Codable, Sendable, Hashable {
    public var requestID: String
    /// ISO 8601, UTC.
    public var timestamp: String
    public var version: String
    public var cacheHit: Bool?

    enum CodingKeys: String, CodingKey {
        case requestID = "request_id"
        case timestamp, version
        case cacheHit = "cache_hit"
    }
}

/// Which part of a list an answer holds.
public struct Pagination: Codable, Sendable, Hashable {
    /// From 1.
    public var page: Int
    public var perPage: Int
    public var totalItems: Int
    public var totalPages: Int
    public var hasNext: Bool
    public var hasPrev: Bool
    /// Asks for the items after this page; steadier than the page number while new items arrive.
    public var nextCursor: String?

    enum CodingKeys: String, CodingKey {
        case page
        case perPage = "per_page"
        case totalItems = "total_items"
        case totalPages = "total_pages"
        case hasNext = "has_next"
        case hasPrev = "has_prev"
        case nextCursor = "next_cursor"
    }
}

/// Why a request, or a job, failed.
public struct ErrorResource: Codable, Sendable, Hashable {
    public var code: ErrorCode
    /// For developers.
    public var message: String
    /// For the person who uses the app.
    public var userMessage: String
    /// What the app could offer: `upgrade`, `retry`, `reauthenticate`, `wait`, `go_back`.
    public var action: String?
    public var details: ErrorDetails?
    /// Seconds.
    public var retryAfter: Int?

    enum CodingKeys: String, CodingKey {
        case code, message, action, details
        case userMessage = "user_message"
        case retryAfter = "retry_after"
    }
}

/// What an error is about, as far as it is about one thing.
public struct ErrorDetails: Codable, Sendable, Hashable {
    /// The field of the request that is wrong, from the root of the body: `input.persona`.
    public var field: String?
    public var jobID: String?
    /// What the user has left, and what the job costs.
    public var currentCredits: Int?
    public var required: Int?

    enum CodingKeys: String, CodingKey {
        case field, required
        case jobID = "job_id"
        case currentCredits = "current_credits"
    }
}
