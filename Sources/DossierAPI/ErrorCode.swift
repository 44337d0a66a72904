/// A code by which clients distinguish errors. A code never changes its meaning; new codes may appear.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    /// The code on the wire and in the store: `VAL_3001`.
    public let rawValue: String

    /// Makes a code from its text; any text is a code.
    public init(rawValue: String) { self.rawValue = rawValue }

    // MARK: Authentication

    /// The access token has expired.
    public static let tokenExpired = ErrorCode(rawValue: "AUTH_1001")
    /// The access token is not valid.
    public static let tokenInvalid = ErrorCode(rawValue: "AUTH_1002")
    /// The request is not authenticated, or its user may not do this.
    public static let unauthorized = ErrorCode(rawValue: "AUTH_1003")
    /// The request is authenticated, but a scope is missing.
    public static let scopeMissing = ErrorCode(rawValue: "AUTH_1004")
    /// The keys of the identity provider cannot be read.
    public static let providerUnavailable = ErrorCode(rawValue: "AUTH_1005")
    /// The account may not sign in.
    public static let accountRefused = ErrorCode(rawValue: "AUTH_1006")

    // MARK: Rules of the service

    /// The user does not have enough credits.
    public static let insufficientCredits = ErrorCode(rawValue: "BIZ_2001")
    /// The user's model spend has reached the daily limit.
    public static let spendLimitReached = ErrorCode(rawValue: "BIZ_2002")
    /// The model gave no usable answer.
    public static let generationFailed = ErrorCode(rawValue: "BIZ_2003")
    /// No company is listed under the ticker.
    public static let stockNotFound = ErrorCode(rawValue: "BIZ_2004")
    /// The requested thing does not exist.
    public static let notFound = ErrorCode(rawValue: "BIZ_2005")
    /// The request contradicts an earlier one or the present state.
    public static let conflict = ErrorCode(rawValue: "BIZ_2006")
    /// The user has as many of something as the plan permits.
    public static let limitReached = ErrorCode(rawValue: "BIZ_2007")
    /// The user's inputs, results and conversations have as many bytes as the plan permits.
    public static let storageFull = ErrorCode(rawValue: "BIZ_2008")
    /// The model spend of the whole service has reached the daily limit.
    public static let serviceSpendLimitReached = ErrorCode(rawValue: "BIZ_2009")

    // MARK: Validation

    /// A field of the request has an invalid value.
    public static let validationFailed = ErrorCode(rawValue: "VAL_3001")
    /// The ticker is malformed.
    public static let invalidTicker = ErrorCode(rawValue: "VAL_3002")
    /// No persona has the id.
    public static let invalidPersona = ErrorCode(rawValue: "VAL_3003")
    /// The request cannot be read.
    public static let malformed = ErrorCode(rawValue: "VAL_3004")
    /// The request is too large.
    public static let tooLarge = ErrorCode(rawValue: "VAL_3005")
    /// The user has sent too many requests.
    public static let rateLimited = ErrorCode(rawValue: "VAL_3006")

    // MARK: External services

    /// Gemini failed.
    public static let gemini = ErrorCode(rawValue: "EXT_4001")
    /// Financial Modeling Prep failed.
    public static let fmp = ErrorCode(rawValue: "EXT_4002")
    /// The database is unavailable.
    public static let database = ErrorCode(rawValue: "EXT_4003")
    /// Claude, or an OpenAI-compatible server, failed.
    public static let claude = ErrorCode(rawValue: "EXT_4004")
    /// Another data source failed.
    public static let dataSource = ErrorCode(rawValue: "EXT_4005")
    /// The content at an address cannot be read.
    public static let contentUnavailable = ErrorCode(rawValue: "EXT_4006")

    // MARK: The service itself

    /// An internal error.
    public static let `internal` = ErrorCode(rawValue: "SYS_5001")
    /// The service is overloaded or shutting down.
    public static let overloaded = ErrorCode(rawValue: "SYS_5002")
    /// The job passed its deadline.
    public static let deadlinePassed = ErrorCode(rawValue: "SYS_5003")
    /// The user belongs to another broker.
    public static let misdirected = ErrorCode(rawValue: "SYS_5004")

    /// All codes of this version.
    public static let all: [ErrorCode] = [
        .tokenExpired, .tokenInvalid, .unauthorized, .scopeMissing, .providerUnavailable, .accountRefused,
        .insufficientCredits, .spendLimitReached, .generationFailed, .stockNotFound, .notFound, .conflict,
        .limitReached,
        .storageFull, .serviceSpendLimitReached, .validationFailed, .invalidTicker, .invalidPersona,
        .malformed, .tooLarge, .rateLimited, .gemini, .fmp, .database, .claude, .dataSource,
        .contentUnavailable, .internal, .overloaded, .deadlinePassed, .misdirected,
    ]
}
