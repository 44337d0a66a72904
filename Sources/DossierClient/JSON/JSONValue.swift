/// Any JSON value: details of errors, inputs and results of kinds that this library does not know.
public enum JSONValue: Codable, Hashable, Sendable {
    /// The JSON value `null`.
    case null
    /// A truth value.
    case bool(Bool)
    /// A number without a fraction that fits; encoded without a decimal point.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list of values.
    case array([JSONValue])
    /// Values by name, as the wire names them.
    case object([String: JSONValue])

    /// Reads whatever value there is.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Writes the value as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    /// The member of an object; `nil` for other values and for members that are not there.
    public subscript(_ name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The text, when it is one.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The whole number, when it is one.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
