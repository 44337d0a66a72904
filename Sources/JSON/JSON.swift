/// A JSON value that keeps the order of keys and the exact text of numbers, which Foundation's decoder loses.
///
/// Prompts, schemas and journalled model responses are hashed, compared and shown to people, so a value comes out
/// the way it went in. `canonical` is the one form to hash. Strings and keys are equal when their UTF-8 bytes are.
public enum JSON: Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number with its exact text.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSON])
    /// An object with its members in their order.
    case object(JSONObject)

    /// The kind of a value, as error messages name it.
    public enum Kind: String, Sendable {
        case null, boolean, number, string, array, object
    }

    /// The kind of this value.
    public var kind: Kind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

extension JSON: Hashable {
    /// Whether both are the same value: numbers by value, texts by their bytes, members in any order.
    public static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Hashes the kind and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): value.hashBytes(into: &hasher)
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

// MARK: - Reading

extension JSON {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value; `nil` for any other kind of value.
    public var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The string; `nil` for any other kind of value.
    public var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number with its exact text; `nil` for any other kind of value.
    public var number: JSONNumber? {
        if case .number(let value) = self { value } else { nil }
    }

    /// The value as a 64-bit integer, when it is a number that is exactly one (`3` and `3.0`, not `3.5`).
    public var integer: Int64? { number?.integer }

    /// The number as the nearest double; `nil` for any other kind of value.
    public var double: Double? { number?.double }

    /// The elements; `nil` for any other kind of value.
    public var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members; `nil` for any other kind of value.
    public var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member of an object; `nil` when this is no object or has no such member.
    ///
    /// Setting on anything but an object first makes it an empty object; setting `nil` removes the member.
    public subscript(key: String) -> JSON? {
        get { object?[key] }
        set {
            var members = object ?? JSONObject()
            members[key] = newValue
            self = .object(members)
        }
    }

    /// The element of an array; `nil` when this is no array or has no such element.
    public subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}

// MARK: - Changing

extension JSON {
    /// The same value with changed texts: every string and every key at any depth.
    public func mapStrings(_ transform: (String) -> String) -> JSON {
        switch self {
        case .null, .bool, .number: self
        case .string(let text): .string(transform(text))
        case .array(let elements): .array(elements.map { $0.mapStrings(transform) })
        case .object(let members): .object(members.mapStrings(transform))
        }
    }
}

// MARK: - Building

extension JSON {
    /// A string.
    public init(_ value: String) { self = .string(value) }
    /// `true` or `false`.
    public init(_ value: Bool) { self = .bool(value) }
    /// A number; the integer must fit into 64 bits.
    public init(_ value: some BinaryInteger) { self = .number(JSONNumber(Int64(value))) }

    /// A number from a double; a value that JSON cannot hold (not a number, infinite) becomes `null`.
    public init(_ value: Double) { self = JSONNumber(value).map(JSON.number) ?? .null }

    /// An array of strings.
    public init(_ values: some Sequence<String>) { self = .array(values.map(JSON.string)) }

    /// A string, or `null` when there is none.
    public init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    /// A number, or `null` when there is none.
    public init(_ value: Int64?) { self = value.map { .number(JSONNumber($0)) } ?? .null }
    /// A number, or `null` when there is none.
    public init(_ value: Int?) { self = value.map { .number(JSONNumber(Int64($0))) } ?? .null }
    /// A number, or `null` when there is none.
    public init(_ value: Double?) { self = value.map { JSON($0) } ?? .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// A number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
}

extension JSON: ExpressibleByFloatLiteral {
    /// A number.
    public init(floatLiteral value: Double) { self.init(value) }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSON: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByArrayLiteral {
    /// An array.
    public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// An object.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements))
    }
}
