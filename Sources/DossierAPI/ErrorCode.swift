/// The codes by which clients tell errors apart. A code never changes its meaning.
public struct ErrorCode: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let tokenExpired = ErrorCode(rawValue: "AUTH_1001")
    public static let tokenInvalid = ErrorCode(rawValue: "AUTH_1002")
    public static let unauthorized = ErrorCode(rawValue: "AUTH_1003")

    public static let insufficientCredits = ErrorCode(rawValue: "BIZ_2001")
    /// The user's cap of model spend for the day is reached.
    public static let spendLimitReached = ErrorCode(rawValue: "BIZ_2002")
    public static let generationFailed = ErrorCode(rawValue: "BIZ_2003")
    public static let stockNotFound = ErrorCode(rawValue: "BIZ_2004")
    public static let notFound = ErrorCode(rawValue: "BIZ_2005")
    public static let conflict = ErrorCode(rawValue: "BIZ_2006")

    public static let validationFailed = ErrorCode(rawValue: "VAL_3001")
    public static let invalidTicker = ErrorCode(rawValue: "VAL_3002")
    public static let invalidPersona = ErrorCode(rawValue: "VAL_3003")
    public static let malformed = ErrorCode(rawValue: "VAL_3004")
    public static let tooLarge = ErrorCode(rawValue: "VAL_3005")
    public static let rateLimited = ErrorCode(rawValue: "VAL_3006")

    public static let gemini = ErrorCode(rawValue: "EXT_4001")
    public static let fmp = ErrorCode(rawValue: "EXT_4002")
    public static let database = ErrorCode(rawValue: "EXT_4003")
    public static let claude = ErrorCode(rawValue: "EXT_4004")
    public static let dataSource = ErrorCode(rawValue: "EXT_4005")
    public static let contentUnavailable = ErrorCode(rawValue: "EXT_4006")

    public static let `internal` = ErrorCode(rawValue: "SYS_5001")
    public static let overloaded = ErrorCode(rawValue: "SYS_5002")
    public static let deadlinePassed = ErrorCode(rawValue: "SYS_5003")
}
