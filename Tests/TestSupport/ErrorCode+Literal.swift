public import DossierAPI

/// Tests write error codes as clients see them: `error.code == "BIZ_2003"`.
extension ErrorCode: ExpressibleByStringLiteral {
    /// Makes a code from a literal.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
}
