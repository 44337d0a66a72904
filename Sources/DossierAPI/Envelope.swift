/// The envelope around every answer of the native API.
public struct Envelope<Payload: Codable & Sendable>: Codable, Sendable {
    /// Whether `data` is present; else `error` is.
    public var success: Bool
    /// The answer itself.
    public var data: Payload?
    /// The reason why there is no answer.
    public var error: ErrorResource?
    /// The part of the list that `data` holds, for lists in pages.
    public var pagination: Pagination?
    /// Information about the response.
    public var meta: Meta

    /// Makes an envelope.
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

/// Information about a response.
public struct Meta: Codable, Sendable, Hashable {
    /// The id of the request, also in the header `X-Request-ID` and in the service's log.
    public var requestID: String
    /// The time of the response: ISO 8601, UTC.
    public var timestamp: String
    /// The version of the API.
    public var version: String
    /// Whether the cache held everything; nil where no cache is involved.
    public var cacheHit: Bool?

    enum CodingKeys: String, CodingKey {
        case requestID = "request_id"
        case timestamp, version
        case cacheHit = "cache_hit"
    }
}

/// The part of a list that a response holds.
public struct Pagination: Codable, Sendable, Hashable {
    /// The number of the page, from 1.
    public var page: Int
    /// The most items of a page.
    public var perPage: Int
    /// The number of items on all pages.
    public var totalItems: Int
    /// The number of pages.
    public var totalPages: Int
    /// Whether another page follows.
    public var hasNext: Bool
    /// Whether this is not the first page.
    public var hasPrev: Bool
    /// Selects the items after this page; stable while new items arrive, unlike the page number.
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

/// The reason why a request or a job failed.
public struct ErrorResource: Codable, Sendable, Hashable {
    /// The code by which clients distinguish errors.
    public var code: ErrorCode
    /// A message for developers.
    public var message: String
    /// A message for the user of the app.
    public var userMessage: String
    /// The action that the app could offer: `upgrade`, `retry`, `reauthenticate`, `wait` or `go_back`.
    public var action: String?
    /// The subject of the error, where it has one.
    public var details: ErrorDetails?
    /// The seconds to wait before the next attempt.
    public var retryAfter: Int?
    /// The place of the code in the description of the API; `nil` for the error of a job.
    public var docURL: String?

    enum CodingKeys: String, CodingKey {
        case code, message, action, details
        case userMessage = "user_message"
        case retryAfter = "retry_after"
        case docURL = "doc_url"
    }
}

/// The subject of an error.
public struct ErrorDetails: Codable, Sendable, Hashable {
    /// The path of the invalid field from the root of the body: `input.persona`.
    public var field: String?
    /// The job that the error is about.
    public var jobID: String?
    /// The credits that the user has left.
    public var currentCredits: Int?
    /// The credits that the job costs.
    public var required: Int?
    /// The scope that is missing; on the wire it is `required`, too.
    public var requiredScope: String?
    /// The thing of which the user has as many as permitted: `streams`, `waiting_polls`.
    public var what: String?
    /// The number that is permitted.
    public var limit: Int?
    /// Why the account may not sign in: `anonymous`.
    public var reason: String?

    enum CodingKeys: String, CodingKey {
        case field, required, what, limit, reason
        case jobID = "job_id"
        case currentCredits = "current_credits"
    }
}

extension ErrorDetails {
    /// Decodes the members that are there.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        field = try members.decodeIfPresent(String.self, forKey: .field)
        jobID = try members.decodeIfPresent(String.self, forKey: .jobID)
        currentCredits = try members.decodeIfPresent(Int.self, forKey: .currentCredits)
        requiredScope = try? members.decodeIfPresent(String.self, forKey: .required)
        required = requiredScope == nil ? try members.decodeIfPresent(Int.self, forKey: .required) : nil
        what = try members.decodeIfPresent(String.self, forKey: .what)
        limit = try members.decodeIfPresent(Int.self, forKey: .limit)
        reason = try members.decodeIfPresent(String.self, forKey: .reason)
    }

    /// Encodes the members that are there.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(field, forKey: .field)
        try members.encodeIfPresent(jobID, forKey: .jobID)
        try members.encodeIfPresent(currentCredits, forKey: .currentCredits)
        try members.encodeIfPresent(required, forKey: .required)
        if required == nil { try members.encodeIfPresent(requiredScope, forKey: .required) }
        try members.encodeIfPresent(what, forKey: .what)
        try members.encodeIfPresent(limit, forKey: .limit)
        try members.encodeIfPresent(reason, forKey: .reason)
    }
}
