/// A text from a fixed list that the server may extend later.
///
/// Every "enum" of the API is a struct of this kind, so a value added by a newer server never makes an answer
/// unreadable. Compare with the constants, and always write a `default` branch.
public protocol OpenEnum: RawRepresentable, Codable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
where RawValue == String, StringLiteralType == String {
    /// Takes any text.
    init(rawValue: String)
}

extension OpenEnum {
    /// Takes the text of a literal.
    public init(stringLiteral value: String) { self.init(rawValue: value) }
    /// The text.
    public var description: String { rawValue }
}
